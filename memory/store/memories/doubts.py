"""Memories of which the user has to say which of them holds, the newer, the older, or both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

import asyncpg

from memory.database import Connection, Database
from memory.errors import NotFound
from memory.models import DEFAULT_SPACE, KeptItem, Origin, Outcome
from memory.store.audit import record
from memory.store.memories.items import (
    Weigh,
    inherit,
    lock_user,
    read_living,
    supersede,
    undo_supersede,
)
from memory.store.memories.listing import MAX_LISTED, Place
from memory.store.memories.rests import Rest, keep_rest
from memory.store.queries import load_queries

_SQL = load_queries("memories/doubts")
Holds: TypeAlias = Literal["newer", "older", "both"]
Cut: TypeAlias = Callable[[str, Sequence[KeptItem]], Awaitable[Mapping[KeptItem, Rest | None]]]


@dataclass(frozen=True)
class Doubt:
    id: UUID
    older: KeptItem
    newer: KeptItem
    created_at: datetime


class Doubts:
    """`weigh` is the salience of a memory as it is then, `cut` what still holds of those that a new
    text takes the place of."""

    def __init__(self, database: Database, weigh: Weigh, cut: Cut) -> None:
        self._database = database
        self._weigh = weigh
        self._cut = cut

    async def open(
        self,
        user_id: str,
        space: str = DEFAULT_SPACE,
        *,
        after: Place | None = None,
        limit: int = MAX_LISTED,
    ) -> list[Doubt]:
        """The questions that wait for an answer, the oldest first, from `after` on."""
        since = (None, None) if after is None else (after.created_at, after.id)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["open"], user_id, space, *since, limit)
            ids = [row[name] for row in rows for name in ("older_id", "newer_id")]
            items = await read_living(connection, user_id, ids)
        return [
            Doubt(row["id"], items[row["older_id"]], items[row["newer_id"]], row["created_at"])
            for row in rows
            if row["older_id"] in items and row["newer_id"] in items
        ]

    async def answer(
        self, user_id: str, doubt_id: UUID, *, holds: Holds, origin: Origin
    ) -> Outcome:
        """Takes the one that does not hold out of recall; the other one has its pin, and what still
        holds of an older one is kept. The outcome's `item` is the one that holds, or the newer of
        both.

        Raises NotFound for a doubt that was answered already, or of which a memory is gone.
        """
        rests = await self._rests(user_id, doubt_id) if holds == "newer" else []
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(_SQL["answer"], user_id, doubt_id, holds)
            older, newer = await _read_both(connection, user_id, row)
            told = {"doubt": doubt_id, "answer": holds, "older": [older.id]}
            await record(connection, user_id, "answered", origin, newer.id, **told)
            if holds == "both":
                return Outcome("kept", newer)
            held, out = (newer, older) if holds == "newer" else (older, newer)
            for rest in rests:
                await keep_rest(connection, user_id, rest, origin)
            gone = await _replace(connection, user_id, out, held, origin)
            if holds == "older":
                await connection.execute(_SQL["never_held"], user_id, out.id)
            kept = await inherit(connection, user_id, held, out, self._weigh)
        return Outcome("replaced", kept, (gone,))

    async def _rests(self, user_id: str, doubt_id: UUID) -> Sequence[Rest]:
        """What still holds of the older memory beside the newer one."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["asked"], user_id, doubt_id)
            older, newer = await _read_both(connection, user_id, row)
        cuts = await self._cut(newer.content, [older])
        return [rest for rest in cuts.values() if rest is not None]

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


async def _read_both(
    connection: Connection, user_id: str, row: asyncpg.Record | None
) -> tuple[KeptItem, KeptItem]:
    """The older and the newer memory of a doubt. Raises NotFound where one is gone."""
    ids = [] if row is None else [row["older_id"], row["newer_id"]]
    items = await read_living(connection, user_id, ids)
    if not ids or len(items) < len(ids):
        raise NotFound
    older, newer = (items[each] for each in ids)
    return older, newer


async def _replace(
    connection: Connection, user_id: str, out: KeptItem, held: KeptItem, origin: Origin
) -> KeptItem:
    gone = await supersede(connection, user_id, out.id, held.id)
    assert gone is not None
    await record(connection, user_id, "superseded", origin, out.id, by=held.id, why="answered")
    return gone
