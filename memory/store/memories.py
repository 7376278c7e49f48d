"""Memories as rows: kept, repeated, replaced, listed, trimmed, and counted when they are
recalled."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

import asyncpg
from pydantic import Field

from memory.embeddings.protocol import Embedding
from memory.errors import ChangedMeanwhile, MemoryOff
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, load_queries
from memory.store.remainders import drop_remainders
from memory.types import (
    DEFAULT_SPACE,
    FrozenModel,
    MemoryType,
    NewMemory,
    Origin,
    Role,
    StoredMemory,
)

_IMPORT_ORIGIN = Origin("import")
_SQL = load_queries("memories", columns=StoredMemory.model_fields)


def to_memory(row: Any) -> StoredMemory:
    """Of a row that may have more columns than a memory's."""
    return StoredMemory(**{name: row[name] for name in StoredMemory.model_fields})


async def restore_sources(
    connection: Connection, user_id: str, roll_ups: Sequence[UUID], but: Sequence[UUID] = ()
) -> list[UUID]:
    """Brings back into recall what was archived for these, `but` some; their ids. Those of the
    ids that are no roll-ups have nothing archived for them."""
    rows = await connection.fetch(_SQL["release"], user_id, list(roll_ups), list(but))
    return [row["id"] for row in rows]


async def rearchive_sources(connection: Connection, user_id: str, roll_ups: Sequence[UUID]) -> None:
    """Takes out of recall again what those of the roll-ups tell of that are in recall."""
    await connection.execute(_SQL["archive_again"], user_id, list(roll_ups))


async def replace_roll_up(connection: Connection, user_id: str, roll_up: UUID, by: UUID) -> None:
    """A roll-up that is replaced by another memory tells several things, of which that one speaks
    of one: the others are in recall again by themselves, and that one alone is replaced."""
    back = await restore_sources(connection, user_id, [roll_up])
    if back:
        about = await connection.fetchval(_SQL["contradicted"], user_id, back, by)
        await connection.execute(_SQL["replace"], user_id, about, by)


ScoreMemory: TypeAlias = Callable[[StoredMemory], float]
"""What a memory as it is now weighs: its salience, or its importance. Pure."""

IsUnchanged: TypeAlias = Callable[[StoredMemory], bool]
"""Whether a memory is as it was when whoever changes it looked at it. Pure."""


@dataclass(frozen=True)
class EmbeddedMemory:
    """A new memory with its vector, or without one where the embedder gave none, and with what
    its duplicates and its order are found by."""

    item: NewMemory
    embedding: Embedding | None
    embedding_model: str | None
    simhash: int | None = None
    salience: float = 0.0
    metadata_confidence: float = 0.0


@dataclass(frozen=True)
class RepeatUpdate:
    """What a memory has after it was said again; the flags are added to those it has, the
    `salience` is that with them, and `counted` is 0 where only they are new."""

    tags: tuple[str, ...]
    source_ids: tuple[str, ...]
    importance: float
    metadata_confidence: float
    manually_saved: bool
    pinned: bool
    occurred_at: datetime | None
    salience: float
    counted: int = 1


class MemoryStore:
    """A method is one transaction of the user; a function of this module is one statement within
    the caller's."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, user_id: str, new: EmbeddedMemory) -> StoredMemory:
        """Keeps a memory as it is."""
        async with self._database.as_user(user_id) as connection:
            return await insert_memory(connection, user_id, new)

    async def save_all(
        self, user_id: str, items: Sequence[EmbeddedMemory], origin: Origin = _IMPORT_ORIGIN
    ) -> list[StoredMemory]:
        """Keeps all of them, as they are, or none; one entry of the audit log tells how many."""
        async with self._database.as_user(user_id) as connection:
            kept = [await insert_memory(connection, user_id, new) for new in items]
            if kept:
                await record_audit(connection, user_id, "seeded", origin, count=len(kept))
        return kept

    async def list_recent(
        self, user_id: str, limit: int = 50, space: str = DEFAULT_SPACE
    ) -> list[StoredMemory]:
        """What is remembered of the user, the newest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["list_recent"], user_id, space, limit)
        return [StoredMemory(**dict(row)) for row in rows]

    async def count(self, user_id: str, space: str = DEFAULT_SPACE) -> int:
        async with self._database.as_user(user_id) as connection:
            return await count_active(connection, user_id, space)

    async def delete(self, user_id: str, item_id: UUID) -> None:
        """Takes a memory out of every recall and drops its vector; the row stays for undo."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["delete"], user_id, item_id)

    async def supersede(self, user_id: str, item_id: UUID, by: UUID) -> None:
        """Marks a memory as replaced by another one of the same user."""
        async with self._database.as_user(user_id) as connection:
            await supersede(connection, user_id, item_id, by)


def refuse_changed(items: Sequence[StoredMemory], still: IsUnchanged | None) -> None:
    """Raises ChangedMeanwhile."""
    if still is not None and not all(map(still, items)):
        raise ChangedMeanwhile


async def count_active(connection: Connection, user_id: str, space: str) -> int:
    """How many memories of the space are in recall."""
    return int(await connection.fetchval(_SQL["count"], user_id, space))


async def lock_user(connection: Connection, user_id: str) -> None:
    """Waits until no other writer of the user's memories is at work, until the transaction ends."""
    await connection.execute(_SQL["lock_user"], user_id)


