"""A memory as the single statements that it joins. Pure, English."""

from __future__ import annotations

import re

from memory.write.statements.subjects import PERSON

# From where a run of white space begins, so that a long one costs no more than its length.
_GAP = r"(?:(?<!\s)\s+)?"
_JOINT = re.compile(
    rf"{_GAP}(?:[,;]\s*(?:(?:and|but|so) )?|\s(?:and|but|so)\s)(?=(?:now |then )?(?:I|i|we|We|my"
    r"|My)\b(?! \w+ and I))"
    rf"|{_GAP}(?:[,;]\s*)?\b(?:and|but)\s(?=(?:(?:have )?(?:now|then|since) )?(?:work|live|moved"
    r"|bought|joined"
    r"|started|switched|became|quit|stopped|sold|am|got|now|drive|use|no longer)\b)"
    r"|(?<=[a-z\d])[.;!]\s+(?=[A-Z])"
)
_BUT_NOW = re.compile(
    r"\bused to be [^,.;]+?,? (?:but|and) (?:(?:it )?is now|now (?:it |it's |it is )?(?:is )?)",
    re.I,
)
# A person or a named one, and where the next thing is said of them.
_ANOTHER = re.compile(
    rf"^(?:(?:my|our) {PERSON}(?: (?-i:[A-Z])[\w-]+)?|(?-i:[A-Z])[a-z]\w+)(?= )", re.I
)
_NO_NAME = re.compile(
    r"^(?:i|we|it|the|this|that|they|he|she|you|there|now|then|today|our|my)$", re.I
)
_ANOTHER_JOINT = re.compile(
    r",?\s(?:and|but)\s(?=(?:(?:now|then|also|still) )?(?:is|are|was|has|lives|works|moved"
    r"|started|quit"
    r"|left|got|became|studies|plays|likes|loves|hates|wants|runs|teaches|retired|drives|owns|uses"
    r"|speaks|goes|no longer|doesn't|does not|isn't|is not)\b)"
    r"|,?\s?(?:and |but )?\b(?:he|she|they)\s(?=\w)|;\s*(?:he|she|they)\s",
    re.I,
)
_THEN_SELF = re.compile(r",\s*(?:and |but |so )?(?=(?:now )?(?:I|we|my|our)\b)")
_SELF = re.compile(r"^(?:now |then )?(?:I|we|my|our|it|today|yesterday)\b", re.I)


def clauses_of(said: str) -> list[str]:
    """ "I moved to Bergen and now work at DNB" → "I moved to Bergen", "I now work at DNB".

    A second part without a subject gets that of the first: "I", or "my sister Nina".
    """
    said = _BUT_NOW.sub("is now ", said)
    if (another := _ANOTHER.match(said)) and not _NO_NAME.match(another[0]):
        return _of_another(said, another[0])
    if not _SELF.match(said):
        return [said]
    parts = [part.strip() for part in _JOINT.split(said)]
    if any(len(part.split()) < 2 for part in parts):  # noqa: PLR2004 - "my wife, I think"
        return [said]
    return [parts[0], *(part if _SELF.match(part) else f"I {part}" for part in parts[1:])]


def _of_another(said: str, who: str) -> list[str]:
    """What is said of one person, then what follows of oneself."""
    head, *own = _THEN_SELF.split(said)
    parts = [part.strip() for part in _ANOTHER_JOINT.split(head)]
    if any(len(part.split()) < 2 for part in [*parts, *own]):  # noqa: PLR2004 - "is, and"
        return [said]
    return [parts[0], *(f"{who} {part}" for part in parts[1:]), *own]
