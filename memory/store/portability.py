"""All that is kept of one user, to be taken along or removed, and what an export brings in."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from uuid import UUID

from memory.store.audit import record_audit
from memory.store.database import Database, load_queries
from memory.store.forgetting import Tombstone, read_active_tombstones
from memory.store.memories import lock_user
from memory.types import Origin

ROWS_PER_BATCH = 500
_PARTS = (
    "settings",
    "memories",
    "conversations",
    "doubts",
    "forgotten",
    "episodes",
    "api_keys",
    "audit",
)
# With its messages one can be of any length.
_ROWS_AT_ONCE = {"conversations": 1}
_SQL = load_queries("portability")


class PortabilityStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read_all(
        self, user_id: str, origin: Origin
    ) -> AsyncGenerator[tuple[str, list[str]], None]:
        """Every row of the user by part, as JSON and in batches, of each part at least one; no
        vectors or digests. Only what is asked for next is held."""
        counts = dict.fromkeys(_PARTS, 0)
        async with self._database.as_user(user_id) as connection:
            for part in _PARTS:
                cursor = await connection.cursor(_SQL[part], user_id)
                more = True
                while more:
                    rows = await cursor.fetch(_ROWS_AT_ONCE.get(part, ROWS_PER_BATCH))
                    yield part, [row["row"] for row in rows]
                    more = bool(rows)
                    counts[part] += len(rows)
            await record_audit(connection, user_id, "exported", origin, None, **counts)

    async def note_import(self, user_id: str, origin: Origin, **counts: object) -> None:
        async with self._database.as_user(user_id) as connection:
            await record_audit(connection, user_id, "imported", origin, None, **counts)

    async def texts(self, user_id: str) -> AsyncIterator[list[str]]:
        """What memories and messages say, in batches."""
        nouns: tuple[Literal["item", "message"], ...] = ("item", "message")
        for noun in nouns:
            last = UUID(int=0)
            while True:
                async with self._database.as_user(user_id) as connection:
                    rows = await connection.fetch(
                        _SQL[f"{noun}_texts"], user_id, last, ROWS_PER_BATCH
                    )
                yield [row["content"] for row in rows]
                if len(rows) < ROWS_PER_BATCH:
                    break
                last = rows[-1]["id"]

    async def conversation_ids(self, user_id: str) -> list[UUID]:
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["conversation_ids"], user_id)
        return [row["id"] for row in rows]

    async def erase_user(self, user_id: str) -> dict[str, int]:
        """Removes every row of the user, the audit log included; how many, by table."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["erase_user"])
        return {row["name"]: row["count"] for row in rows}


_SIMHASHES_AT_ONCE = 2000

ImportRow: TypeAlias = Mapping[str, Any]
"""The columns of a row as JSON has them."""

SupersessionLink: TypeAlias = tuple[UUID, UUID, UUID]
"""A replaced memory, what replaced it, and the last of those that followed."""


@dataclass(frozen=True)
class ExistingMemory:
    """A memory that is there: `forgotten` where it waits for its erasure, `settled` where nothing
    is added to it if the user asks for it once more, since they had or it was replaced."""

    id: UUID
    space: str
    content: str
    forgotten: bool
    settled: bool


@dataclass(frozen=True)
class ImportContext:
    """What a batch comes into: memories by their id, the ids that tombstones have, the spaces in
    which nothing new is kept, and by space what was forgotten lately."""

    there: Mapping[UUID, ExistingMemory]
    buried: frozenset[UUID]
    closed: frozenset[str]
    forgotten: Mapping[str, Sequence[Tombstone]]


class ImportStore:
    """Brings in an export of Keepsake, a batch at a time. Each method is one transaction of the
    user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def marks(self, user_id: str, but: Collection[UUID]) -> dict[int, list[UUID]]:
        """The ids of the memories in the user's lists, except those of `but`, by their SimHash."""
        found: dict[int, list[UUID]] = {}
        async with self._database.as_user(user_id) as connection:
            rows = connection.cursor(_SQL["marks"], user_id, prefetch=_SIMHASHES_AT_ONCE)
            async for row in rows:
                if row["id"] not in but:
                    found.setdefault(row["simhash"], []).append(row["id"])
        return found

    async def there(self, user_id: str, ids: Sequence[UUID]) -> list[ExistingMemory]:
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["there"], user_id, list(ids), [])
        return [ExistingMemory(**dict(row)) for row in rows]

    async def around(
        self, user_id: str, ids: Sequence[UUID], alike: Sequence[UUID], spaces: Sequence[str]
    ) -> ImportContext:
        """What there is of the `ids`, of the memories that are `alike`, and of the `spaces`."""
        async with self._database.as_user(user_id) as connection:
            there = await connection.fetch(_SQL["there"], user_id, list(ids), list(alike))
            buried = await connection.fetch(_SQL["buried"], user_id, list(ids))
            closed = await connection.fetch(_SQL["closed_spaces"], user_id)
            forgotten = await read_active_tombstones(connection, user_id, spaces)
        return ImportContext(
            {row["id"]: ExistingMemory(**dict(row)) for row in there},
            frozenset(row["item_id"] for row in buried),
            frozenset(row["space"] for row in closed),
            forgotten,
        )

    async def add(self, user_id: str, rows: Sequence[ImportRow]) -> int:
        """Keeps all of them with their usage, or none; how many were not there already. Raises
        MemoryOff."""
        said = json.dumps(rows, default=str)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            kept = [row["id"] for row in await connection.fetch(_SQL["insert"], user_id, said)]
            await connection.execute(_SQL["insert_usage"], user_id, said, kept)
        return len(kept)

    async def link(self, user_id: str, links: Sequence[SupersessionLink]) -> None:
        """Puts what replaced a memory in the place of the last that followed, where that stands."""
        await self._link("link", user_id, links)

    async def link_rests(self, user_id: str, links: Sequence[SupersessionLink]) -> None:
        """Gives the rests of memories that have another id here than in the file that id."""
        await self._link("link_rests", user_id, links)

    async def _link(self, query: str, user_id: str, links: Sequence[SupersessionLink]) -> None:
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            columns = [list(column) for column in zip(*links, strict=True)]
            await connection.execute(_SQL[query], user_id, *columns)

    async def add_doubts(self, user_id: str, rows: Sequence[ImportRow]) -> None:
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await connection.execute(_SQL["insert_doubts"], user_id, json.dumps(rows, default=str))

    async def add_settings(self, user_id: str, rows: Sequence[ImportRow], origin: Origin) -> None:
        """Sets them for the spaces in which the user has set nothing."""
        async with self._database.as_user(user_id) as connection:
            set_now = await connection.fetch(_SQL["insert_settings"], user_id, json.dumps(rows))
            for space in [row["space"] for row in set_now]:
                await record_audit(connection, user_id, "settings changed", origin, space=space)
