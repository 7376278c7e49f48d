"""Recalled memories as a model is to read them: grouped by subject, dated, with their sources.

Specification 000, context assembly. Pure functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memory.dates.periods import day_name
from memory.recalls import MemoryItem

# Where a memory comes from is worth a few words in a prompt (000), not all of its repeats.
MOST_SOURCES = 3


@dataclass(frozen=True)
class Entry:
    item: MemoryItem
    dated: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """`name` is a bank or a tag, None for what shares no tag with another."""

    name: str | None
    entries: tuple[Entry, ...]


def grouped(items: Sequence[MemoryItem], zone: tzinfo | None = None) -> list[Group]:
    """Every item once, in groups by bank, or by shared tags where all are of one bank.

    The group of the item that is ranked first comes first, and within a group the order is kept.
    Items come as they were ranked and after the budget was spent on them (`budget.fit`): grouped
    before, the rest of the first group would use it up. Days are those of `zone`, None is the zone
    of this machine.
    """
    banks: Sequence[str | None] = [item.bank for item in items]
    names = banks if len(set(banks)) > 1 else _by_tag(items)
    groups: dict[str | None, list[Entry]] = {}
    for name, item in zip(names, items, strict=True):
        groups.setdefault(name, []).append(_entry(item, zone))
    return [Group(name, tuple(entries)) for name, entries in groups.items()]


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


def _entry(item: MemoryItem, zone: tzinfo | None) -> Entry:
    named = (*(() if item.source is None else (item.source,)), *item.source_ids)
    sources = tuple(dict.fromkeys(each.removeprefix("message:") for each in named))
    return Entry(item, dated(item, zone), sources[:MOST_SOURCES])


def dated(item: MemoryItem, zone: tzinfo | None = None) -> str:
    """ "of 3 May 2026, kept on 4 May 2026": when it happened or will, where that is known, and when
    it was learned; and that it is what was true before, where something took its place."""
    parts = [] if item.occurred_at is None else [f"of {_day(item.occurred_at, zone)}"]
    parts.append(f"kept on {_day(item.created_at, zone)}")
    if item.superseded:
        parts.append("since replaced")
    return ", ".join(parts)


def _day(moment: datetime, zone: tzinfo | None) -> str:
    return day_name(moment.astimezone(zone))
