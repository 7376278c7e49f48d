"""What has been kept long enough: taken out of recall by a rule, and removed for good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from memory.embeddings.protocol import Embedding
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, count_rows, load_queries
from memory.store.memories import EmbeddedMemory, insert_memory, lock_user
from memory.types import EARLIEST_TIME, MemoryType, Origin, Role, StoredMemory

_SQL = load_queries("lifecycle")


@dataclass(frozen=True)
class RetentionCandidate:
    """A memory as a rule of retention looks at it."""

    id: UUID
    content: str
    type: MemoryType
    space: str
    bank: str
    created_at: datetime


@dataclass(frozen=True)
class RemovalCandidate(RetentionCandidate):
    """One that has waited for its removal; `why` it was taken out of recall."""

    why: str


class RetentionStore:
    """Every method names its user, and is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def retainable(self, user_id: str, before: datetime) -> list[RetentionCandidate]:
        """The unprotected memories in recall that were learned before then, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["retainable"], user_id, before)
        return [RetentionCandidate(**dict(row)) for row in rows]

    async def retire(
        self,
        user_id: str,
        overdue: Sequence[tuple[RetentionCandidate, int]],
        origin: Origin,
        now: datetime,
    ) -> list[UUID]:
        """Takes memories out of recall, each with the days that its rule gave it; those that went,
        since what was changed meanwhile stays. They can be brought back until they are removed for
        good."""
        days = {item.id: kept_for for item, kept_for in overdue}
        fields = ("id", "content", "type", "bank")
        planned = ([getattr(item, name) for item, _ in overdue] for name in fields)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["retire"], user_id, now, *planned)
            for row in rows:
                kept_for = days[row["id"]]
                await record_audit(connection, user_id, "retired", origin, row["id"], days=kept_for)
        return [row["id"] for row in rows]

    async def removable(
        self, user_id: str, rolled_up_before: datetime, other_before: datetime, limit: int
    ) -> list[RemovalCandidate]:
        """What has been archived or trimmed since the one moment, or cleaned away, retired or
        expired since the other; see the query."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["removable"], user_id, rolled_up_before, other_before, limit
            )
        return [RemovalCandidate(**dict(row)) for row in rows]

    async def remove(
        self, user_id: str, removable: Sequence[RemovalCandidate], origin: Origin
    ) -> list[UUID]:
        """Removes them for good, with the versions that they had replaced; what went. One that was
        brought back meanwhile stays, and so does one whose older version was pinned or forgotten.
        Their roll-ups go on knowing from which messages they came."""
        why = {each.id: each.why for each in removable}
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["to_remove"], user_id, list(why))
            gone = [row["id"] for row in rows]
            await connection.execute(_SQL["hand_over"], user_id, gone)
            await connection.execute(_SQL["remove"], user_id, gone)
            for item_id in gone:
                reason = why.get(item_id, "replaced")
                await record_audit(connection, user_id, "removed", origin, item_id, why=reason)
        return gone


