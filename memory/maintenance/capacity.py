"""How many memories a user may have in a space, and which go when there are more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

import structlog

from memory.clock import Clock, local_clock
from memory.errors import NotFound
from memory.ingestion.writer import MemoryWriter
from memory.metrics import MemoryMetrics
from memory.store.audit import record_audit
from memory.store.database import Connection, Database
from memory.store.memories import (
    CapacityRow,
    MemoryStore,
    StoredScores,
    count_above_cap,
    lock_user,
    read_capacity_rows,
    restore_trimmed,
    trim_memories,
    write_scores,
)
from memory.types import NewMemory, Origin, SaveOutcome, StoredMemory

PruneStrategy = Literal["lowest_score", "fifo", "least_relevant", "oldest_accessed"]
RECENCY_TAU = timedelta(days=7)
SCORES_STALE_AFTER = timedelta(hours=24)
# A batch is at most this share of the cap, so that a small cap is not emptied by a large batch.
_BATCH_SHARE = 10
# And this share is left to what is not protected, or whoever saved a whole cap by hand would lose
# at once whatever is learned next.
_ROOM_SHARE = 10
_Weight: TypeAlias = Callable[[CapacityRow, datetime], float]
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class TrimPlan:
    """What is to go, the first to go first; the protected memories that would have gone in its
    place; and the scores that were recomputed on the way."""

    ids: tuple[UUID, ...] = ()
    spared: tuple[UUID, ...] = ()
    scores: Mapping[UUID, StoredScores] | None = None


@dataclass(frozen=True)
class TrimResult:
    """What went, and the protected memories that would have."""

    ids: tuple[UUID, ...] = ()
    spared: tuple[UUID, ...] = ()


def plan_trim(
    rows: Sequence[CapacityRow],
    *,
    cap: int,
    strategy: PruneStrategy,
    now: datetime,
    batch: int = 1,
) -> TrimPlan:
    """Nothing up to the cap; above it, the overage in whole batches, so that not every write trims.

    A batch is at most a tenth of the cap, and the last one is cut where no unprotected memory is
    left. Pinned and manually saved memories never go, even where the cap is not reached without
    them; a tenth of the cap is left to the others beside them, since 000's cap is a soft one. Of
    equal weight the older one goes first.

    - lowest_score (000): total = relevance + recency + importance of the last scores. Where there
      are none, or they are older than 24 h, they are recomputed: relevance 0, recency
      exp(-age / 7 days) by `created_at`, the stored importance.
    - fifo (003): by `created_at`.
    - least_relevant (003): by the relevance of the last recall; a memory that was never recalled
      has its recency in its place, or each new one would go at once.
    - oldest_accessed (003): by the last recall, of one never recalled by `created_at`.
    """
    over = len(rows) - cap
    if over <= 0:
        return TrimPlan()
    scores = _fresh_scores(rows, now) if strategy == "lowest_score" else {}
    ordered = sorted(rows, key=lambda row: (_WEIGHTS[strategy](row, now), *_age(row)))
    size = max(1, min(batch, cap // _BATCH_SHARE))
    wanted = math.ceil(over / size) * size
    free = [row.id for row in ordered if not row.protected]
    spared = [row.id for row in ordered[:wanted] if row.protected]
    may_go = max(0, len(free) - cap // _ROOM_SHARE)
    return TrimPlan(tuple(free[: min(wanted, may_go)]), tuple(spared), scores)


def recency_score(created_at: datetime, now: datetime) -> float:
    """exp(-age / 7 days), 000; 1 for what lies ahead."""
    return math.exp(-max((now - created_at) / RECENCY_TAU, 0.0))


class Capacity:
    """Keeps the cap of each user and space. What was replaced or has expired does not count."""

    def __init__(
        self,
        database: Database,
        counters: MemoryMetrics,
        *,
        cap: int = 200,
        strategy: PruneStrategy = "lowest_score",
        batch: int = 10,
        clock: Clock = local_clock,
    ) -> None:
        self._database = database
        self._items = MemoryStore(database)
        self._counters = counters
        self._cap = cap
        self._strategy: PruneStrategy = strategy
        self._batch = batch
        self._clock = clock

    async def enforce(
        self,
        user_id: str,
        space: str,
        *,
        origin: Origin,
        now: datetime | None = None,
        held: int | None = None,
    ) -> TrimResult:
        """Trims what is above the cap, in one transaction that no other writer of the user
        interrupts; see `plan_trim`. They are counted first where `held` does not say how many
        memories there are."""
        if held is None:
            held = await self._items.count(user_id, space)
        if held <= self._cap:
            return TrimResult()
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            trimmed = await self._trim(connection, user_id, space, origin, now or self._clock())
        self._tell(trimmed)
        return trimmed

    async def above(self, user_id: str) -> int:
        """How many of all spaces `enforce` would trim, but for what it adds to fill its batches."""
        async with self._database.as_user(user_id) as connection:
            return await count_above_cap(connection, user_id, self._cap, self._cap // _ROOM_SHARE)

    async def bring_back(self, user_id: str, item_id: UUID, origin: Origin) -> StoredMemory:
        """Brings a trimmed memory back, never to be trimmed again: its user asked for it. The cap
        is kept at the next write, by another one. Raises NotFound for one that was not trimmed."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            item = await restore_trimmed(connection, user_id, item_id)
            if item is None:
                raise NotFound
            await record_audit(connection, user_id, "untrimmed", origin, item_id)
        return item

    async def _trim(
        self, connection: Connection, user_id: str, space: str, origin: Origin, now: datetime
    ) -> TrimResult:
        rows = await read_capacity_rows(connection, user_id, space)
        victims = plan_trim(
            rows, cap=self._cap, strategy=self._strategy, now=now, batch=self._batch
        )
        if victims.scores:
            await write_scores(connection, user_id, victims.scores)
        trimmed = await trim_memories(connection, user_id, victims.ids, now) if victims.ids else []
        gone = [item_id for item_id in victims.ids if item_id in trimmed]
        for item_id in gone:
            await record_audit(
                connection, user_id, "trimmed", origin, item_id, strategy=self._strategy
            )
        return TrimResult(tuple(gone), victims.spared)

    def _tell(self, trimmed: TrimResult) -> None:
        self._counters.trims.labels(self._strategy).inc(len(trimmed.ids))
        if trimmed.spared:
            self._counters.protected_trims_avoided.inc(len(trimmed.spared))
            _log.warning("protected_trims_avoided", count=len(trimmed.spared))
        if trimmed.ids:
            _log.info("trimmed", count=len(trimmed.ids), strategy=self._strategy)


