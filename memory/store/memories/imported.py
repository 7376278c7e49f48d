"""What an export of Keepsake brings in, a batch at a time."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from memory.database import Database
from memory.models import Origin
from memory.store.audit import record
from memory.store.forgetting.tombstones import Tombstone, read_standing
from memory.store.memories.items import lock_user
from memory.store.queries import load_queries

_MARKS_AT_ONCE = 2000
_SQL = load_queries("memories/imported")

Row: TypeAlias = Mapping[str, Any]
"""The columns of a row as JSON has them."""

Link: TypeAlias = tuple[UUID, UUID, UUID]
"""A replaced memory, what replaced it, and the last of those that followed."""


@dataclass(frozen=True)
class There:
    """A memory that is there: `forgotten` where it waits for its erasure, `settled` where nothing
    is added to it if the user asks for it once more, since they had or it was replaced."""

    id: UUID
    space: str
    content: str
    forgotten: bool
    settled: bool


@dataclass(frozen=True)
class Around:
    """What a batch comes into: memories by their id, the ids that tombstones have, the spaces in
    which nothing new is kept, and by space what was forgotten lately."""

    there: Mapping[UUID, There]
    buried: frozenset[UUID]
    closed: frozenset[str]
    forgotten: Mapping[str, Sequence[Tombstone]]


class ImportedMemories:
    """Each method is one transaction of the user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def marks(self, user_id: str, but: Collection[UUID]) -> dict[int, list[UUID]]:
        """The ids of the memories in the user's lists, except those of `but`, by their SimHash."""
        found: dict[int, list[UUID]] = {}
        async with self._database.as_user(user_id) as connection:
            rows = connection.cursor(_SQL["marks"], user_id, prefetch=_MARKS_AT_ONCE)
            async for row in rows:
                if row["id"] not in but:
                    found.setdefault(row["simhash"], []).append(row["id"])
        return found

    async def there(self, user_id: str, ids: Sequence[UUID]) -> list[There]:
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["there"], user_id, list(ids), [])
        return [There(**dict(row)) for row in rows]

    async def around(
        self, user_id: str, ids: Sequence[UUID], alike: Sequence[UUID], spaces: Sequence[str]
    ) -> Around:
        """What there is of the `ids`, of the memories that are `alike`, and of the `spaces`."""
        async with self._database.as_user(user_id) as connection:
            there = await connection.fetch(_SQL["there"], user_id, list(ids), list(alike))
            buried = await connection.fetch(_SQL["buried"], user_id, list(ids))
            closed = await connection.fetch(_SQL["closed_spaces"], user_id)
            forgotten = await read_standing(connection, user_id, spaces)
        return Around(
            {row["id"]: There(**dict(row)) for row in there},
            frozenset(row["item_id"] for row in buried),
            frozenset(row["space"] for row in closed),
            forgotten,
        )

    async def add(self, user_id: str, rows: Sequence[Row]) -> int:
        """Keeps all of them with their usage, or none; how many were not there already. Raises
        MemoryOff."""
        said = json.dumps(rows, default=str)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            kept = [row["id"] for row in await connection.fetch(_SQL["insert"], user_id, said)]
            await connection.execute(_SQL["insert_usage"], user_id, said, kept)
        return len(kept)

    async def link(self, user_id: str, links: Sequence[Link]) -> None:
        """Puts what replaced a memory in the place of the last that followed, where that stands."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            columns = [list(column) for column in zip(*links, strict=True)]
            await connection.execute(_SQL["link"], user_id, *columns)

    async def add_doubts(self, user_id: str, rows: Sequence[Row]) -> None:
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await connection.execute(_SQL["insert_doubts"], user_id, json.dumps(rows, default=str))

    async def add_settings(self, user_id: str, rows: Sequence[Row], origin: Origin) -> None:
        """Sets them for the spaces in which the user has set nothing."""
        async with self._database.as_user(user_id) as connection:
            set_now = await connection.fetch(_SQL["insert_settings"], user_id, json.dumps(rows))
            for space in [row["space"] for row in set_now]:
                await record(connection, user_id, "settings changed", origin, space=space)
