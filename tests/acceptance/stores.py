"""Everything that Keepsake stores, as the owner of the servers sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
from redis.asyncio import Redis

from memory.local_services.servers import find_postgres
from memory.store.database import Database

# pg_dump else puts random words around what it writes.
_DUMP = ("--no-owner", "--restrict-key=acceptance")
_DUMP_SECONDS = 60.0


@dataclass
class Stores:
    """A database and a Redis, both whole: no row-level security applies to `owner`."""

    database_url: str
    owner: asyncpg.Connection[asyncpg.Record]
    redis: Redis

    async def tables(self) -> dict[str, list[str]]:
        """Every row of every table in an order of its own, all columns as text."""
        names = await self.owner.fetch(
            "SELECT table_name FROM information_schema.tables"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1"
        )
        assert len(names) >= 10
        return {
            name: [
                row["all_columns"]
                for row in await self.owner.fetch(
                    f'SELECT t::text AS all_columns FROM "{name}" AS t ORDER BY 1'
                )
            ]
            for (name,) in names
        }

    async def rows(self, query: str, *arguments: object) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.owner.fetch(query, *arguments)]

    async def cached(self) -> dict[bytes, bytes]:
        """Every key of Redis with its value, but for one that is gone before it is read: others use
        the same Redis."""
        found = {key: await self._value(key) async for key in self.redis.scan_iter(count=1000)}
        return {key: value for key, value in found.items() if value is not None}

    async def dump(self) -> bytes:
        """What pg_dump makes of the database: its schema, every row, and where sequences stand."""
        program = await asyncio.to_thread(find_postgres)
        process = await asyncio.create_subprocess_exec(
            program / "bin" / "pg_dump",
            *_DUMP,
            f"--dbname={self.database_url}",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(_DUMP_SECONDS):
            written, said = await process.communicate()
        assert process.returncode == 0, said.decode()
        return written

    async def places_of(self, *needles: str | bytes) -> list[str]:
        """Where any of the needles stands, case aside: tables, keys of Redis, the dump."""
        wanted = [_as_bytes(each).lower() for each in needles]
        tables = [
            f"table {name}"
            for name, rows in (await self.tables()).items()
            if _holds(wanted, (row.encode() for row in rows))
        ]
        keys = [
            f"Redis {key!r}"
            for key, value in (await self.cached()).items()
            if _holds(wanted, (key, value))
        ]
        return [*tables, *keys, *(["pg_dump"] if _holds(wanted, [await self.dump()]) else [])]

    async def _value(self, key: bytes) -> bytes | None:
        if await self.redis.type(key) == b"hash":
            return str(sorted((await self.redis.hgetall(key)).items())).encode()
        value = await self.redis.get(key)
        assert value is None or isinstance(value, bytes)
        return value


@asynccontextmanager
async def open_stores(database_url: str, redis_url: str) -> AsyncIterator[Stores]:
    owner = await asyncpg.connect(database_url)
    try:
        async with Redis.from_url(redis_url) as redis:
            yield Stores(database_url, owner, redis)
    finally:
        await owner.close()


def _holds(needles: Iterable[bytes], texts: Iterable[bytes]) -> bool:
    whole = b"\n".join(text.lower() for text in texts)
    return any(needle in whole for needle in needles)


def _as_bytes(needle: str | bytes) -> bytes:
    return needle if isinstance(needle, bytes) else needle.encode()


async def memory_rows(database: Database, user_id: str) -> list[dict[str, Any]]:
    """Every memory of the user with all of its columns and its last scores, the oldest first."""
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch(
            "SELECT item.*, usage.access_count, usage.last_scores::jsonb AS last_scores"
            " FROM memory_items AS item LEFT JOIN memory_usage AS usage"
            " ON usage.user_id = item.user_id AND usage.item_id = item.id"
            " ORDER BY item.created_at, item.id"
        )
    return [dict(row) for row in rows]
