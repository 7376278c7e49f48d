"""What was recalled and comes back in a message, from which it is not learned again. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from memory.simhash import simhash64
from memory.write.candidates import Candidate, Said
from memory.write.likeness import near_identical, same_words
from memory.write.normalise import normalise
from memory.write.second_person import as_the_user_would

_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^“”]+)”|«([^«»]+)»|(?<!\w)['‘]([^\n]{1,500}?)['’](?!\w)|^[ \t]*>(.+)$",
    re.MULTILINE,
)
_MOST_QUOTES = 50


def without_echoes(
    candidates: Sequence[Candidate], said: Said, recalled: Sequence[str]
) -> list[Candidate]:
    """The candidates that are not one of the `recalled` memories over again.

    What the user says again in words of their own is no echo: it is a repeat, which is counted.
    What they quote is one, and so is all that was recalled in a message of somebody else.
    """
    quotes = _quotes(said.text)
    echoed = [each for each in recalled if said.role != "user" or _is_quoted(each, quotes)]
    return [each for each in candidates if not _echoes(each.content, echoed)]


def _echoes(content: str, recalled: Sequence[str]) -> bool:
    """Whether it is one of them, or holds one to the letter."""
    words = normalise(content)
    held = any(normalise(each).rstrip(" .!") in words for each in recalled)
    return held or _is_one_of(content, recalled)


def _quotes(text: str) -> list[str]:
    """What stands in quotation marks or behind ">", also as the user would say it of themselves."""
    matches = islice(_QUOTED.finditer(text), _MOST_QUOTES)
    found = [next(filter(None, match.groups())) for match in matches]
    return found + [turned for each in found if (turned := as_the_user_would(each))]


def _is_quoted(content: str, quotes: Sequence[str]) -> bool:
    words = normalise(content).rstrip(" .!")
    return any(words in normalise(each) or _is_one_of(each, [content]) for each in quotes)


def _is_one_of(content: str, others: Sequence[str]) -> bool:
    """Whether it is nearly one of the others, but for trivial edits."""
    return any(same_words(content, other) or _near(content, other) for other in others)


def _near(content: str, other: str) -> bool:
    ours, theirs = (simhash64(normalise(each)) for each in (content, other))
    return bool(near_identical(content, other, simhash=ours, other_simhash=theirs, cosine=None))
