"""The columns that hold vectors, what hangs on them, and the swap of one for those of another
model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

import asyncpg

from memory.errors import DatabaseUnavailable, ReembeddingElsewhere
from memory.store.database import WORKER_ROLE, load_queries
from memory.types import EmbeddingModel, EmbeddingProfile
from migrations.runner import owner_connection

# A row has to fit on a page of 8 kB, with some room for what stands beside its vectors.
ROW_BYTES = 7_900
BESIDE_BYTES = 600
OWN_TRIGGER = "drop_next_vector"

_SQL = load_queries("vector_swap", "migrations")


@dataclass(frozen=True)
class VectorTable:
    name: str
    dimensions: int
    within_row: bool
    has_model: bool
    has_next: bool


@dataclass(frozen=True)
class ColumnDependents:
    """What would go with a column: `triggers` by name with their definitions; `rights`, each with
    the role that has it."""

    triggers: Mapping[str, str]
    rights: Sequence[tuple[str, str]]


async def read_vector_tables(connection: asyncpg.Connection[asyncpg.Record]) -> list[VectorTable]:
    return [VectorTable(**dict(row)) for row in await connection.fetch(_SQL["vector_tables"])]


async def read_dependents(
    connection: asyncpg.Connection[asyncpg.Record], table: VectorTable
) -> ColumnDependents:
    triggers = await connection.fetch(_SQL["triggers"], table.name)
    rights = await connection.fetch(_SQL["rights"], table.name)
    return ColumnDependents(
        {row["name"]: row["definition"] for row in triggers if row["name"] != OWN_TRIGGER},
        [(row["right"], row["role"]) for row in rights],
    )


def choose_storage(table: VectorTable, *dimensions: int) -> str:
    """How vectors of these lengths, which share a row, are stored: within it where the old ones
    were and the new ones fit, which is three times as fast to search (decision 0001), else out of
    line. A halfvec takes 2 bytes a dimension and 8 more."""
    fits = sum(2 * each + 8 for each in dimensions) + BESIDE_BYTES <= ROW_BYTES
    return "PLAIN" if table.within_row and fits else "EXTERNAL"


REEMBEDDING_KEY = 7_165_812_305
LOCK_TIMEOUT_MS = 400
LOCK_ATTEMPTS = 60
LOCK_PAUSE_SECONDS = 0.5
# Whose new vectors are made before the swap. A table of another kind has its vectors made after it,
# by whoever fills those that are missing.
FILLED_TABLES = ("memory_items", "messages")

OwnerConnection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
_LOCKED_ERRORS = (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError)
# By a login without the worker's rights, or on an earlier schema.
_NOT_VISIBLE_ERRORS = (
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InvalidParameterValueError,
    asyncpg.UndefinedTableError,
    asyncpg.UndefinedColumnError,
)


class VectorSchema:
    """The schema while all vectors are made anew for another model: a column for them beside the
    old one, and the one short transaction in which it takes the old one's place. A database in
    which nothing was embedded yet takes another model in such a transaction alone. It does what the
    owner of the schema does; the vectors themselves are made elsewhere."""

    def __init__(self, connection: OwnerConnection) -> None:
        self._connection = connection

    async def profile(self) -> EmbeddingProfile:
        row = await self._connection.fetchrow(_SQL["read_profile"])
        assert row is not None
        following = row["next_model"]
        return EmbeddingProfile(
            EmbeddingModel(row["model"], row["dimensions"]),
            EmbeddingModel(following, row["next_dimensions"]) if following else None,
        )

    async def is_bound(self) -> bool:
        """Whether a memory or a message was embedded, or another model is announced. True too where
        this login may not look."""
        try:
            async with self._connection.transaction(readonly=True):
                await self._connection.execute(f"SET LOCAL ROLE {WORKER_ROLE}")
                return bool(await self._connection.fetchval(_SQL["is_bound"]))
        except _NOT_VISIBLE_ERRORS:
            return True

    async def choose(self, model: EmbeddingModel) -> None:
        """Has a database in which nothing was embedded yet hold vectors of `model`. It stays as it
        is where something was, and while a program runs on it, which goes by the model that it
        found. Raises DatabaseUnavailable where the tables are never free."""
        if (await self.profile()).current != model:
            await self._when_free(lambda: self._choose(model))

    async def begin(self, following: EmbeddingModel) -> None:
        """Makes room for the vectors of `following`, and announces it. What an earlier run made for
        the same model is kept; what was made for another one is dropped. Raises
        DatabaseUnavailable where the tables are never free."""
        announced = (await self.profile()).following
        if announced is not None and announced != following:
            await self.abandon()
        await self._when_free(lambda: self._add_columns(following))
        for table in await read_vector_tables(self._connection):
            if table.name in FILLED_TABLES:
                await self._run("drop_index", table)
                await self._run("make_index", table)

    async def abandon(self) -> None:
        """Drops what was made for a model that is not wanted any more."""
        await self._when_free(self._drop_columns)

    async def swap(self, following: EmbeddingModel) -> None:
        """Puts the new vectors in the place of the old ones, in all tables at once. A row that has
        none yet waits for one from then on, and is found by its words meanwhile. Raises
        DatabaseUnavailable where the tables are never free."""
        await self._when_free(lambda: self._swap(following))

    async def _when_free(self, change: Callable[[], Awaitable[None]]) -> None:
        for _ in range(LOCK_ATTEMPTS):
            try:
                async with self._connection.transaction():
                    await self._connection.execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}")
                    await change()
            except _LOCKED_ERRORS:
                await asyncio.sleep(LOCK_PAUSE_SECONDS)
            else:
                return
        raise DatabaseUnavailable(reason="its tables were in use all the time")

    async def _choose(self, model: EmbeddingModel) -> None:
        if await self._connection.fetchval(_SQL["is_in_use"]):
            return
        embedded = [await self._was_embedded(table) for table in await self._locked()]
        if not any(embedded) and (await self.profile()).following is None:
            await self._add_columns(model)
            await self._swap(model)

    async def _was_embedded(self, table: VectorTable) -> bool:
        """Row-level security binds the owner too, but for this question."""
        await self._run("see_all", table)
        found = await self._connection.fetchval(_SQL["was_embedded"].format(table=table.name))
        await self._run("see_own", table)
        return bool(found)

    async def _locked(self) -> list[VectorTable]:
        """The tables, which are nobody else's until the transaction ends."""
        names = ", ".join(table.name for table in await read_vector_tables(self._connection))
        await self._connection.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
        return await read_vector_tables(self._connection)

    async def _add_columns(self, following: EmbeddingModel) -> None:
        for table in await read_vector_tables(self._connection):
            if not table.has_next:
                await self._add_column(table, following.dimensions)
        await self._connection.execute(_SQL["announce"], following.name, following.dimensions)

    async def _add_column(self, table: VectorTable, dimensions: int) -> None:
        storage = choose_storage(table, table.dimensions, dimensions)
        await self._run("add_vectors", table, dimensions=dimensions, storage=storage)
        if table.has_model:
            await self._run("add_models", table)
        if table.name in FILLED_TABLES:
            await self._run("have_filled", table)

    async def _drop_columns(self) -> None:
        for table in await read_vector_tables(self._connection):
            if table.has_next:
                await self._run("drop_vectors", table)
        await self._connection.execute(_SQL["withdraw"])

    async def _swap(self, following: EmbeddingModel) -> None:
        for table in await self._locked():
            await self._swap_columns(table, choose_storage(table, following.dimensions))
        await self._connection.execute(_SQL["succeed"], following.name, following.dimensions)

    async def _swap_columns(self, table: VectorTable, storage: str) -> None:
        """Rights and triggers of the old column go on with the new one."""
        beside = await read_dependents(self._connection, table)
        await self._run("mark", table)
        for trigger in beside.triggers:
            await self._connection.execute(f"DROP TRIGGER IF EXISTS {trigger} ON {table.name}")
        await self._run("swap_vectors", table, storage=storage)
        if table.has_model:
            await self._run("swap_models", table)
        for right, role in beside.rights:
            await self._connection.execute(f"GRANT {right} ON {table.name} TO {role}")
        for definition in beside.triggers.values():
            await self._connection.execute(definition)

    async def _run(self, name: str, table: VectorTable, **fields: object) -> None:
        await self._connection.execute(_SQL[name].format(table=table.name, **fields))


@asynccontextmanager
async def open_vector_schema(url: str) -> AsyncIterator[VectorSchema]:
    """For one program at a time. Raises ReembeddingElsewhere, DatabaseUnavailable, and
    SchemaOutdated where the login is not the owner."""
    async with owner_connection(url) as connection:
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", REEMBEDDING_KEY):
            raise ReembeddingElsewhere
        yield VectorSchema(connection)  # the lock goes with the connection
