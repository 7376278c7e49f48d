"""What two texts are compared by when only their words count. Pure functions, English."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_WORD = re.compile(r"\w+(?:['.:,]\w+)*")
# They say nothing of what a sentence is about.
_EMPTY_WORDS = (
    "a an the and or but of in on at to for from by with without as is are am was were be been it"
    " its this that these those i me my mine you your yours we our ours he his she her they their"
    " have has had do does did not no so than then there here every"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())


def plain(text: str) -> str:
    """In lower case, with straight quotation marks and single spaces."""
    return " ".join(text.translate(_SIGNS).casefold().split())


def holds(text: str, wording: str) -> bool:
    """Whether the words begin at a word of the text: "hazelnut" is in "no hazelnuts"."""
    return re.search(rf"(?<!\w){re.escape(plain(wording))}", plain(text)) is not None


def holds_any(text: str, wordings: Iterable[str]) -> bool:
    return any(holds(text, wording) for wording in wordings)


def words_of(text: str) -> frozenset[str]:
    """The words that say what it is about."""
    return frozenset(_WORD.findall(plain(text))) - _EMPTY
