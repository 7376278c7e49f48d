"""Forgetting a part of a memory: the rest is kept in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.database import Connection, Database
from memory.errors import ChangedMeanwhile
from memory.models import Origin
from memory.store.memories.rests import Rest, keep_rest
from memory.store.queries import load_queries

_SQL = load_queries("forgetting/parts")


@dataclass(frozen=True)
class Part(Rest):
    """What `goes` of a memory, with the sketch of its vector, beside what stays."""

    goes: str
    sketch: bytes | None


class PartStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def separable(self, user_id: str, ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of the memories of which a part may stay."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["separable"], user_id, list(ids))
        return frozenset(row["id"] for row in rows)


async def keep_rests(
    connection: Connection, user_id: str, parts: Sequence[Part], origin: Origin
) -> None:
    """Raises ChangedMeanwhile where a memory is not what was cut."""
    for part in parts:
        if await keep_rest(connection, user_id, part, origin) is None:
            raise ChangedMeanwhile