async def insert_memory(connection: Connection, user_id: str, new: EmbeddedMemory) -> StoredMemory:
    item = new.item
    row = await connection.fetchrow(
        _SQL["insert"],
        user_id,
        item.content,
        item.type,
        item.space,
        item.bank,
        item.role,
        list(item.tags),
        list(item.source_ids),
        item.source_message_id,
        item.importance,
        new.salience,
        new.metadata_confidence,
        item.pinned,
        item.manually_saved,
        new.simhash,
        item.occurred_at,
        item.created_at,
        item.expires_at,
        new.embedding,
        new.embedding_model,
    )
    assert row is not None
    return StoredMemory(**dict(row))


async def count_repeat(
    connection: Connection, user_id: str, item_id: UUID, repeat: RepeatUpdate
) -> StoredMemory:
    """Counts a memory once more and makes it hold again. Raises MemoryOff."""
    row = await connection.fetchrow(
        _SQL["count_repeat"],
        user_id,
        item_id,
        list(repeat.tags),
        list(repeat.source_ids),
        repeat.importance,
        repeat.metadata_confidence,
        repeat.manually_saved,
        repeat.pinned,
        repeat.occurred_at,
        repeat.counted,
        repeat.salience,
    )
    if row is None:
        raise MemoryOff
    return StoredMemory(**dict(row))


async def supersede(
    connection: Connection, user_id: str, item_id: UUID, by: UUID
) -> StoredMemory | None:
    """The memory that was replaced; None where it was already. What a roll-up tells besides is in
    recall again."""
    row = await connection.fetchrow(_SQL["supersede"], user_id, item_id, by)
    if row is None:
        return None
    await replace_roll_up(connection, user_id, item_id, by)
    return StoredMemory(**dict(row))


async def undo_supersede(
    connection: Connection, user_id: str, item_id: UUID
) -> StoredMemory | None:
    row = await connection.fetchrow(_SQL["undo_supersede"], user_id, item_id)
    if row is None:
        return None
    await drop_remainders(connection, user_id, [item_id])
    await rearchive_sources(connection, user_id, [item_id])
    return StoredMemory(**dict(row))


async def inherit_pin(
    connection: Connection,
    user_id: str,
    newer: StoredMemory,
    older: StoredMemory,
    weigh: ScoreMemory,
) -> StoredMemory:
    """Pins a memory that takes the place of a pinned one; `weigh` is its salience then. That the
    older one was saved by hand is not inherited: nobody asked to keep the newer one."""
    if newer.pinned or not older.pinned:
        return newer
    pinned = newer.model_copy(update={"pinned": True})
    await connection.execute(_SQL["inherit_pin"], user_id, newer.id, weigh(pinned))
    return pinned


async def read_active(
    connection: Connection, user_id: str, ids: Sequence[UUID]
) -> dict[UUID, StoredMemory]:
    """Those of the memories that are in recall, by their id."""
    rows = await connection.fetch(_SQL["read_living"], user_id, list(ids))
    return {row["id"]: StoredMemory(**dict(row)) for row in rows}


MAX_LISTED = 200


class PageCursor(FrozenModel):
    """Where a page ended: the next one begins after it, whatever was added meanwhile."""

    created_at: datetime
    id: UUID


class MemoryFilter(FrozenModel):
    """Which memories are listed; None asks for all of them.

    `text` is searched for in content and tags, stemmed and with quotes, OR and - as a search
    engine takes them, or as a part of the content. `since` counts, `until` does not any more.
    """

    space: str = DEFAULT_SPACE
    type: MemoryType | None = None
    bank: str | None = None
    role: Role | None = None
    tag: str | None = None
    pinned: bool | None = None
    manually_saved: bool | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    include_replaced: bool = False
    include_trimmed: bool = False
    after: PageCursor | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 50

    @property
    def arguments(self) -> tuple[object, ...]:
        """The values in the order of the query's places, with one row more than is asked for."""
        after = self.after
        return (
            self.space,
            self.type,
            self.bank,
            self.role,
            self.tag,
            self.pinned,
            self.manually_saved,
            self.text,
            self.since,
            self.until,
            self.include_replaced,
            self.include_trimmed,
            None if after is None else after.created_at,
            None if after is None else after.id,
            self.limit + 1,
        )


