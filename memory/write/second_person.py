"""What an assistant says of the user, as the user would say it. Pure, English."""

from __future__ import annotations

import re

# Advice, offers and how a thing is done are no facts of the user.
_OF_THE_USER = re.compile(
    r"(?:your\b|you(?:'re|'ve)?\b(?!(?:'ll|'d)| (?:\w+ly )?(?:can|could|should|may|might|must|will"
    r"|would|shall|ought|need|want|have to)\b))",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b(?!\.)", re.IGNORECASE)
_YOU = re.compile(r"\b(?:you are|you're|you were|yourself|yours|your|you)\b", re.IGNORECASE)
_TURNED = {
    "you are": "I am",
    "you're": "I'm",
    "you were": "I was",
    "yourself": "myself",
    "yours": "mine",
    "your": "my",
}
_SUBJECT_FOLLOWS = re.compile(
    r"(?:^|[,;:]|\b(?:and|but|or|that|because|since|when|where)) *$", re.I
)


def as_the_user_would(sentence: str) -> str:
    """ "You prefer uv" → "I prefer uv"; empty for what asks or advises, and for what the assistant
    says of itself."""
    sentence = " ".join(sentence.replace("’", "'").split())
    if sentence.endswith("?") or _OF_ITSELF.search(sentence) or not _OF_THE_USER.match(sentence):
        return ""
    turned = _YOU.sub(_mine, sentence)
    return turned[0].upper() + turned[1:]


def _mine(match: re.Match[str]) -> str:
    """ "You" is "I" as the subject of a clause, else "me"."""
    subject = _SUBJECT_FOLLOWS.search(match.string[: match.start()]) is not None
    return _TURNED.get(match[0].lower(), "I" if subject else "me")
