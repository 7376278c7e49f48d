"""What a database holds, as its backup has to hold it; and what a restore needs of a server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

import asyncpg

from memory.errors import SeesTooLittle
from memory.store.queries import load_queries
from migrations.runner import owner_connection

# A digest of a large table takes its time.
DIGEST_SECONDS = 3600.0
# Of the users' own rows: a database that was only migrated holds none of them.
USERS = ("public.conversations", "public.memory_items", "public.audit_log", "public.tombstones")
# How the server's complaint begins where a table is another one after a restore.
DIFFERENT = "restored, it is different in "
_SQL = load_queries("contents", "migrations")
_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


@dataclass(frozen=True)
class Content:
    rows: int
    digest: str


@dataclass(frozen=True)
class Contents:
    """All of it as of one moment; `snapshot` lets pg_dump see the same moment, as long as this is
    open."""

    snapshot: str
    server: str
    schema_version: int
    owner: str
    roles: tuple[str, ...]
    tables: Mapping[str, Content]


@asynccontextmanager
async def frozen_contents(url: str) -> AsyncIterator[Contents]:
    """Raises SeesTooLittle where row-level security would hide something, and
    DatabaseUnavailable."""
    async with (
        owner_connection(url) as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        await _read_all(connection)
        about = await connection.fetchrow(_SQL["about"])
        assert about is not None
        yield Contents(
            snapshot=await connection.fetchval("SELECT pg_export_snapshot()"),
            **dict(about),
            roles=tuple(row["name"] for row in await connection.fetch(_SQL["roles"])),
            tables=await _tables(connection),
        )


async def read_tables(url: str) -> Mapping[str, Content]:
    """Of each table the number of rows, and a digest of them."""
    async with owner_connection(url) as connection, connection.transaction(readonly=True):
        await _read_all(connection)
        return await _tables(connection)


def refuse_different(tables: Mapping[str, Content]) -> str:
    """SQL that fails with DIFFERENT and their names where tables are not these. It stands at the
    end of the transaction that restores them, so that a restore is whole or none."""
    said = json.dumps([{"name": name, **vars(each)} for name, each in tables.items()])
    return _SQL["refuse_different"].format(
        readable=_SQL["readable"],
        tables="'" + said.replace("'", "''") + "'",
        contents=_SQL["contents"].format(table="%s"),
        words=DIFFERENT,
    )


async def holds_rows(url: str) -> bool:
    """Whether somebody's data is there already."""
    tables = await read_tables(url)
    return any(tables[name].rows for name in USERS if name in tables)


async def is_used(url: str) -> bool:
    """Whether a program is connected to the database at this moment."""
    async with owner_connection(url) as connection:
        return bool(await connection.fetchval(_SQL["others"]))


async def make_roles(url: str, names: Sequence[str]) -> None:
    """Makes those that the server does not have, none of which can log in. Raises SeesTooLittle
    where the login is no superuser, which only one can restore as."""
    async with owner_connection(url) as connection:
        if not await connection.fetchval(_SQL["is_superuser"]):
            raise SeesTooLittle
        known = {row["name"] for row in await connection.fetch(_SQL["known_roles"], list(names))}
        for name in names:
            if name not in known:
                await connection.execute(f'CREATE ROLE "{name}" NOLOGIN NOSUPERUSER NOCREATEROLE')


async def new_owner(url: str, old: str) -> str | None:
    """The owner of the database, where the one of the backup is another and none that anybody logs
    in as here; else None."""
    async with owner_connection(url) as connection:
        owner: str | None = await connection.fetchval(_SQL["new_owner"], old)
        return owner


async def _read_all(connection: _Connection) -> None:
    if not await connection.fetchval(_SQL["sees_everything"]):
        raise SeesTooLittle
    await connection.execute(_SQL["readable"])


async def _tables(connection: _Connection) -> dict[str, Content]:
    found = {}
    for (name,) in await connection.fetch(_SQL["tables"]):
        query = _SQL["contents"].format(table=name)
        row = await connection.fetchrow(query, timeout=DIGEST_SECONDS)
        assert row is not None
        found[name] = Content(**dict(row))
    return found
