"""Recalled memories as a model is to read them: what fits into the prompt, grouped by subject,
dated, with sources; and the answer of a recall that holds them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Generic, TypeVar

from memory.dates.calendar import format_day
from memory.retrieval.hybrid_search import SearchResults
from memory.tokens import TokenCounter
from memory.types import LeftOut, MemoryItem, QueryResponse
from memory.understanding.sentences import clause_ends, sentence_ends

ELLIPSIS = " …"
Item = TypeVar("Item")
Response = TypeVar("Response", bound=QueryResponse[Any])
LEAST_TOKENS = 8
# A cut at a sentence or clause is not worth more than half of what would fit.
_LEAST_SHARE = 0.5
# A beginning and the ellipsis hardly ever count more together than apart.
_TRIES = 4


@dataclass(frozen=True)
class FittedItems(Generic[Item]):
    """`token_count` is of what is shown, and never above the budget."""

    items: tuple[Item, ...]
    token_count: int
    truncated: bool


def answer_with(
    response: type[Response],
    fitted: FittedItems[Any],
    found: SearchResults,
    *,
    total: int,
    began: float,
    left_out: tuple[LeftOut, ...],
) -> Response:
    """What fits of `total`, with its figures; `began` is by the performance counter."""
    elapsed = time.perf_counter() - began
    return response(
        items=list(fitted.items),
        total_count=total,
        query_embedding_ms=round(found.embedding_seconds * 1000),
        retrieval_ms=round(max(elapsed - found.embedding_seconds, 0.0) * 1000),
        token_count=fitted.token_count,
        truncated=fitted.truncated,
        degraded=found.failed,
        left_out=left_out,
    )


def fit_memories(
    ranked: Sequence[MemoryItem], budget: int, counter: TokenCounter
) -> FittedItems[MemoryItem]:
    """Takes items in their order until `budget` cl100k tokens are used.

    The first that does not fit whole is cut, if at least `LEAST_TOKENS` of it remain, and ends the
    list: at the end of a sentence, else of a clause, where that keeps half of what would fit, else
    of a word. To be spent by rank the budget comes before the grouping, see `group_memories`.
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
        return FittedItems(tuple(taken), used, truncated=True)
    return FittedItems(tuple(taken), used, truncated=False)


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


# Where a memory comes from is worth a few words in a prompt (000), not all of its repeats.
MOST_SOURCES = 3


@dataclass(frozen=True)
class ContextEntry:
    item: MemoryItem
    dated: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class ContextGroup:
    """`name` is a bank or a tag, None for what shares no tag with another."""

    name: str | None
    entries: tuple[ContextEntry, ...]


def group_memories(items: Sequence[MemoryItem], zone: tzinfo | None = None) -> list[ContextGroup]:
    """Every item once, in groups by bank, or by shared tags where all are of one bank.

    The group of the item that is ranked first comes first, and within a group the order is kept.
    Items come as they were ranked and after the budget was spent on them (`budget.fit`): grouped
    before, the rest of the first group would use it up. Days are those of `zone`, None is the zone
    of this machine.
    """
    banks: Sequence[str | None] = [item.bank for item in items]
    names = banks if len(set(banks)) > 1 else _by_tag(items)
    groups: dict[str | None, list[ContextEntry]] = {}
    for name, item in zip(names, items, strict=True):
        groups.setdefault(name, []).append(_entry(item, zone))
    return [ContextGroup(name, tuple(entries)) for name, entries in groups.items()]


def _by_tag(items: Sequence[MemoryItem]) -> list[str | None]:
    """The tag under which each item goes: the one that most of those without a group share, of
    equal ones the first that is met, until no two share one."""
    names: list[str | None] = [None] * len(items)
    while True:
        counts = Counter(
            tag
            for name, item in zip(names, items, strict=True)
            if name is None
            for tag in dict.fromkeys(item.tags)
        )
        tag, count = counts.most_common(1)[0] if counts else ("", 0)
        if count < 2:  # noqa: PLR2004 - to share takes two
            return names
        for place, item in enumerate(items):
            if names[place] is None and tag in item.tags:
                names[place] = tag


def _entry(item: MemoryItem, zone: tzinfo | None) -> ContextEntry:
    named = (*(() if item.source is None else (item.source,)), *item.source_ids)
    sources = tuple(dict.fromkeys(each.removeprefix("message:") for each in named))
    return ContextEntry(item, date_note(item, zone), sources[:MOST_SOURCES])


def date_note(item: MemoryItem, zone: tzinfo | None = None) -> str:
    """ "of 3 May 2026, kept on 4 May 2026": when it happened or will, where that is known, and when
    it was learned; and that it is what was true before, where something took its place, or may have
    done so."""
    parts = [] if item.occurred_at is None else [f"of {_day(item.occurred_at, zone)}"]
    parts.append(f"kept on {_day(item.created_at, zone)}")
    if item.superseded:
        parts.append("since replaced")
    elif item.doubted:
        parts.append("perhaps replaced since")
    return ", ".join(parts)


def _day(moment: datetime, zone: tzinfo | None) -> str:
    return format_day(moment.astimezone(zone))
