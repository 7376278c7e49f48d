"""Memories of which the user has to say which of them holds, the newer, the older, or both."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

import asyncpg

from memory.errors import NotFound
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, load_queries
from memory.store.memories import (
    MAX_LISTED,
    PageCursor,
    ScoreMemory,
    inherit_pin,
    lock_user,
    read_active,
    supersede,
    undo_supersede,
)
from memory.store.remainders import (
    FindRemainders,
    FoundRemainders,
    keep_remainder,
    require_remainders,
    try_with_remainders,
)
from memory.types import DEFAULT_SPACE, Origin, SaveOutcome, StoredMemory

_SQL = load_queries("conflicts")
ConflictAnswer: TypeAlias = Literal["newer", "older", "both"]


@dataclass(frozen=True)
class PendingConflict:
    id: UUID
    older: StoredMemory
    newer: StoredMemory
    created_at: datetime


class ConflictStore:
    """`weigh` is the salience of a memory as it is then; `remainders` what still holds of those
    that a new text takes the place of."""

    def __init__(self, database: Database, weigh: ScoreMemory, remainders: FindRemainders) -> None:
        self._database = database
        self._weigh = weigh
        self._remainders = remainders

    async def open(
        self,
        user_id: str,
        space: str = DEFAULT_SPACE,
        *,
        after: PageCursor | None = None,
        limit: int = MAX_LISTED,
    ) -> list[PendingConflict]:
        """The questions that wait for an answer, the oldest first, from `after` on."""
        since = (None, None) if after is None else (after.created_at, after.id)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["open"], user_id, space, *since, limit)
            ids = [row[name] for row in rows for name in ("older_id", "newer_id")]
            items = await read_active(connection, user_id, ids)
        return [
            PendingConflict(
                row["id"], items[row["older_id"]], items[row["newer_id"]], row["created_at"]
            )
            for row in rows
            if row["older_id"] in items and row["newer_id"] in items
        ]

    async def answer(
        self, user_id: str, doubt_id: UUID, *, holds: ConflictAnswer, origin: Origin
    ) -> SaveOutcome:
        """Takes the one that does not hold out of recall; the other one has its pin, and what still
        holds of an older one is kept. The outcome's `item` is the one that holds, or the newer of
        both.

        Raises NotFound for a conflict that was answered already, or of which a memory is gone, and
        ChangedMeanwhile.
        """

        async def attempt(found: FoundRemainders, _with_vectors: bool) -> SaveOutcome:
            return await self._answer(user_id, doubt_id, holds, origin, found)

        return await try_with_remainders(attempt, self._remainders)

    async def _answer(
        self,
        user_id: str,
        doubt_id: UUID,
        holds: ConflictAnswer,
        origin: Origin,
        remainders: FoundRemainders,
    ) -> SaveOutcome:
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(_SQL["answer"], user_id, doubt_id, holds)
            older, newer = await _read_both(connection, user_id, row)
            detail = {"doubt": doubt_id, "answer": holds, "older": [older.id]}
            await record_audit(connection, user_id, "answered", origin, newer.id, **detail)
            if holds == "both":
                return SaveOutcome("kept", newer)
            held, out = (newer, older) if holds == "newer" else (older, newer)
            if holds == "newer":
                [rest] = require_remainders(remainders, newer.content, [older])
                if rest is not None:
                    await keep_remainder(connection, user_id, rest, origin)
            gone = await _replace(connection, user_id, out, held, origin)
            if holds == "older":
                await connection.execute(_SQL["never_held"], user_id, out.id)
            kept = await inherit_pin(connection, user_id, held, out, self._weigh)
        return SaveOutcome("replaced", kept, (gone,))

    async def undo_supersede(self, user_id: str, item_id: UUID, *, origin: Origin) -> StoredMemory:
        """Brings a replaced memory back into recall; the one that replaced it stays.

        Raises NotFound for one that is not there or was not replaced.
        """
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            item = await undo_supersede(connection, user_id, item_id)
            if item is None:
                raise NotFound
            await record_audit(connection, user_id, "unsuperseded", origin, item.id)
        return item


async def open_conflict(connection: Connection, user_id: str, older: UUID, newer: UUID) -> UUID:
    """The id of the question whether the newer memory replaces the older one."""
    doubt_id: UUID = await connection.fetchval(_SQL["insert"], user_id, older, newer)
    return doubt_id


async def _read_both(
    connection: Connection, user_id: str, row: asyncpg.Record | None
) -> tuple[StoredMemory, StoredMemory]:
    """The older and the newer memory of a conflict. Raises NotFound where one is gone."""
    ids = [] if row is None else [row["older_id"], row["newer_id"]]
    items = await read_active(connection, user_id, ids)
    if not ids or len(items) < len(ids):
        raise NotFound
    older, newer = (items[each] for each in ids)
    return older, newer


async def _replace(
    connection: Connection, user_id: str, out: StoredMemory, held: StoredMemory, origin: Origin
) -> StoredMemory:
    gone = await supersede(connection, user_id, out.id, held.id)
    assert gone is not None
    await record_audit(
        connection, user_id, "superseded", origin, out.id, by=held.id, why="answered"
    )
    return gone
