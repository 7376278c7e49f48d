"""The preferences so short and clear that no model is asked about them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.write.extraction import cuts, refusals
from memory.write.extraction.reading import judge
from memory.write.extraction.sentences import split_sentences
from memory.write.extraction.wording import in_one_spelling, without_fillers

MAX_CHARS = 60
KEYWORDS = ("favorite", "favourite", "love", "like", "enjoy", "prefer", "hate")
_LASTS = {"preference", "constraint"}


def preference_shortcut(
    text: str, *, max_chars: int = MAX_CHARS, keywords: Sequence[str] = KEYWORDS
) -> str | None:
    """The preference as it is kept, where the message is nothing but one; None otherwise.

    Specification 003, phase 5: at most `max_chars` characters, one of the `keywords` in it
    ("prefer" is also in "prefers"). Unlike there, it must be one sentence in the first
    person that the rules would keep: "I love it!" has a keyword and says nothing.
    """
    text = " ".join(text.split())
    if len(text) > max_chars or not _has_any(text, keywords):
        return None
    sentences = split_sentences(in_one_spelling(text))
    if len(sentences) != 1:
        return None
    sentence = without_fillers(sentences[0])
    if cuts.message_refused(text) or cuts.cut_here(sentence):
        return None
    reading = judge(sentence)
    kept = reading.rule is not None and reading.rule.category in _LASTS
    return reading.clause if kept and not refusals.sentence_refused(sentence) else None


def _has_any(text: str, keywords: Sequence[str]) -> bool:
    return any(re.search(rf"\b{re.escape(each)}", text, re.IGNORECASE) for each in keywords)
