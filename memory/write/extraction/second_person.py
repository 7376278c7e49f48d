"""What an assistant says of the user, as the user would say it. Pure, English."""

from __future__ import annotations

import re

from memory.write.extraction.blocks import own_prose
from memory.write.extraction.sentences import split_sentences
from memory.write.extraction.wording import in_one_spelling, without_fillers

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


def as_the_user_would(text: str) -> str:
    """The sentences that tell something of the user: "You prefer uv" → "I prefer uv".

    Empty where there is none. What asks or advises, and what the assistant says of itself, is left
    out.
    """
    sentences = (
        without_fillers(each) for each in split_sentences(in_one_spelling(own_prose(text)))
    )
    return " ".join(_turned(each) for each in sentences if _tells_of_the_user(each))


def _tells_of_the_user(sentence: str) -> bool:
    if sentence.rstrip().endswith("?") or _OF_ITSELF.search(sentence):
        return False
    return _OF_THE_USER.match(sentence) is not None


def _turned(sentence: str) -> str:
    turned = _YOU.sub(_mine, sentence)
    return turned[0].upper() + turned[1:]


def _mine(match: re.Match[str]) -> str:
    """ "You" is "I" as the subject of a clause, else "me"."""
    subject = _SUBJECT_FOLLOWS.search(match.string[: match.start()]) is not None
    return _TURNED.get(match[0].lower(), "I" if subject else "me")
