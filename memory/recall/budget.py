"""What fits into the prompt: the most relevant first, the last one cut if a part of it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.models import MemoryItem
from memory.tokens import TokenCounter

ELLIPSIS = " …"
LEAST_TOKENS = 8


@dataclass(frozen=True)
class Fitted:
    """`token_count` is of the contents and never above the budget."""

    items: tuple[MemoryItem, ...]
    token_count: int
    truncated: bool


def fit(ranked: Sequence[MemoryItem], budget: int, counter: TokenCounter) -> Fitted:
    """Takes items in their order until `budget` cl100k tokens are used.

    The first that does not fit whole is cut, if at least `LEAST_TOKENS` of it
    remain, and ends the list.
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
    for kept in range(room - counter.count(ELLIPSIS), 0, -1):
        content = counter.cut(item.content, kept) + ELLIPSIS
        if counter.count(content) <= room:
            return item.model_copy(update={"content": content})
    return None
