"""What a database says of itself to who asks whether it is well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from memory.store.database import WORKER_ROLE, load_queries
from migrations.runner import owner_connection, read_profile

SET_OPTION_SINCE = 160_000
_SQL = load_queries("diagnosis", "migrations")


@dataclass(frozen=True)
class ServerInfo:
    """`version` is PostgreSQL's server_version_num; `vector_version` is None without pgvector."""

    version: int
    version_name: str
    clock: datetime
    vector_version: str | None
    size: str
    login: str


@dataclass(frozen=True)
class RoleInfo:
    name: str
    bypasses: bool
    may_act: bool


@dataclass(frozen=True)
class DatabaseBacklog:
    """`other` counts vectors of another model than the database's."""

    waiting: int
    oldest: datetime | None
    other: int
    dead_jobs: int


async def read_server(url: str) -> tuple[ServerInfo, list[RoleInfo], list[str]]:
    """The server, its roles, and the tables that are not protected. Raises DatabaseUnavailable."""
    async with owner_connection(url) as connection:
        row = await connection.fetchrow(_SQL["server"])
        assert row is not None
        server = ServerInfo(**dict(row))
        query = "roles" if server.version >= SET_OPTION_SINCE else "roles_by_membership"
        roles = [RoleInfo(**dict(each)) for each in await connection.fetch(_SQL[query])]
        unprotected = [each["name"] for each in await connection.fetch(_SQL["unprotected"])]
        return server, roles, unprotected


async def read_backlog(url: str) -> DatabaseBacklog | None:
    """As the worker; None where there is no schema, or the login may not act as it. Raises
    DatabaseUnavailable."""
    profile = await read_profile(url)
    if profile is None:
        return None
    async with owner_connection(url) as connection:
        try:
            async with connection.transaction(readonly=True):
                await connection.execute(f"SET LOCAL ROLE {WORKER_ROLE}")
                row = await connection.fetchrow(_SQL["backlog"], profile.name)
        except (asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedTableError):
            return None
    assert row is not None
    return DatabaseBacklog(**dict(row))