def _fresh_scores(rows: Sequence[CapacityRow], now: datetime) -> dict[UUID, StoredScores]:
    return {row.id: _scores(row, now) for row in rows if _is_stale(row.last_scores, now)}


def _scores(row: CapacityRow, now: datetime) -> StoredScores:
    if row.last_scores is not None and not _is_stale(row.last_scores, now):
        return row.last_scores
    recent = recency_score(row.created_at, now)
    return StoredScores(0.0, recent, row.importance, recent + row.importance, now)


def _is_stale(scores: StoredScores | None, now: datetime) -> bool:
    """Also where they were computed in the future: no clock that ran ahead keeps a memory."""
    return scores is None or abs(now - scores.computed_at) > SCORES_STALE_AFTER


def _relevance(row: CapacityRow, now: datetime) -> float:
    if row.last_accessed_at is not None and row.last_scores is not None:
        return row.last_scores.relevance
    return recency_score(row.created_at, now)


def _age(row: CapacityRow) -> tuple[datetime, str]:
    return row.created_at, str(row.id)


_WEIGHTS: dict[PruneStrategy, _Weight] = {
    "lowest_score": lambda row, now: _scores(row, now).total,
    "fifo": lambda row, now: row.created_at.timestamp(),
    "least_relevant": _relevance,
    "oldest_accessed": lambda row, now: (row.last_accessed_at or row.created_at).timestamp(),
}


class CappedWriter:
    """Keeps memories together with the cap of their space."""

    def __init__(self, remember: MemoryWriter, capacity: Capacity) -> None:
        self._remember = remember
        self._capacity = capacity

    async def keep(self, user_id: str, item: NewMemory, origin: Origin) -> SaveOutcome:
        """Keeps one memory and the cap of its space. Raises what `MemoryWriter.keep` raises."""
        outcome = await self._remember.keep(user_id, item, origin)
        await self.trim(user_id, item.space, [outcome], origin.correlation_id)
        return outcome

    async def keep_one_of_many(self, user_id: str, item: NewMemory, origin: Origin) -> SaveOutcome:
        """The same where more follow: whoever asks keeps the cap after the last (`trim_spaces`). To
        look through all that a space holds for each would take the longer the more there is."""
        return await self._remember.keep(user_id, item, origin)

    async def trim(
        self, user_id: str, space: str, outcomes: Sequence[SaveOutcome], correlation_id: UUID | None
    ) -> None:
        """Keeps the cap after what was just kept."""
        counts = [outcome.held for outcome in outcomes if outcome.kind != "repeated"]
        if counts:
            known = [count for count in counts if count is not None]
            held = max(known) if len(known) == len(counts) else None
            origin = Origin("upkeep", correlation_id)
            await self._capacity.enforce(user_id, space, origin=origin, held=held)

    async def trim_spaces(self, user_id: str, spaces: Iterable[str]) -> None:
        """Keeps the cap of each of them."""
        for space in set(spaces):
            await self._capacity.enforce(user_id, space, origin=Origin("upkeep"))

    async def above_cap(self, user_id: str) -> int:
        """How many memories are to go for the caps of the user's spaces, at the next write or at
        night."""
        return await self._capacity.above(user_id)
