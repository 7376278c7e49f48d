"""Whether a reply cites its memory as SC-005 of specification 001 wants it. Pure functions.

A citation is advice, not fact ("you told me …"), and quotes or names a memory that
was recalled for this reply, never another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eval.assistant.wording import plain, words_of

# How much of a memory's words a reply holds that names it without quoting it.
NAMED = 0.5
# A memory that was not recalled is named by words of its own only.
OWN_WORDS = 2

_CLAIM = re.compile(
    r"\byou (?:(?:once|already|also|previously|have|had|'ve|just) )*"
    r"(?:told|mentioned|said|shared|wrote|noted)\b"
    r"|\byou've (?:\w+ )?(?:told|mentioned|said|shared)\b"
    r"|\b(?:i remember|as i recall|from (?:our|your|my) (?:earlier|past|previous|memory|memories)"
    r"|last time we (?:spoke|talked)|in (?:my|your) memory)\b"
)
_DENIAL = re.compile(
    r"\b(?:not|never|nothing|no|none|don't|didn't|haven't|hasn't|cannot|can't|unless|if|until"
    r"|only (?:from )?what)\b[^.!?,;:\n]*$"
)
_QUOTE = re.compile(r'“([^”\n]+)”|„([^“\n]+)“|«([^»\n]+)»|"([^"\n]+)"')


@dataclass(frozen=True)
class Citing:
    """`claims`: it says that it has something from the user. `right`: it says so, every quote is
    from a recalled memory, one of these is quoted or named, and no other memory is."""

    claims: bool
    right: bool


def citing(reply: str, recalled: Sequence[str], others: Sequence[str], task: str) -> Citing:
    """`others` are the user's memories that were not recalled; the words of the task are nobody's
    citation."""
    claimed = claims(reply)
    quotes = [each for each in quotes_in(reply) if each not in plain(task)]
    sound = all(any(_quoted(quote, memory) for memory in recalled) for quote in quotes)
    named = any(names(reply, memory) for memory in recalled)
    known = words_of(task).union(*(words_of(memory) for memory in recalled))
    foreign = any(_names_own(reply, memory, known) for memory in others)
    return Citing(claimed, claimed and sound and named and not foreign)


def claims(reply: str) -> bool:
    """Whether it says that something was told before; "you have not told me" does not."""
    text = plain_lines(reply)
    return any(_DENIAL.search(text[: found.start()]) is None for found in _CLAIM.finditer(text))


def quotes_in(reply: str) -> list[str]:
    found = ("".join(groups) for groups in _QUOTE.findall(reply))
    return [plain(each).strip(" .,!?…") for each in found]


def names(reply: str, memory: str) -> bool:
    """Whether it holds at least half of what the memory says, in its words."""
    words = words_of(memory)
    return bool(words) and len(words & words_of(reply)) >= NAMED * len(words)


def plain_lines(reply: str) -> str:
    return "\n".join(plain(line) for line in reply.splitlines())


def _quoted(quote: str, memory: str) -> bool:
    return quote in plain(memory)


def _names_own(reply: str, memory: str, known: frozenset[str]) -> bool:
    own = words_of(memory) - known
    return len(own) >= OWN_WORDS and len(own & words_of(reply)) >= max(NAMED * len(own), OWN_WORDS)
