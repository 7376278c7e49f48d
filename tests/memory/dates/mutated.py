"""Sentences with dates in which some words are changed, for the property tests: words in any order
seldom make the longer dates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from memory.dates.finder import RULES
from tests.memory.dates.questions import QUESTIONS
from tests.memory.dates.sentences import AHEAD, BACK, PROBES, RESOLVED, UNTOUCHED
from tests.memory.dates.soup import WORDS

Words: TypeAlias = list[str]

_SENTENCES = [text for text, *_ in PROBES] + [text for text, *_ in RESOLVED]
_SENTENCES += [text for text, *_ in UNTOUCHED] + [text for text, *_ in QUESTIONS]
_SENTENCES += [text for text, _ in (*AHEAD, *BACK)]
SENTENCES_OF_RULES = [[text for text in _SENTENCES if rule.pattern.search(text)] for rule in RULES]
# Letters that a pattern takes for those of a word.
_LOOKALIKES = str.maketrans({"s": "ſ", "i": "İ", "I": "ı", "k": "\N{KELVIN SIGN}"})


def _dropped(words: Words, at: int, _word: str) -> Words:
    return [*words[:at], *words[at + 1 :]]


def _inserted(words: Words, at: int, word: str) -> Words:
    return [*words[:at], word, *words[at:]]


def _replaced(words: Words, at: int, word: str) -> Words:
    return [*words[:at], word, *words[at + 1 :]]


def _swapped(words: Words, at: int, _word: str) -> Words:
    return [*words[:at], *reversed(words[at : at + 2]), *words[at + 2 :]]


def _respelt(words: Words, at: int, _word: str) -> Words:
    return [*words[:at], *(word.translate(_LOOKALIKES) for word in words[at:])]


_Change: TypeAlias = tuple[Callable[[Words, int, str], Words], int, str]
_changes = st.tuples(
    st.sampled_from([_dropped, _inserted, _replaced, _swapped, _respelt]),
    st.integers(0, 12),
    st.sampled_from(WORDS),
)


def _changed(sentence: str, changes: Sequence[_Change]) -> str:
    words = sentence.split()
    for change, at, word in changes:
        words = change(words, at, word)
    return " ".join(words)


def mutations(sentences: Sequence[str]) -> st.SearchStrategy[str]:
    """Some of them with up to four words left out, added, exchanged or spelt otherwise."""
    return st.builds(_changed, st.sampled_from(sentences), st.lists(_changes, max_size=4))
