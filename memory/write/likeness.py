"""How alike two texts are by their characters, words and vectors. Pure functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from memory.simhash import NEAR, hamming
from memory.write.normalise import normalise

# 003 phase 7: near-certain duplicates.
SAME_COSINE = 0.97
SAME_TEXT = 0.95
# 003 phase 7: the characters of shorter texts are not compared.
COMPARED_CHARS = 100
# 004 1.3: below it a memory is new.
NOVEL_COSINE = 0.82
# Of two words of which one is inflected.
_STEM = 4
# A vector tells nothing of what comes after 256 tokens.
_LONG_CHARS = 600
# Of equal parts in both texts, each of which difflib looks at again and again; prose has fewer,
# however long. Where there are more, it is let leave the most frequent ones aside.
_MOST_PAIRS = 60_000
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s.,;:!?…\"'-]")


def near_identical(
    content: str, other: str, *, simhash: int, other_simhash: int | None, cosine: float | None
) -> str | None:
    """Which measure calls the two one text: "text", "simhash", "cosine", or None.

    None for other numbers, however long the texts; alike is not yet the same: "my sister Maria" and
    "my sister Marie" are as near as that.
    """
    if not same_figures(content, other):
        return None
    compared = min(len(content), len(other)) >= COMPARED_CHARS
    if compared and text_ratio(content, other) >= SAME_TEXT:
        return "text"
    if other_simhash is not None and hamming(simhash, other_simhash) <= NEAR:
        return "simhash"
    long = max(len(content), len(other)) > _LONG_CHARS
    if cosine is not None and cosine >= SAME_COSINE and not long:
        return "cosine"
    return None


def same_figures(one: str, other: str) -> bool:
    """Whether all numbers are the same, in their order."""
    return _FIGURE.findall(one) == _FIGURE.findall(other)


def same_words(one: str, other: str) -> bool:
    """Whether they differ in nothing but case, punctuation, URLs and citations (000)."""
    if one == other:
        return True
    first, second = (_WORD.findall(normalise(text)) for text in (one, other))
    return bool(first) and first == second


def quotes(new: str, old: str) -> bool:
    """Whether the first holds the second in quotation marks: it is cited, not told again."""
    return re.search(rf"[\"“„«]{re.escape(old)}[.!…]?[\"”“»]", new, re.IGNORECASE) is not None


def same_names(one: str, other: str) -> bool:
    """Whether both name the same: words with a capital, but for the first one, and numbers."""
    return _names(one) == _names(other)


def says_no_more(new: str, old: str) -> bool:
    """Whether every word of the first stands in the second as well, inflected or not; names and
    numbers to the letter."""
    if not _names(new) <= _names(old):
        return False
    there = {each[:_STEM] for each in _WORD.findall(normalise(old))}
    return all(each[:_STEM] in there for each in _WORD.findall(normalise(new)))


def _names(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", text)
    capitals = {each.casefold() for each in words[1:] if each[0].isupper() and each[1:]}
    return capitals | {each for each in words if each[0].isdigit()}


def text_ratio(one: str, other: str) -> float:
    """difflib's ratio of the normalised texts, the same both ways; 0 where it cannot reach 0.95.

    Texts above 600 characters are compared word by word, which is quick at any length.
    """
    first, second = sorted((normalise(one), normalise(other)))
    if first == second:
        return 1.0
    if max(len(first), len(second)) > _LONG_CHARS:
        return _ratio(first.split(), second.split())
    return _ratio(first, second)


def _ratio(first: Sequence[str], second: Sequence[str]) -> float:
    """difflib's, with its two upper bounds asked first, and cheaper than it does itself."""
    length = len(first) + len(second)
    if 2 * min(len(first), len(second)) / length < SAME_TEXT:
        return 0.0
    ours, theirs = Counter(first), Counter(second)
    if 2 * (ours & theirs).total() / length < SAME_TEXT:
        return 0.0
    pairs = sum(count * theirs[each] for each, count in ours.items())
    return SequenceMatcher(None, first, second, autojunk=pairs > _MOST_PAIRS).ratio()
