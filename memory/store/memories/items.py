"""Memories as rows. A method is one transaction of the user; a function is one statement within
the caller's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from pgvector import HalfVector

from memory.database import Connection, Database
from memory.embedders.protocol import Embedding
from memory.errors import ChangedMeanwhile, MemoryOff
from memory.models import DEFAULT_SPACE, KeptItem, NewItem, Origin
from memory.store.audit import record
from memory.store.memories.rests import drop_rests
from memory.store.queries import load_queries
from memory.store.upkeep.archive import archive_again, replace_in

_IMPORT = Origin("import")
KEPT_COLUMNS = ", ".join(KeptItem.model_fields)
_SQL = {
    name: sql.replace("{columns}", KEPT_COLUMNS)
    for name, sql in load_queries("memories/items").items()
}

Weigh: TypeAlias = Callable[[KeptItem], float]
"""What a memory as it is now weighs: its salience, or its importance. Pure."""

Still: TypeAlias = Callable[[KeptItem], bool]
"""Whether a memory is as it was when whoever changes it looked at it. Pure."""


@dataclass(frozen=True)
class EmbeddedItem:
    """A new memory with its vector, or without one where the embedder gave none, and with what
    its duplicates and its order are found by."""

    item: NewItem
    embedding: Embedding | None
    embedding_model: str | None
    simhash: int | None = None
    salience: float = 0.0
    metadata_confidence: float = 0.0


@dataclass(frozen=True)
class Repeat:
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


class Items:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, user_id: str, new: EmbeddedItem) -> KeptItem:
        """Keeps a memory as it is."""
        async with self._database.as_user(user_id) as connection:
            return await insert(connection, user_id, new)

    async def save_all(
        self, user_id: str, items: Sequence[EmbeddedItem], origin: Origin = _IMPORT
    ) -> list[KeptItem]:
        """Keeps all of them, as they are, or none; one entry of the audit log tells how many."""
        async with self._database.as_user(user_id) as connection:
            kept = [await insert(connection, user_id, new) for new in items]
            if kept:
                await record(connection, user_id, "seeded", origin, count=len(kept))
        return kept

    async def list_recent(
        self, user_id: str, limit: int = 50, space: str = DEFAULT_SPACE
    ) -> list[KeptItem]:
        """What is remembered of the user, the newest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["list_recent"], user_id, space, limit)
        return [KeptItem(**dict(row)) for row in rows]

    async def count(self, user_id: str, space: str = DEFAULT_SPACE) -> int:
        async with self._database.as_user(user_id) as connection:
            return await count_living(connection, user_id, space)

    async def delete(self, user_id: str, item_id: UUID) -> None:
        """Takes a memory out of every recall and drops its vector; the row stays for undo."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["delete"], user_id, item_id)

    async def supersede(self, user_id: str, item_id: UUID, by: UUID) -> None:
        """Marks a memory as replaced by another one of the same user."""
        async with self._database.as_user(user_id) as connection:
            await supersede(connection, user_id, item_id, by)


def refuse_changed(items: Sequence[KeptItem], still: Still | None) -> None:
    """Raises ChangedMeanwhile."""
    if still is not None and not all(map(still, items)):
        raise ChangedMeanwhile


async def count_living(connection: Connection, user_id: str, space: str) -> int:
    """How many memories of the space are in recall."""
    return int(await connection.fetchval(_SQL["count"], user_id, space))


async def lock_user(connection: Connection, user_id: str) -> None:
    """Waits until no other writer of the user's memories is at work, until the transaction ends."""
    await connection.execute(_SQL["lock_user"], user_id)


async def insert(connection: Connection, user_id: str, new: EmbeddedItem) -> KeptItem:
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
        None if new.embedding is None else HalfVector(new.embedding),
        new.embedding_model,
        None if item.heard is None else item.heard.model_dump_json(),
    )
    assert row is not None
    return KeptItem(**dict(row))


async def count_repeat(
    connection: Connection, user_id: str, item_id: UUID, repeat: Repeat
) -> KeptItem:
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
    return KeptItem(**dict(row))


async def supersede(
    connection: Connection, user_id: str, item_id: UUID, by: UUID
) -> KeptItem | None:
    """The memory that was replaced; None where it was already. What a roll-up tells besides is in
    recall again."""
    row = await connection.fetchrow(_SQL["supersede"], user_id, item_id, by)
    if row is None:
        return None
    await replace_in(connection, user_id, item_id, by)
    return KeptItem(**dict(row))


async def undo_supersede(connection: Connection, user_id: str, item_id: UUID) -> KeptItem | None:
    """What stayed of it goes."""
    row = await connection.fetchrow(_SQL["undo_supersede"], user_id, item_id)
    if row is None:
        return None
    await drop_rests(connection, user_id, [item_id])
    await archive_again(connection, user_id, [item_id])
    return KeptItem(**dict(row))


async def inherit(
    connection: Connection, user_id: str, newer: KeptItem, older: KeptItem, weigh: Weigh
) -> KeptItem:
    """Pins a memory that takes the place of a pinned one; `weigh` is its salience then. That the
    older one was saved by hand is not inherited: nobody asked to keep the newer one."""
    if newer.pinned or not older.pinned:
        return newer
    pinned = newer.model_copy(update={"pinned": True})
    await connection.execute(_SQL["inherit_pin"], user_id, newer.id, weigh(pinned))
    return pinned


async def read_living(
    connection: Connection, user_id: str, ids: Sequence[UUID]
) -> dict[UUID, KeptItem]:
    """Those of the memories that are in recall, by their id."""
    rows = await connection.fetch(_SQL["read_living"], user_id, list(ids))
    return {row["id"]: KeptItem(**dict(row)) for row in rows}
