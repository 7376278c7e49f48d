"""Databases that live for one run: a fresh one for an evaluation, a copy for a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg

from migrations.runner import owner_connection

# Begins otherwise than the name of a program that uses a database: “keepsake …”.
_OWNER_NAME = "scratch "
_ABANDONED = """
SELECT datname FROM pg_database
WHERE datname ~ ('^' || $1 || '_[0-9a-f]{12}$')
  AND $2 || datname NOT IN (SELECT application_name FROM pg_stat_activity
                            WHERE application_name IS NOT NULL)
ORDER BY datname
"""


def with_database(url: str, name: str) -> str:
    """The same server and login, another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


@asynccontextmanager
async def scratch_database(
    admin_url: str,
    *,
    template: str = "template1",
    strategy: Literal["WAL_LOG", "FILE_COPY"] = "WAL_LOG",
    prefix: str = "keepsake_scratch",
) -> AsyncIterator[str]:
    """A new database beside that of `admin_url`, dropped at the end, whoever is connected.
    FILE_COPY takes a quarter less work, and a checkpoint of the whole server."""
    name = f"{prefix}_{uuid4().hex[:12]}"
    # Whoever looks whether it was abandoned finds its name among the connections, until it is not.
    known = {"application_name": f"{_OWNER_NAME}{name}"}
    admin = await asyncpg.connect(admin_url, timeout=10, command_timeout=60, server_settings=known)
    try:
        await admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY "{strategy}"')
        try:
            yield with_database(admin_url, name)
        finally:
            await admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    finally:
        await admin.close(timeout=5)


async def abandoned_databases(url: str, prefix: str) -> list[str]:
    """The scratch databases of this prefix on the server whose program was killed. Raises
    DatabaseUnavailable."""
    async with owner_connection(url) as connection:
        return [row["datname"] for row in await connection.fetch(_ABANDONED, prefix, _OWNER_NAME)]


async def drop_abandoned(url: str, prefix: str) -> None:
    """Drops those that this login may drop and nobody is connected to. Raises
    DatabaseUnavailable."""
    async with owner_connection(url) as connection:
        for row in await connection.fetch(_ABANDONED, prefix, _OWNER_NAME):
            with suppress(asyncpg.InsufficientPrivilegeError, asyncpg.ObjectInUseError):
                await connection.execute(f'DROP DATABASE IF EXISTS "{row["datname"]}"')