class CleanupStore:
    """Every method names its user, and is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, user_id: str) -> list[RetentionCandidate]:
        """What may be cleaned away, in all spaces, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read"], user_id)
        return [RetentionCandidate(**dict(row)) for row in rows]

    async def clean(
        self,
        user_id: str,
        planned: Sequence[tuple[RetentionCandidate, str]],
        origin: Origin,
        now: datetime,
    ) -> list[UUID]:
        """Takes memories out of recall, each for its reason; those that went, since one that was
        changed or protected meanwhile stays."""
        why = {item.id: reason for item, reason in planned}
        contents = [item.content for item, _ in planned]
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["clean"], user_id, list(why), contents, now)
            for row in rows:
                reason = why[row["id"]]
                await record_audit(connection, user_id, "cleaned", origin, row["id"], why=reason)
        return [row["id"] for row in rows]

    async def last(self, user_id: str) -> datetime | None:
        """When the last cleaning was of which something can be brought back."""
        async with self._database.as_user(user_id) as connection:
            found: datetime | None = await connection.fetchval(_SQL["last"], user_id)
        return found

    async def undo(
        self, user_id: str, cleaned_at: datetime, origin: Origin, limit: int
    ) -> list[UUID]:
        """Brings back what that cleaning took and is still there, at most `limit`."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["undo"], user_id, cleaned_at, limit)
            for row in rows:
                await record_audit(connection, user_id, "uncleaned", origin, row["id"])
        return [row["id"] for row in rows]


class ExpiryStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def expire_tombstones(self, user_id: str, before: datetime) -> int:
        """Removes the tombstones of what was erased before then; one that still keeps a memory
        from coming back stays."""
        async with self._database.as_user(user_id) as connection:
            done = await connection.execute(_SQL["expire_tombstones"], user_id, before)
        return count_rows(done)

    async def expire_audit(self, user_id: str, before: datetime) -> int:
        """Removes the entries of the audit log from before then; the database refuses any that is
        younger than thirty days."""
        async with self._database.as_user(user_id) as connection:
            return int(await connection.fetchval(_SQL["expire_audit"], before))


@dataclass(frozen=True)
class RollUpSource:
    """A single memory that may go into a roll-up. `embedding` is of unit length."""

    id: UUID
    content: str
    type: MemoryType
    space: str
    bank: str
    role: Role
    tags: tuple[str, ...]
    source_ids: tuple[str, ...]
    importance: float
    metadata_confidence: float
    created_at: datetime
    occurred_at: datetime | None
    embedding: Embedding
    embedding_model: str | None


@dataclass(frozen=True)
class RollUp:
    """One memory that takes the place of its sources, which are archived; those that a newer one
    of them contradicts (`replaced`, the newer by the older) are replaced by that one instead."""

    new: EmbeddedMemory
    sources: tuple[RollUpSource, ...]
    replaced: Mapping[UUID, UUID] = field(default_factory=dict)

    @property
    def told(self) -> tuple[RollUpSource, ...]:
        """Those of the sources that it tells of."""
        return tuple(source for source in self.sources if source.id not in self.replaced)


class RollUpStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(
        self,
        user_id: str,
        before: datetime,
        now: datetime,
        *,
        after: RollUpSource | None,
        limit: int,
    ) -> list[RollUpSource]:
        """The next memories `after` one that were neither learned nor recalled since `before` and
        may be put together, the oldest first; see the query."""
        place = (EARLIEST_TIME, UUID(int=0)) if after is None else (after.created_at, after.id)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["candidates"], user_id, before, now, *place, limit)
        return [_to_source(row) for row in rows]

    async def in_recall(self, user_id: str, now: datetime) -> dict[str, dict[UUID, Embedding]]:
        """The vectors, of unit length, of all that a recall looks at, by space and id."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["in_recall"], user_id, now)
        vectors: dict[str, dict[UUID, Embedding]] = {}
        for row in rows:
            vectors.setdefault(row["space"], {})[row["id"]] = _to_unit_vector(row["embedding"])
        return vectors

    async def count_tags(self, user_id: str) -> dict[str, int]:
        """How many single memories of the user bear each tag, those in roll-ups too."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["count_tags"], user_id)
        return {row["tag"]: row["count"] for row in rows}

    async def keep(
        self, user_id: str, roll_up: RollUp, origin: Origin, now: datetime
    ) -> StoredMemory | None:
        """Exchanges the sources for the roll-up, in one transaction that no other writer of the
        user interrupts; None, and nothing is done, where one of them is not as it was. Raises
        MemoryOff."""
        ids = [source.id for source in roll_up.sources]
        contents = [source.content for source in roll_up.sources]
        model = roll_up.new.embedding_model
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            there = await connection.fetch(_SQL["unchanged"], user_id, ids, contents, model)
            if len(there) < len(ids):
                return None
            kept = await insert_memory(connection, user_id, roll_up.new)
            told = [source.id for source in roll_up.told]
            await connection.execute(_SQL["link"], user_id, kept.id, told)
            await record_audit(connection, user_id, "rolled_up", origin, kept.id, count=len(told))
            await _archive_sources(connection, user_id, roll_up, origin, into=kept.id, now=now)
        return kept


async def _archive_sources(
    connection: Connection,
    user_id: str,
    roll_up: RollUp,
    origin: Origin,
    *,
    into: UUID,
    now: datetime,
) -> None:
    """What was replaced held until now, and is still told of in questions about the past."""
    older, newer = list(roll_up.replaced), list(roll_up.replaced.values())
    archived = [source.id for source in roll_up.told]
    await connection.execute(_SQL["archive"], user_id, archived, now)
    await connection.execute(_SQL["supersede"], user_id, older, newer, now)
    for item_id in archived:
        await record_audit(connection, user_id, "archived", origin, item_id, into=into)
    for item_id, by in roll_up.replaced.items():
        await record_audit(connection, user_id, "superseded", origin, item_id, by=by)


def _to_source(row: Any) -> RollUpSource:
    listed = {name: tuple(row[name]) for name in ("tags", "source_ids")}
    return RollUpSource(**dict(row) | listed | {"embedding": _to_unit_vector(row["embedding"])})


def _to_unit_vector(stored: HalfVector) -> Embedding:
    vector = np.asarray(stored.to_numpy(), dtype=np.float32)
    return vector / (float(np.linalg.norm(vector)) or 1.0)
