"""Applies the numbered SQL files, each once, in order, and then the policies and the functions
whenever they changed; each file in its own transaction.

A file's checksum is kept with it: a numbered file that changed after it was
applied is refused. Several processes may start at once: one holds an advisory
lock, the others poll for it (a blocking waiter could deadlock with CREATE INDEX
CONCURRENTLY) and then find nothing left to do.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files

import asyncpg

from memory.errors import (
    DatabaseUnavailable,
    DimensionMismatch,
    MigrationChanged,
    MigrationFailed,
    SchemaOutdated,
    SchemaTooOld,
)
from memory.store.database import (
    CONNECTION_ERRORS,
    LOGIN_ERRORS,
    connection_error_reason,
    login_error_reason,
)
from memory.types import EmbeddingModel

LOCK_KEY = 7_165_812_304
LOCK_POLL_SECONDS = 0.05
LOCK_TIMEOUT_SECONDS = 120.0
COMMAND_TIMEOUT = 600.0
# The first numbered file, which holds what 23 files made before. A database that stands at the last
# of those, whose checksum this is, is as the one file makes it.
BASELINE = 23
_LAST_BEFORE = "53cef1caa145a2583036d208f0819570e536bdbf338d05575c4dbee5be1005c5"
# Applied after the numbered files, whenever they changed, and in the ledger under these versions.
_REPEATED = {"policies": 0, "functions": -1}

_FILE = re.compile(r"^(?P<version>\d{4})_(?P<name>[a-z0-9_]+)\.sql$")
_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version     integer PRIMARY KEY,
    name        text NOT NULL,
    checksum    text NOT NULL,
    applied_at  timestamptz NOT NULL DEFAULT now()
)
"""


@dataclass(frozen=True)
class Migration:
    version: int
    name: str
    sql: str

    @property
    def is_repeated(self) -> bool:
        """Whether it is applied whenever it changed, and not once."""
        return self.version < 1

    @property
    def checksum(self) -> str:
        """SHA-256 of the file as it stands, before the dimensions are filled in."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def load_migrations() -> list[Migration]:
    """The numbered SQL files of this folder in their order, then those that are repeated."""
    folder, found = files("migrations"), []
    for entry in folder.iterdir():
        if match := _FILE.match(entry.name):
            text = entry.read_text(encoding="utf-8")
            found.append(Migration(int(match["version"]), match["name"], text))
    repeated = [
        Migration(version, name, folder.joinpath(f"{name}.sql").read_text(encoding="utf-8"))
        for name, version in _REPEATED.items()
    ]
    return [*sorted(found, key=lambda migration: migration.version), *repeated]


async def migrate(
    url: str, profile: EmbeddingModel, migrations: Sequence[Migration] | None = None
) -> list[str]:
    """Brings the database up to date with `migrations`, or with this folder's files; the names
    of what was applied.

    Raises DatabaseUnavailable, MigrationChanged, SchemaTooOld, DimensionMismatch
    where the database was made for another model, and MigrationFailed where one
    cannot be applied, which leaves those before it in place.
    """
    wanted = load_migrations() if migrations is None else migrations
    async with owner_connection(url) as connection, single_migration(connection):
        return await apply_pending(connection, profile, wanted)


async def read_profile(url: str) -> EmbeddingModel | None:
    """The model that the database was made for, or None where it has no schema yet."""
    async with owner_connection(url) as connection:
        return await _stored_profile(connection)


async def read_pending(url: str) -> list[str]:
    """The names of the migrations that are not applied. Raises MigrationChanged and
    SchemaTooOld."""
    async with owner_connection(url) as connection:
        return [migration.name for migration in await _pending(connection, load_migrations())]


@asynccontextmanager
async def owner_connection(
    url: str, *, command_timeout: float = COMMAND_TIMEOUT
) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection of the login that owns the schema. Raises DatabaseUnavailable, and
    SchemaOutdated where the login may not do what is asked of it."""
    try:
        connection = await asyncpg.connect(url, timeout=10, command_timeout=command_timeout)
    except LOGIN_ERRORS as error:
        raise DatabaseUnavailable(reason=login_error_reason(error)) from error
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
    try:
        yield connection
    except asyncpg.InsufficientPrivilegeError as error:
        raise SchemaOutdated(reason=f"this login may not read or change it: {error}") from error
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
    finally:
        await connection.close(timeout=5)


