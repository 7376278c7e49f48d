"""Roll-ups as rows: what may be put together, and the exchange of single memories for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from memory.database import Connection, Database
from memory.embedders.protocol import Embedding
from memory.models import EARLIEST, ItemType, KeptItem, Origin, Role
from memory.store.audit import record
from memory.store.memories.items import EmbeddedItem, insert, lock_user
from memory.store.queries import load_queries

_SQL = load_queries("upkeep/roll_ups")


@dataclass(frozen=True)
class Source:
    """A single memory that may go into a roll-up. `embedding` is of unit length."""

    id: UUID
    content: str
    type: ItemType
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

    new: EmbeddedItem
    sources: tuple[Source, ...]
    replaced: Mapping[UUID, UUID] = field(default_factory=dict)

    @property
    def told(self) -> tuple[Source, ...]:
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
        after: Source | None,
        limit: int,
    ) -> list[Source]:
        """The next memories `after` one that were neither learned nor recalled since `before` and
        may be put together, the oldest first; see the query."""
        place = (EARLIEST, UUID(int=0)) if after is None else (after.created_at, after.id)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["candidates"], user_id, before, now, *place, limit)
        return [_source(row) for row in rows]

    async def in_recall(self, user_id: str, now: datetime) -> dict[str, dict[UUID, Embedding]]:
        """The vectors, of unit length, of all that a recall looks at, by space and id."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["in_recall"], user_id, now)
        vectors: dict[str, dict[UUID, Embedding]] = {}
        for row in rows:
            vectors.setdefault(row["space"], {})[row["id"]] = _unit(row["embedding"])
        return vectors

    async def tags_borne(self, user_id: str) -> dict[str, int]:
        """How many single memories of the user bear each tag, those in roll-ups too."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["tags_borne"], user_id)
        return {row["tag"]: row["count"] for row in rows}

    async def keep(
        self, user_id: str, roll_up: RollUp, origin: Origin, now: datetime
    ) -> KeptItem | None:
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
            kept = await insert(connection, user_id, roll_up.new)
            told = [source.id for source in roll_up.told]
            await connection.execute(_SQL["link"], user_id, kept.id, told)
            await record(connection, user_id, "rolled_up", origin, kept.id, count=len(told))
            await _take_out(connection, user_id, roll_up, origin, into=kept.id, now=now)
        return kept


async def _take_out(
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
        await record(connection, user_id, "archived", origin, item_id, into=into)
    for item_id, by in roll_up.replaced.items():
        await record(connection, user_id, "superseded", origin, item_id, by=by)


def _source(row: Any) -> Source:
    listed = {name: tuple(row[name]) for name in ("tags", "source_ids")}
    return Source(**dict(row) | listed | {"embedding": _unit(row["embedding"])})


def _unit(stored: HalfVector) -> Embedding:
    vector = np.asarray(stored.to_numpy(), dtype=np.float32)
    return vector / (float(np.linalg.norm(vector)) or 1.0)
