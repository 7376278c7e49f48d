"""Questions about nobody but the one who asks: "Where do I work?", "Am I allergic to nuts?".

What is told of a sister answers them as little as what is told of Tom answers one about Maria. On
the own pairs 57 questions are asked like this: of the memories told of somebody else none helps,
and 227 would be in the way. Pure, English.
"""

from __future__ import annotations

import re

from memory.recall.names.persons import Reading, read

_OF_ONESELF = re.compile(
    r"\b(?:am|do|did|was|have|had)(?:n['’]t)? i\b"
    r"|^\W*(?:and |so |hey,? )?(?:what(?:['’]s| is| are| was| were)? |which is )?my\b",
    re.IGNORECASE,
)
# Whoever may be meant besides, and questions whose answer may well be told of somebody else.
_OF_OTHERS = re.compile(
    r"\b(?:what (?:do|did) i do|who|whom|whose|any(?:one|body)|some(?:one|body)|every(?:one|body)"
    r"|family|relatives?|friends?|people|guests?|know|with|for|we|us|our|they|them|their|he|him|his|she|her|buy"
    r"|gifts?|cook|plan|remember|tell|told|visit|see|meet|met|call|ask|when|what date)\b",
    re.IGNORECASE,
)
_OF_ME = re.compile(r"\b(?:i|me|we|us|mine|myself|user)\b", re.IGNORECASE)
_OPENS_LARGE = re.compile(r"\s*[^\W\d_a-z]")


def asks_of_oneself(question: str, asking: Reading) -> bool:
    """Whether nobody else is named in it, by a name or as kin, or may be meant."""
    if asking.names or asking.mentions or asking.people:
        return False
    return _OF_ONESELF.search(question) is not None and _OF_OTHERS.search(question) is None


def told_of_another(memory: str) -> bool:
    """Whether it begins with somebody and the one who keeps it has no part in it."""
    if _OPENS_LARGE.match(memory) is None or _OF_ME.search(memory) is not None:
        return False
    told = read(memory)
    opens = {word.plain for word in told.words[:1]}
    somebody = told.people | told.maybe - told.things
    return any(mention.opens for mention in told.mentions) or bool(opens & somebody)