@dataclass(frozen=True)
class MemoryPage:
    """Some memories, and where the next page begins; None where there is none."""

    items: tuple[StoredMemory, ...]
    next: PageCursor | None


@dataclass(frozen=True)
class SimilarMemory:
    """A memory near a new one; `cosine` is None where one of the two has no vector yet, and
    `replaced` says that it is out of recall because another one holds."""

    item: StoredMemory
    simhash: int | None
    source_ids: tuple[str, ...]
    cosine: float | None
    replaced: bool


async def find_similar(
    connection: Connection, user_id: str, new: EmbeddedMemory
) -> list[SimilarMemory]:
    """The living ones first, the nearest first."""
    rows = await connection.fetch(
        _SQL["find_neighbours"], user_id, new.item.space, new.embedding, new.simhash
    )
    return [
        SimilarMemory(
            item=to_memory(row),
            simhash=row["simhash"],
            source_ids=tuple(row["source_ids"]),
            cosine=row["cosine"],
            replaced=row["replaced"],
        )
        for row in rows
    ]


@dataclass(frozen=True)
class StoredScores:
    """000's `last_scores`: total = relevance + recency + importance, as of `computed_at`."""

    relevance: float
    recency: float
    importance: float
    total: float
    computed_at: datetime


@dataclass(frozen=True)
class CapacityRow:
    """A living memory as it is weighed against the others."""

    id: UUID
    created_at: datetime
    importance: float
    pinned: bool = False
    manually_saved: bool = False
    last_accessed_at: datetime | None = None
    last_scores: StoredScores | None = None

    @property
    def protected(self) -> bool:
        return self.pinned or self.manually_saved


async def read_capacity_rows(connection: Connection, user_id: str, space: str) -> list[CapacityRow]:
    rows = await connection.fetch(_SQL["read_rows"], user_id, space)
    return [
        CapacityRow(**dict(row) | {"last_scores": parse_scores(row["last_scores"])}) for row in rows
    ]


async def count_above_cap(connection: Connection, user_id: str, cap: int, room: int) -> int:
    """How many memories of all spaces are above the cap; `room` of a space are left to those that
    nothing protects."""
    return int(await connection.fetchval(_SQL["count_above"], user_id, cap, room))


async def write_scores(
    connection: Connection, user_id: str, scores: Mapping[UUID, StoredScores]
) -> None:
    said = [json.dumps(asdict(each), default=datetime.isoformat) for each in scores.values()]
    await connection.execute(_SQL["write_scores"], user_id, list(scores), said)


async def trim_memories(
    connection: Connection, user_id: str, ids: Sequence[UUID], now: datetime
) -> list[UUID]:
    """Takes memories out of recall; those that went, since a protected one stays."""
    rows = await connection.fetch(_SQL["trim"], user_id, list(ids), now)
    return [row["id"] for row in rows]


async def restore_trimmed(
    connection: Connection, user_id: str, item_id: UUID
) -> StoredMemory | None:
    """Brings a trimmed memory back into recall, saved by hand from now on; None for any other."""
    row = await connection.fetchrow(_SQL["untrim"], user_id, item_id)
    return None if row is None else StoredMemory(**dict(row))


def parse_scores(stored: str | None) -> StoredScores | None:
    """The scores as they were stored; None for what does not hold all five."""
    try:
        read: dict[str, Any] = json.loads(stored or "null")
        scores = StoredScores(
            relevance=float(read["relevance"]),
            recency=float(read["recency"]),
            importance=float(read["importance"]),
            total=float(read["total"]),
            computed_at=datetime.fromisoformat(read["computed_at"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
    return scores if scores.computed_at.tzinfo else None


@dataclass(frozen=True)
class UsageDelta:
    """`times` recalled since it was last written down, `scores` of the last time."""

    times: int
    scores: StoredScores

    def then(self, later: UsageDelta) -> UsageDelta:
        """Both together; the scores are those of the later moment."""
        newest = max(self.scores, later.scores, key=lambda scores: scores.computed_at)
        return UsageDelta(self.times + later.times, newest)


class MemoryUsage:
    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_writable(self) -> bool:
        """False in an incognito conversation, which leaves no trace."""
        return self._database.access == "write"

    async def note(self, user_id: str, used: Mapping[UUID, UsageDelta]) -> None:
        """Counts the recalls and keeps the last scores of memories that are still there."""
        try:
            await self._write(user_id, used)
        except asyncpg.ForeignKeyViolationError:  # one was erased between the read and the write
            await self._write(user_id, used)

    async def _write(self, user_id: str, used: Mapping[UUID, UsageDelta]) -> None:
        scores = [each.scores for each in used.values()]
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["note"],
                user_id,
                list(used),
                [each.times for each in used.values()],
                [each.computed_at for each in scores],
                [json.dumps(asdict(each), default=datetime.isoformat) for each in scores],
            )
