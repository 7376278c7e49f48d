"""What becomes of a memory when the same is said again (000, near-duplicates). Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from memory.write.importance import clamp, repeat_boost

MAX_TAGS = 20
MAX_SOURCES = 50


@dataclass(frozen=True)
class Standing:
    """What a repeat may change of a memory; its words stay those of the canonical item."""

    tags: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    pinned: bool = False
    manually_saved: bool = False
    importance: float = 0.0
    repeat_count: int = 0


def merge_repeat(old: Standing, new: Standing) -> Standing:
    """The canonical item's standing after one more repeat.

    Tags and sources are joined, flags ORed, and importance = clamp(old + repeat_boost(n)), where n
    is the number of this repeat; the repeat's own importance does not count. Nothing is lowered or
    taken away, except that lists keep their first 20 tags and 50 sources.
    """
    repeats = old.repeat_count + 1
    return Standing(
        tags=merge_tags(old.tags, new.tags),
        source_ids=merge_sources(old.source_ids, new.source_ids),
        pinned=old.pinned or new.pinned,
        manually_saved=old.manually_saved or new.manually_saved,
        importance=clamp(old.importance + repeat_boost(repeats)),
        repeat_count=repeats,
    )


def merge_tags(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """The old tags, then the new, each once whatever its case, as first written; 20 at most."""
    return _joined(old, new, same=str.casefold, most=MAX_TAGS)


def merge_sources(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """The old sources, then the new ones, each once; 50 at most."""
    return _joined(old, new, same=str, most=MAX_SOURCES)


def _joined(
    old: Iterable[str], new: Iterable[str], *, same: Callable[[str], str], most: int
) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for each in (*old, *new):
        first.setdefault(same(each), each)
    return tuple(islice(first.values(), most))
