"""What fits into the prompt: the most relevant first, the last one cut if a part of it fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from memory.recall.shown.sentences import clause_ends, sentence_ends
from memory.recalls import MemoryItem
from memory.tokens import TokenCounter

ELLIPSIS = " …"
Item = TypeVar("Item")
LEAST_TOKENS = 8
# A cut at a sentence or clause is not worth more than half of what would fit.
_LEAST_SHARE = 0.5
# A beginning and the ellipsis hardly ever count more together than apart.
_TRIES = 4


@dataclass(frozen=True)
class Fitted(Generic[Item]):
    """`token_count` is of what is shown, and never above the budget."""

    items: tuple[Item, ...]
    token_count: int
    truncated: bool


def fit(ranked: Sequence[MemoryItem], budget: int, counter: TokenCounter) -> Fitted[MemoryItem]:
    """Takes items in their order until `budget` cl100k tokens are used.

    The first that does not fit whole is cut, if at least `LEAST_TOKENS` of it remain, and ends the
    list: at the end of a sentence, else of a clause, where that keeps half of what would fit, else
    of a word. To be spent by rank the budget comes before the grouping, see `context.grouped`.
    """
    taken: list[MemoryItem] = []
    used = 0
    for item in ranked:
        size = counter.count(item.content)
        if used + size <= budget:
            taken.append(item)
            used += size
            continue
        part = _cut(item, budget - used, counter)
        if part is not None:
            taken.append(part)
            used += counter.count(part.content)
        return Fitted(tuple(taken), used, truncated=True)
    return Fitted(tuple(taken), used, truncated=False)


def _cut(item: MemoryItem, room: int, counter: TokenCounter) -> MemoryItem | None:
    if room < LEAST_TOKENS:
        return None
    most = room - counter.count(ELLIPSIS)
    for kept in range(most, max(most - _TRIES, 0), -1):
        beginning = counter.cut(item.content, kept)
        content = beginning[: _end(item.content, len(beginning))].rstrip() + ELLIPSIS
        if content == ELLIPSIS:
            return None
        if counter.count(content) <= room:
            return item.model_copy(update={"content": content})
    return None


def _end(text: str, limit: int) -> int:
    """Where the text is best cut, at `limit` at the latest."""
    # One character more shows whether a mark or a word is over at the limit.
    beginning = text[: limit + 1]
    for ends in (sentence_ends(beginning), clause_ends(beginning)):
        last = _last(ends, limit)
        if last >= limit * _LEAST_SHARE and last > 0:
            return last
    if len(beginning) == limit or beginning[limit].isspace():
        return limit
    borders = (at for at in range(limit, 0, -1) if beginning[at - 1].isspace())
    return next(borders, limit)


def _last(ends: Iterable[int], limit: int) -> int:
    return max((end for end in ends if end <= limit), default=0)
