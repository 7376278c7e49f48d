"""The words a text is about, by RAKE. English, no model, no state.

Rose, Engel, Cramer & Cowley (2010), "Automatic Keyword Extraction from Individual Documents".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from memory.write.common_words import CALENDAR, FUNCTION, GENERIC

_STOP = FUNCTION | GENERIC | CALENDAR
_MIN_LETTERS = 3
# More words in a row are a list, or a language that has other stop words.
_MAX_PHRASE_WORDS = 4
_WORD = re.compile(r"[^\W_](?:[\w+#]|[.&'’-](?=\w))*")
_IS_TAG = re.compile(r"[^\W\d_][\w+#.&/-]+")
_CONTRACTION = re.compile(r"(?:n't|'(?:s|m|ve|ll|re|d))$")
_SINGULARS = frozenset(
    {"diabetes", "news", "series", "lens", "maths", "herpes", "always", "sometimes"}
)


def keyphrases(text: str, without: Iterable[str] = ()) -> list[tuple[str, float]]:
    """Every word of a candidate phrase as a tag, with its score, the best first.

    A candidate phrase is a run of words between stop words, punctuation and the names of
    `without`. A word's score is its degree over its frequency, that is the mean length of the
    phrases it stands in: at least 1, at most 4. Phrases stay single words, since the same fact
    in other words has the same words far more often than the same phrases (decision 0008); a
    phrase's score would be the sum over its words. Words of one score keep the text's order.
    """
    frequency: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    for phrase in _candidates(text, {_plain(part) for name in without for part in name.split()}):
        together = len(phrase) if len(phrase) <= _MAX_PHRASE_WORDS else 1
        for tag in phrase:
            frequency[tag] += 1
            degree[tag] += together
    scores = ((tag, degree[tag] / count) for tag, count in frequency.items())
    return sorted(scores, key=lambda each: -each[1])


def as_tag(word: str) -> str | None:
    """The word in lower case and in the singular; None for stop words, numbers and dates."""
    tag = _plain(word)
    if tag in _STOP or not _IS_TAG.fullmatch(tag):
        return None
    tag = _singular(tag)
    return None if tag in _STOP else tag


def _candidates(text: str, stops: set[str]) -> Iterator[list[str]]:
    phrase: list[str] = []
    end = 0
    for word in _WORD.finditer(text):
        tag = None if _plain(word.group()) in stops else as_tag(word.group())
        gap = text[end : word.start()]
        end = word.end()
        fits = tag is not None and len(tag) >= _MIN_LETTERS
        if phrase and not (fits and gap.isspace() and "\n" not in gap):
            yield phrase
            phrase = []
        if tag is not None and fits:
            phrase.append(tag)
    if phrase:
        yield phrase


def _plain(word: str) -> str:
    return _CONTRACTION.sub("", word.lower().replace("’", "'")).strip("'.,-_ ")


def _singular(word: str) -> str:
    """English plurals by their ending: the same thing gets the same tag."""
    if len(word) <= 3 or word in _SINGULARS:  # noqa: PLR2004 - "gas", "bus"
        return word
    if word.endswith(("ss", "us", "is", "os", "ics")):
        return word
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 - "ties", "pies"
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word.removesuffix("s")
