"""Where a text that tells several things may be cut into pieces. Pure functions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass
from itertools import accumulate

from memory.understanding.segmentation import CUT_BEHIND_AN_END, Gaps
from memory.understanding.types import SENTENCE_ENDS

# How probable it is that a segment begins there: where a text may be cut, what counts as near such
# a place, and where a sentence or clause surely ends. Found where it is known what belongs together
# (docs/decisions/0028-wishes-to-forget.md).
_CUT_FROM, _TRACE, _SURE = 0.003, 0.0015, 0.3
# “and”, “und”, “but”, “y”: such a word, or a mark, stands where a thought joins another. The cut
# is before it, as near as it stands to where the probability is highest.
_LONGEST_JOINING = 3
_WITHIN_WORDS = "'’"
_AROUND = (0, -1, 1, -2)
# A piece of fewer words is mostly a part of a thing, but for a sentence.
_FEWEST_WORDS, _FEWEST_OF_A_SENTENCE = 3, 2


@dataclass(frozen=True)
class MemoryPiece:
    """From `start` to `end` of its text."""

    start: int
    end: int


def split_memory(gaps: Gaps) -> list[MemoryPiece]:
    """The text of the gaps in pieces of a few words or more: cut where the probability is a local
    maximum and a mark or a short word stands, and where a sentence surely ends."""
    if not gaps:
        return []
    places = {place for at in range(1, len(gaps)) if (place := _place(gaps, at)) is not None}
    starts = _far_apart(gaps, {0, *places})
    ends = [*(gaps[at][0].start for at in starts[1:]), gaps[-1][0].end]
    return [MemoryPiece(gaps[at][0].start, end) for at, end in zip(starts, ends, strict=True)]


def join_pieces(before: str, rest: str) -> str:
    """What stays: the mark of a thought that does not go on is left out."""
    before, rest = before.strip(), rest.strip()
    if rest[:1].islower():
        return f"{before} {rest}"
    before = before.rstrip(",;:–—- ")
    if not rest:
        return before
    return f"{before} {rest}" if before[-1:] in ".!?…" else f"{before}. {rest}"


def _place(gaps: Gaps, at: int) -> int | None:
    """Where the text is cut because of the gap `at`, if it is."""
    share = gaps[at][1]
    if _is_sure(gaps, at) and gaps[at][0].is_word:
        return at
    after = gaps[at + 1][1] if at + 1 < len(gaps) else 0.0
    before = gaps[at - 1][1] if at > 1 else 0.0
    if share < max(_CUT_FROM, before, after):
        return None
    around = (at + step for step in _AROUND if 0 < at + step < len(gaps))
    return next((each for each in around if _joins(gaps, each) and _traced(gaps, each, at)), None)


def _is_sure(gaps: Gaps, at: int) -> bool:
    behind_an_end = at > 0 and gaps[at - 1][0].text in SENTENCE_ENDS
    return gaps[at][1] >= (CUT_BEHIND_AN_END if behind_an_end else _SURE)


def _joins(gaps: Gaps, at: int) -> bool:
    """Whether a mark stands before the gap, or a short word after it that is no name."""
    before, after = gaps[at - 1][0].text, gaps[at][0]
    marked = not before[0].isalnum() and before not in _WITHIN_WORDS
    short = len(after.text) <= _LONGEST_JOINING and after.text.islower()
    return after.is_word and (marked or short)


def _traced(gaps: Gaps, one: int, other: int) -> bool:
    """Whether the model sees some of an end in every gap from one to the other."""
    low, high = min(one, other), max(one, other)
    return all(share >= _TRACE for _, share in gaps[low : high + 1])


def _far_apart(gaps: Gaps, places: Collection[int]) -> list[int]:
    """Those of the places between which enough words stand, the likeliest first."""
    words = list(accumulate((token.is_word for token, _ in gaps), initial=0))
    starts = [0, len(gaps)]
    for place in sorted(places, key=lambda at: -gaps[at][1]):
        least = _FEWEST_OF_A_SENTENCE if _is_sure(gaps, place) else _FEWEST_WORDS
        at = bisect_left(starts, place)
        before, after = starts[max(0, at - 1)], starts[at]
        if min(words[place] - words[before], words[after] - words[place]) >= least:
            starts.insert(at, place)
    return starts[:-1]
