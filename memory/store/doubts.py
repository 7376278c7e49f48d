"""Memories of which the user has to say whether the newer replaces the older."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.database import Connection, Database
from memory.errors import NotFound
from memory.models import DEFAULT_SPACE, KeptItem, Origin, Outcome
from memory.store.audit import record
from memory.store.items import Weigh, inherit, lock_user, read_living, supersede, undo_supersede
from memory.store.queries import load_queries

_SQL = load_queries("doubts")


@dataclass(frozen=True)
class Doubt:
    id: UUID
    older: KeptItem
    newer: KeptItem
    created_at: datetime


class Doubts:
    """`weigh` is the salience of a memory as it is then."""

    def __init__(self, database: Database, weigh: Weigh) -> None:
        self._database = database
        self._weigh = weigh

    async def open(self, user_id: str, space: str = DEFAULT_SPACE) -> list[Doubt]:
        """The questions that wait for an answer, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["open"], user_id, space)
            ids = [row[name] for row in rows for name in ("older_id", "newer_id")]
            items = await read_living(connection, user_id, ids)
        return [
            Doubt(row["id"], items[row["older_id"]], items[row["newer_id"]], row["created_at"])
            for row in rows
            if row["older_id"] in items and row["newer_id"] in items
        ]

    async def answer(
        self, user_id: str, doubt_id: UUID, *, replaced: bool, origin: Origin
    ) -> Outcome:
        """`replaced` takes the older memory out of recall, and the newer one has its pin;
        otherwise both hold.

        Raises NotFound for a doubt that was answered already, or of which a memory is gone.
        """
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            word = "replaced" if replaced else "both"
            row = await connection.fetchrow(_SQL["answer"], user_id, doubt_id, word)
            ids = [] if row is None else [row["older_id"], row["newer_id"]]
            items = await read_living(connection, user_id, ids)
            if row is None or len(items) < len(ids):
                raise NotFound
            older, newer = (items[each] for each in ids)
            await record(
                connection,
                user_id,
                "answered",
                origin,
                newer.id,
                doubt=doubt_id,
                answer=word,
                older=[older.id],
            )
            if not replaced:
                return Outcome("kept", newer)
            gone = await _replace(connection, user_id, older, newer, origin)
            kept = await inherit(connection, user_id, newer, older, self._weigh)
        return Outcome("replaced", kept, (gone,))

    async def undo_supersede(self, user_id: str, item_id: UUID, *, origin: Origin) -> KeptItem:
        """Brings a replaced memory back into recall; the one that replaced it stays.

        Raises NotFound for one that is not there or was not replaced.
        """
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            item = await undo_supersede(connection, user_id, item_id)
            if item is None:
                raise NotFound
            await record(connection, user_id, "unsuperseded", origin, item.id)
        return item


async def open_doubt(connection: Connection, user_id: str, older: UUID, newer: UUID) -> UUID:
    """The id of the question whether the newer memory replaces the older one."""
    doubt_id: UUID = await connection.fetchval(_SQL["insert"], user_id, older, newer)
    return doubt_id


async def _replace(
    connection: Connection, user_id: str, older: KeptItem, newer: KeptItem, origin: Origin
) -> KeptItem:
    gone = await supersede(connection, user_id, older.id, newer.id)
    assert gone is not None
    await record(connection, user_id, "superseded", origin, older.id, by=newer.id, why="answered")
    return gone