@asynccontextmanager
async def single_migration(connection: asyncpg.Connection[asyncpg.Record]) -> AsyncIterator[None]:
    """Nobody else migrates this database meanwhile."""
    try:
        async with asyncio.timeout(LOCK_TIMEOUT_SECONDS):
            while not await connection.fetchval(  # noqa: ASYNC110 - another process holds it
                "SELECT pg_try_advisory_lock($1)", LOCK_KEY
            ):
                await asyncio.sleep(LOCK_POLL_SECONDS)
    except TimeoutError as error:
        raise DatabaseUnavailable(reason="it is being migrated or restored") from error
    try:
        yield
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", LOCK_KEY)


async def apply_pending(
    connection: asyncpg.Connection[asyncpg.Record],
    profile: EmbeddingModel,
    wanted: Sequence[Migration],
) -> list[str]:
    """`migrate` over a connection that holds the lock; in a transaction, it is all in that one."""
    await connection.execute(_LEDGER)
    raise_on_mismatch(await _stored_profile(connection), profile)
    applied = []
    for migration in await _pending(connection, wanted):
        try:
            async with connection.transaction():
                await _apply(connection, migration, profile)
        except asyncpg.PostgresError as error:
            if isinstance(error, CONNECTION_ERRORS):
                raise
            reason = str(error).splitlines()[0]
            raise MigrationFailed(name=migration.name, reason=reason) from error
        applied.append(migration.name)
    return applied


async def _apply(
    connection: asyncpg.Connection[asyncpg.Record], migration: Migration, profile: EmbeddingModel
) -> None:
    await connection.execute(migration.sql.replace("{dimensions}", str(profile.dimensions)))
    await connection.execute(
        "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)"
        " ON CONFLICT (version) DO UPDATE SET checksum = excluded.checksum, applied_at = now()",
        migration.version,
        migration.name,
        migration.checksum,
    )
    await connection.execute(
        "INSERT INTO embedding_profile (model, dimensions) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        profile.name,
        profile.dimensions,
    )


async def _pending(
    connection: asyncpg.Connection[asyncpg.Record], wanted: Sequence[Migration]
) -> list[Migration]:
    if await connection.fetchval("SELECT to_regclass('schema_migrations')") is None:
        return list(wanted)
    rows = await connection.fetch("SELECT version, checksum FROM schema_migrations")
    applied = {row["version"]: row["checksum"] for row in rows}
    if applied and BASELINE not in applied:
        raise SchemaTooOld(version=max(applied))
    pending = [each for each in wanted if not _is_applied(each, applied.get(each.version))]
    for migration in pending:
        if migration.version in applied and not migration.is_repeated:
            raise MigrationChanged(name=migration.name)
    return pending


def _is_applied(migration: Migration, checksum: str | None) -> bool:
    stands_before = migration.version == BASELINE and checksum == _LAST_BEFORE
    return stands_before or checksum == migration.checksum


async def _stored_profile(
    connection: asyncpg.Connection[asyncpg.Record],
) -> EmbeddingModel | None:
    if await connection.fetchval("SELECT to_regclass('embedding_profile')") is None:
        return None
    row = await connection.fetchrow("SELECT model, dimensions FROM embedding_profile")
    return EmbeddingModel(row["model"], row["dimensions"]) if row else None


def raise_on_mismatch(stored: EmbeddingModel | None, wanted: EmbeddingModel) -> None:
    """Raises DimensionMismatch where the database was made for another model."""
    if stored is not None and stored != wanted:
        raise DimensionMismatch(
            stored_model=stored.name,
            stored=stored.dimensions,
            wanted_model=wanted.name,
            wanted=wanted.dimensions,
        )


_BUILD_SECONDS = 3600.0


async def rebuild_index(url: str, name: str) -> None:
    """Builds an index anew while everybody goes on reading and writing. As the owner of the index.
    Raises SchemaOutdated where the login is not, and DatabaseUnavailable."""
    async with owner_connection(url, command_timeout=_BUILD_SECONDS) as connection:
        await connection.execute(f'REINDEX INDEX CONCURRENTLY "{name}"')
