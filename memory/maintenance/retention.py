"""How long memories, records and index entries are kept, and what goes for its low quality."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias, TypeVar
from uuid import UUID

import structlog

from memory.config.retention_rules import RetentionRule
from memory.store.lifecycle import (
    CleanupStore,
    ExpiryStore,
    RemovalCandidate,
    RetentionCandidate,
    RetentionStore,
)
from memory.store.vectors import IndexStore
from memory.types import Origin
from memory.understanding.sentences import is_question

TRANSACTION_BATCH = 500
Each = TypeVar("Each")


def in_batches(items: Sequence[Each], size: int = TRANSACTION_BATCH) -> Iterator[Sequence[Each]]:
    """One after the other, so that no other writer of the user waits for long."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


MOST_REMOVED = 1000
_ORIGIN = Origin("upkeep")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RetentionTimes:
    """How long what was archived or trimmed can be brought back (000's 180 days), how long what
    was cleaned away, retired or expired can, and the rules for what is in recall."""

    archived: timedelta = timedelta(days=180)
    undo: timedelta = timedelta(days=30)
    rules: tuple[RetentionRule, ...] = ()


@dataclass(frozen=True)
class RetentionPlan:
    """What a run would do: take memories out of recall, each by its rule's days, and remove others
    for good."""

    retired: Sequence[tuple[RetentionCandidate, int]] = field(default_factory=list)
    removed: Sequence[RemovalCandidate] = field(default_factory=list)


def days_kept(item: RetentionCandidate, rules: Sequence[RetentionRule]) -> int | None:
    """How many days the rules leave such a memory, None where no rule speaks of it. The most
    particular rule decides: one for bank and type, then one for the bank, then one for the type;
    of two alike the shorter time."""
    fitting = [rule for rule in rules if rule.fits(item.bank, item.type)]
    if not fitting:
        return None
    return max(fitting, key=lambda rule: (rule.specificity, -rule.days)).days


def overdue(
    items: Sequence[RetentionCandidate], rules: Sequence[RetentionRule], now: datetime
) -> list[tuple[RetentionCandidate, int]]:
    """Those whose days are over, counted from when they were learned, with their days."""
    timed = [(item, days) for item in items if (days := days_kept(item, rules)) is not None]
    return [(item, days) for item, days in timed if item.created_at < now - timedelta(days=days)]


class Retention:
    """How long memories are kept (000, security and privacy: “configure data retention”). Never
    touches what is pinned or was saved by hand."""

    def __init__(self, store: RetentionStore, times: RetentionTimes) -> None:
        self._store = store
        self._times = times

    async def due(self, user_id: str, now: datetime) -> RetentionPlan:
        """What a run would do now; nothing is changed."""
        times = self._times
        retired: list[tuple[RetentionCandidate, int]] = []
        if times.rules:
            soonest = now - timedelta(days=min(rule.days for rule in times.rules))
            items = await self._store.retainable(user_id, soonest)
            retired = overdue(items, times.rules, now)
        removed = await self._store.removable(
            user_id, now - times.archived, now - times.undo, MOST_REMOVED
        )
        return RetentionPlan(retired, removed)

    async def run(self, user_id: str, now: datetime) -> RetentionPlan:
        """Does what is due: of what is to be removed the MOST_REMOVED oldest. Says what was done.
        Raises DatabaseUnavailable."""
        due = await self.due(user_id, now)
        retired: set[UUID] = set()
        for overdue in in_batches(due.retired):
            retired.update(await self._store.retire(user_id, overdue, _ORIGIN, now))
        removed: set[UUID] = set()
        for waiting in in_batches(due.removed):
            removed.update(await self._store.remove(user_id, waiting, _ORIGIN))
        if retired or removed:
            _log.info("retention", retired=len(retired), removed=len(removed))
        return RetentionPlan(
            [pair for pair in due.retired if pair[0].id in retired],
            [each for each in due.removed if each.id in removed],
        )


QualityFault: TypeAlias = Literal["too short", "question"]


@dataclass(frozen=True)
class QualityRule:
    """What counts as low: fewer characters than `min_length` (002 has 50; 0 for none), and texts
    that only ask, where `questions` go."""

    min_length: int
    questions: bool = True

    def fault_of(self, content: str) -> QualityFault | None:
        if len(content.strip()) < self.min_length:
            return "too short"
        return "question" if self.questions and is_question(content) else None


