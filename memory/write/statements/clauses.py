"""A memory as the single statements that it joins. Pure, English."""

from __future__ import annotations

import re

_JOINT = re.compile(
    r"\s*(?:[,;]\s*(?:(?:and|but|so) )?|\s(?:and|but|so)\s)(?=(?:now |then )?(?:I|i|we|We|my"
    r"|My)\b(?! \w+ and I))"
    r"|\s*(?:[,;]\s*)?\b(?:and|but)\s(?=(?:(?:have )?(?:now|then|since) )?(?:work|live|moved"
    r"|bought|joined"
    r"|started|switched|became|quit|stopped|sold|am|got|now|drive|use|no longer)\b)"
    r"|(?<=[a-z\d])[.;!]\s+(?=[A-Z])"
)
_BUT_NOW = re.compile(
    r"\bused to be [^,.;]+?,? (?:but|and) (?:(?:it )?is now|now (?:it |it's |it is )?(?:is )?)",
    re.I,
)
_SELF = re.compile(r"^(?:now |then )?(?:I|we|my|our|it|today|yesterday)\b", re.I)


def clauses_of(said: str) -> list[str]:
    """ "I moved to Bergen and now work at DNB" → "I moved to Bergen", "I now work at DNB".

    Only what oneself says of oneself is taken apart; a second part without a subject gets "I".
    """
    said = _BUT_NOW.sub("is now ", said)
    if not _SELF.match(said):
        return [said]
    parts = [part.strip() for part in _JOINT.split(said)]
    if any(len(part.split()) < 2 for part in parts):  # noqa: PLR2004 - "my wife, I think"
        return [said]
    return [parts[0], *(part if _SELF.match(part) else f"I {part}" for part in parts[1:])]
