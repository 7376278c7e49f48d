"""What a question about the past conversations asks for, read from its words alone. Pure, English.

"What did I say about Oslo?" is about Oslo, and about what the user said.
"""

from __future__ import annotations

import re

from memory.models import Role
from memory.recall.choice.questions import is_question

_LEAD_IN = (
    r"(?:(?:and|so|but|hey|hi|hello|well|ok|okay|please|sorry|(?:can|could) you (?:please )?"
    r"(?:tell|remind) me|tell me|remind me|do you (?:know|remember|recall))\b[\s,!.:–—-]*)*"
)
_SPEAKING = (
    r"(?:say|said|tell|told|mention(?:ed)?|talk(?:ed)?|speak|spoken?|spoke|chat(?:ted)?"
    r"|discuss(?:ed)?|write|wrote|written|ask(?:ed)?|recommend(?:ed)?|suggest(?:ed)?|advised?"
    r"|explain(?:ed)?|promised?)"
)
_ASKING = r"(?:(?:what|when|where|why|how often|how)\s+(?:else\s+|exactly\s+)?)?"
_FRAME = re.compile(
    rf"^\s*{_LEAD_IN}(?:{_ASKING}(?:did|have|had)|what(?:\s+(?:was|is) it(?:\s+that)?)?)"
    r"\s+(?P<who>i|we|you)"
    r"(?:\s+(?:ever|already|just|last|first|once|actually|even|originally|previously|both))*"
    rf"\s+{_SPEAKING}\b(?:\s+(?:to\s+|with\s+)?(?:you|me)\b)?"
    r"(?:\s+(?:anything|something|a word|much))?"
    r"(?:\s+(?:about|of|on|regarding|concerning|that|whether|if))?\s+(?P<topic>[^\s?].*)$",
    re.IGNORECASE | re.DOTALL,
)
_SPEAKERS: dict[str, Role] = {"i": "user", "you": "assistant"}
_WORD = re.compile(r"[^\W_]+")
# Characters: no question is asked again at such a length.
_LONGEST = 1_000
_BARE = frozenset(
    re.findall(
        r"\w+",
        "a an the and or but so of to in on at for from by with about is are am was were be "
        "been do does did have has had can could will would should i me my mine we us our you "
        "your it its this that these those what when where who whom whose which why how ever "
        "just please tell remind ",
    )
)


def topic_of(query: str) -> str:
    """What was spoken about, without "what did I say about …"; the question itself where it does
    not ask for what was said."""
    match = _FRAME.match(query)
    return query if match is None else match["topic"].strip()


def asks_what_was_said(query: str) -> bool:
    """Whether it is about the conversations: "did I ever mention …", "when did we talk about …"."""
    return _FRAME.match(query) is not None


def asked_speaker(query: str) -> Role | None:
    """Whose words are asked for: the user's by "did I say", the assistant's by "did you say"."""
    match = _FRAME.match(query)
    if match is None:
        return None
    return _SPEAKERS.get(match["who"].casefold())


def restates(content: str, query: str) -> bool:
    """Whether a message only asks the same: it tells nothing, and its words are the question's."""
    if len(content) > _LONGEST:
        return False
    return is_question(content) and telling_words(topic_of(content)) <= telling_words(query)


def telling_words(text: str) -> set[str]:
    """The words without those that carry no meaning by themselves, in lower case."""
    return {word.casefold() for word in _WORD.findall(text)} - _BARE
