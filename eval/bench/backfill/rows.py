"""Rows that wait for their vector, on a scratch database that counts every vector it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from memory.database import Database
from memory.models import NewItem
from memory.store.memories.items import EmbeddedItem, Items

OWNER = "none"  # whichever login it is
PAUSE = 0.25
_COUNTING = """
CREATE TABLE vectors_given (item_id uuid NOT NULL);
GRANT INSERT ON vectors_given TO keepsake_worker, keepsake_app;
CREATE FUNCTION count_vector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO vectors_given VALUES (NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER vector_given AFTER UPDATE OF embedding ON memory_items
    FOR EACH ROW WHEN (NEW.embedding IS NOT NULL) EXECUTE FUNCTION count_vector();
"""
_WAITING = "SELECT count(*) FROM memory_items WHERE needs_embedding"
_GIVEN = """
SELECT count(*) AS writes, count(DISTINCT item_id) AS rows,
       (SELECT count(*) FROM memory_items WHERE embedding IS NULL OR needs_embedding) AS lost
FROM vectors_given
"""
# The job of a row comes half a minute after it, which the program that wrote it has to fill it
# itself; here nobody does, and a bad model is not waited for until it is well again.
_BEGIN = "UPDATE pgqueuer SET execute_after = now() WHERE status = 'queued'"
_JOBS = "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'memory_embed_backfill'"


@dataclass(frozen=True)
class Given:
    """How many vectors were written, into how many rows, and how many rows have none."""

    writes: int
    rows: int
    lost: int


class Rows:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = database.acting_as(OWNER)

    async def count_vectors(self) -> None:
        async with self._owner.as_user("-") as connection:
            await connection.execute(_COUNTING)

    async def queue(self, users: Sequence[str], texts: Sequence[str]) -> None:
        """Each user has as many memories that wait, stored as the product stores them where the
        embedding model gave no vector; their jobs may begin."""
        items = Items(self._database)
        share = len(texts) // len(users)
        for number, user_id in enumerate(users):
            mine = texts[number * share : (number + 1) * share]
            bare = [EmbeddedItem(NewItem(content=text), None, None) for text in mine]
            await items.save_all(user_id, bare)
        async with self._owner.as_user("-") as connection:
            await connection.execute(_BEGIN)

    async def waiting(self) -> int:
        return await self._count(_WAITING)

    async def jobs(self) -> int:
        """Of the backfill, in whatever state."""
        return await self._count(_JOBS)

    async def given(self) -> Given:
        async with self._owner.as_user("-") as connection:
            row = await connection.fetchrow(_GIVEN)
        assert row is not None
        return Given(**row)

    async def until_waiting(self, at_most: int, seconds: float) -> None:
        """Raises TimeoutError where more still wait after so many seconds."""
        async with asyncio.timeout(seconds):
            while await self.waiting() > at_most:  # noqa: ASYNC110 - others fill them
                await asyncio.sleep(PAUSE)

    async def until_done(self, seconds: float) -> None:
        """Until no row waits and no job is left."""
        await self.until_waiting(0, seconds)
        async with asyncio.timeout(seconds):
            while await self.jobs() > 0:  # noqa: ASYNC110 - others do them
                await asyncio.sleep(PAUSE)

    async def _count(self, query: str) -> int:
        async with self._owner.as_user("-") as connection:
            return int(await connection.fetchval(query))