def find_low_quality(
    items: Sequence[RetentionCandidate], low: QualityRule
) -> list[tuple[RetentionCandidate, QualityFault]]:
    """Those of low quality, each with what is wrong."""
    judged = [(item, low.fault_of(item.content)) for item in items]
    return [(item, fault) for item, fault in judged if fault is not None]


class Cleanup:
    """Takes out memories of low quality (002, step 5: `cleanup_memories`). Pinned and manually
    saved memories and roll-ups stay."""

    def __init__(self, store: CleanupStore) -> None:
        self._store = store

    async def plan(
        self, user_id: str, low: QualityRule
    ) -> list[tuple[RetentionCandidate, QualityFault]]:
        """What would go; nothing is changed."""
        items = await self._store.read(user_id)
        return await asyncio.to_thread(find_low_quality, items, low)

    async def run(
        self, user_id: str, low: QualityRule, origin: Origin, now: datetime
    ) -> list[tuple[RetentionCandidate, QualityFault]]:
        """What went: out of recall, to be brought back by `undo` until retention removes it."""
        planned = await self.plan(user_id, low)
        gone: set[UUID] = set()
        for batch in in_batches(planned):
            gone.update(await self._store.clean(user_id, batch, origin, now))
        return [pair for pair in planned if pair[0].id in gone]

    async def undo(self, user_id: str, origin: Origin) -> int:
        """Brings back what the last cleaning took; how many."""
        cleaned_at, back = await self._store.last(user_id), 0
        while cleaned_at is not None:
            brought = await self._store.undo(user_id, cleaned_at, origin, TRANSACTION_BATCH)
            back += len(brought)
            if len(brought) < TRANSACTION_BATCH:
                break
        return back


@dataclass(frozen=True)
class ExpiredRecords:
    """How many of each are gone."""

    audit_entries: int
    tombstones: int


class RecordExpiry:
    def __init__(self, store: ExpiryStore, *, audit: timedelta, tombstones: timedelta) -> None:
        self._store = store
        self._audit = audit
        self._tombstones = tombstones

    async def run(self, user_id: str, now: datetime) -> ExpiredRecords:
        """Removes what is older than it is kept of the user's audit log, and the tombstones of what
        was erased longer ago. What still keeps a memory from coming back, or waits for its
        erasure, stays."""
        entries = await self._store.expire_audit(user_id, now - self._audit)
        stones = await self._store.expire_tombstones(user_id, now - self._tombstones)
        if entries or stones:
            _log.info("records_expired", audit_entries=entries, tombstones=stones)
        return ExpiredRecords(entries, stones)


KeywordLevel = Literal["memory", "roll-up"]
"""004's levels: a single memory is its grip or segment, a roll-up its day and what is above."""


@dataclass(frozen=True)
class IndexTimes:
    """How long what is out of recall, and what was replaced, keeps its vector; the finest level
    that stays in the keyword index once it is `keyword_age` old."""

    vector_age: timedelta = timedelta(days=30)
    replaced_vector_age: timedelta = timedelta(days=365)
    keyword_level: KeywordLevel = "memory"
    keyword_age: timedelta = timedelta(days=30)


class IndexMaintenance:
    """Takes from vectors and keyword index what they need not hold (004, 1.5)."""

    def __init__(self, store: IndexStore, times: IndexTimes) -> None:
        self._store = store
        self._times = times

    async def prune_vectors(self, user_id: str, now: datetime, age: timedelta | None = None) -> int:
        """Drops the vectors of what no recall looks at: what has been out of it for `age`, else for
        the time of the settings, and what was replaced longer ago than questions about the past
        reach. Words and undo stay. How many vectors went."""
        removed = now - (self._times.vector_age if age is None else age)
        replaced = now - self._times.replaced_vector_age
        pruned = await self._store.prune_vectors(user_id, removed, replaced, _ORIGIN)
        if pruned:
            _log.info("vectors_pruned", count=pruned)
        return pruned

    async def level_keywords(
        self,
        user_id: str,
        now: datetime,
        level: KeywordLevel | None = None,
        age: timedelta | None = None,
    ) -> int:
        """Builds a user's part of the keyword index anew at a level: with “roll-up” single memories
        older than `age` are found by meaning alone, unless they are pinned or saved by hand; with
        “memory” all are found by their words again. How many changed."""
        wanted = level or self._times.keyword_level
        since = now - (self._times.keyword_age if age is None else age)
        return await self._store.level_keywords(user_id, since, all_levels=wanted == "memory")
