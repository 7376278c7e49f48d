"""All that is kept of one user: to be taken along, or to be removed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Literal
from uuid import UUID

from memory.database import Database
from memory.models import Origin
from memory.store.audit import record
from memory.store.queries import load_queries

BATCH = 500
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
_AT_ONCE = {"conversations": 1}
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
                    rows = await cursor.fetch(_AT_ONCE.get(part, BATCH))
                    yield part, [row["row"] for row in rows]
                    more = bool(rows)
                    counts[part] += len(rows)
            await record(connection, user_id, "exported", origin, None, **counts)

    async def note_import(self, user_id: str, origin: Origin, **counts: object) -> None:
        async with self._database.as_user(user_id) as connection:
            await record(connection, user_id, "imported", origin, None, **counts)

    async def texts(self, user_id: str) -> AsyncIterator[list[str]]:
        """What memories and messages say, in batches."""
        nouns: tuple[Literal["item", "message"], ...] = ("item", "message")
        for noun in nouns:
            last = UUID(int=0)
            while True:
                async with self._database.as_user(user_id) as connection:
                    rows = await connection.fetch(_SQL[f"{noun}_texts"], user_id, last, BATCH)
                yield [row["content"] for row in rows]
                if len(rows) < BATCH:
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
