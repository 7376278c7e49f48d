"""The rows of every table: read out of a database as of one moment, and loaded into a schema that
the migrations of this program made.

Rows travel as PostgreSQL's binary COPY format, the columns in the order of their names and the rows
in that of their primary key, so that the same rows are the same bytes. Which tables and columns
there are is what the catalog of the database says, and never what a file says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any, TypeAlias
from uuid import uuid4

import asyncpg

from memory.errors import DatabaseUnavailable, RestoreRefused, SeesTooLittle, UnfitRows
from memory.store.database import count_rows, load_queries
from memory.types import EmbeddingModel
from migrations.runner import apply_pending, load_migrations, owner_connection, single_migration

# A large table takes its time.
COPY_SECONDS = 6 * 3600.0
# Of the users' own rows: a database that was only migrated holds none of them.
USER_TABLES = ("conversations", "memory_items", "audit_log", "tombstones")
# What PostgreSQL says of rows that are not the table's, or no rows at all.
_UNFIT_ERRORS = (
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
    asyncpg.ProtocolViolationError,
)
_NOT_OUR_DATABASE = (
    "this database holds tables of another program, which would be lost. Name one of Keepsake's own"
)
_TEXT_TYPES = ("text", "character varying", "name")
_SQL = load_queries("table_data", "migrations")
_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Sink: TypeAlias = Callable[[bytes], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class DataTable:
    """`columns` are names with their types, as PostgreSQL writes them; `key` the primary key's."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.columns]


@dataclass(frozen=True)
class BackupSource:
    """A database as of one moment."""

    schema_version: int
    model: EmbeddingModel
    tables: tuple[DataTable, ...]
    _connection: _Connection

    async def copy(self, table: DataTable, sink: Sink) -> int:
        """Gives the table's rows to the sink, bit by bit; how many there were."""
        return await _copy_out(self._connection, table, sink)


@asynccontextmanager
async def open_source(url: str) -> AsyncIterator[BackupSource]:
    """Raises SeesTooLittle where row-level security would hide something, and
    DatabaseUnavailable."""
    async with (
        owner_connection(url) as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        if not await connection.fetchval(_SQL["sees_everything"]):
            raise SeesTooLittle
        await connection.execute(_SQL["patience"])
        about = await connection.fetchrow(_SQL["about"])
        assert about is not None
        model = EmbeddingModel(about["model"], about["dimensions"])
        tables = tuple(await _read_tables(connection))
        yield BackupSource(about["schema_version"], model, tables, connection)


@dataclass
class RestoreTarget:
    """A database with the schema of a backup, whose tables are empty, and invisible to everybody
    else until the restore ends."""

    tables: dict[str, DataTable]
    _connection: _Connection

    async def load(self, table: DataTable, rows: AsyncIterator[bytes]) -> int:
        """Fills a table, as a role that may do nothing else where the login is a superuser; how
        many rows there were. Raises UnfitRows, and whatever `rows` raises."""
        try:
            said = await self._unless_lost(self._copy_in(table, rows))
        except _UNFIT_ERRORS as error:
            raise UnfitRows(table=table.name, reason=type(error).__name__) from error
        except asyncpg.InsufficientResourcesError as error:
            raise RestoreRefused(
                reason="the server has no room for it. Make room, and run the command again"
            ) from error
        return count_rows(said)

    async def _copy_in(self, table: DataTable, rows: AsyncIterator[bytes]) -> str:
        async with self._loading():
            said: str = await self._connection.copy_to_table(
                table.name,
                source=rows,
                columns=table.names,
                format="binary",
                schema_name="public",
                timeout=COPY_SECONDS,
            )
            return said

    async def _unless_lost(self, copying: Coroutine[Any, Any, str]) -> str:
        """asyncpg waits for ever to write to a connection that was lost. Raises
        DatabaseUnavailable."""
        lost = asyncio.get_running_loop().create_future()

        def lose(_connection: object) -> None:
            if not lost.done():
                lost.set_result(None)

        self._connection.add_termination_listener(lose)
        copy = asyncio.ensure_future(copying)
        try:
            await asyncio.wait({copy, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not copy.done():
                raise DatabaseUnavailable(reason="it went away while rows were loaded")
            return copy.result()
        finally:
            self._connection.remove_termination_listener(lose)
            copy.cancel()
            await asyncio.wait({copy})

    async def copy(self, table: DataTable, sink: Sink) -> int:
        """What the table holds now, as a source would give it."""
        return await _copy_out(self._connection, table, sink)

    @asynccontextmanager
    async def _loading(self) -> AsyncIterator[None]:
        if not await self._connection.fetchval(_SQL["is_superuser"]):
            yield
            return
        role = f"keepsake_loader_{uuid4().hex[:12]}"
        await self._connection.execute(_SQL["make_loader"].format(role=role))
        yield
        await self._connection.execute(_SQL["drop_loader"].format(role=role))


@asynccontextmanager
async def open_target(
    url: str, model: EmbeddingModel, schema_version: int, *, replace: bool
) -> AsyncIterator[RestoreTarget]:
    """Makes the tables of that version in the place of what is there, and at the end brings them to
    this program's, with the policies and triggers, which bind nobody while rows are loaded; all in
    one transaction, so that what was there is only gone when all is done.

    Raises RestoreRefused where a program uses the database or, without `replace`, where it holds
    somebody's data; and what `migrations.runner.migrate` raises.
    """
    migrations = load_migrations()
    then = [each for each in migrations if each.version <= schema_version and not each.is_repeated]
    async with (
        owner_connection(url) as connection,
        single_migration(connection),
        connection.transaction(),
    ):
        await _raise_if_used(connection, replace=replace)
        there = {row["name"] for row in await connection.fetch(_SQL["table_names"])}
        await _without_waiting(connection.execute(_SQL["empty_schema"]))
        await apply_pending(connection, model, then)
        tables = await _read_tables(connection)
        in_order = await _parents_first(connection, tables)
        yield RestoreTarget({table.name: table for table in in_order}, connection)
        await _go_on_counting(connection)
        await apply_pending(connection, model, migrations)
        made = {row["name"] for row in await connection.fetch(_SQL["table_names"])}
        if strange := sorted(there - made):
            raise RestoreRefused(reason=f"{_NOT_OUR_DATABASE} ({', '.join(strange[:3])})")


async def raise_if_used(url: str, *, replace: bool) -> None:
    """Raises RestoreRefused, as `open_target` does, before anything is begun."""
    async with owner_connection(url) as connection:
        transaction = connection.transaction()
        await transaction.start()
        try:
            await _raise_if_used(connection, replace=replace)
        finally:
            await transaction.rollback()


async def _raise_if_used(connection: _Connection, *, replace: bool) -> None:
    """An owner who may not see the rows of others sees them until the transaction ends."""
    await connection.execute(_SQL["patience"])
    if await connection.fetchval(_SQL["others"]):
        raise RestoreRefused(
            reason="a program uses this database. Stop chat, serve, mcp and worker first"
        )
    if await connection.fetchval(_SQL["is_of_another_program"]):
        raise RestoreRefused(reason=_NOT_OUR_DATABASE)
    for table in () if replace else await _read_tables(connection):
        if table.name not in USER_TABLES:
            continue
        unforce = _SQL["unforce"].format(table=_quoted(table.name))
        await _without_waiting(connection.execute(unforce))
        if await connection.fetchval(_SQL["any_row"].format(table=_quoted(table.name))):
            raise RestoreRefused(
                reason="this database holds data already, which the backup would take the place "
                "of. Name another KEEPSAKE_HOME or DATABASE_URL, or say --replace"
            )


async def _without_waiting(changing: Awaitable[object]) -> None:
    """Raises RestoreRefused where somebody holds what is to be changed."""
    try:
        await changing
    except asyncpg.LockNotAvailableError as error:
        raise RestoreRefused(
            reason="something reads this database at this moment. End it, and try again"
        ) from error


async def _go_on_counting(connection: _Connection) -> None:
    for name, column in await connection.fetch(_SQL["numbered"]):
        statement = _SQL["go_on_counting"].format(table=_quoted(name), column=_quoted(column))
        await connection.fetchval(statement, _quoted(name), column)


async def _read_tables(connection: _Connection) -> list[DataTable]:
    return [
        DataTable(
            row["name"],
            tuple(zip(row["columns"], row["types"], strict=True)),
            tuple(row["key"]),
        )
        for row in await connection.fetch(_SQL["tables"])
    ]


async def _parents_first(connection: _Connection, tables: list[DataTable]) -> list[DataTable]:
    by_name = {table.name: table for table in tables}
    order: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(by_name, ()))
    for child, parent in await connection.fetch(_SQL["references"]):
        order.add(child, parent)
    return [by_name[name] for name in order.static_order()]


async def _copy_out(connection: _Connection, table: DataTable, sink: Sink) -> int:
    columns = ", ".join(map(_quoted, table.names))
    order = ", ".join(_in_order(table, name) for name in table.key or table.names)
    said = await connection.copy_from_query(
        f"SELECT {columns} FROM ONLY {_quoted(table.name)} ORDER BY {order}",  # noqa: S608
        output=sink,
        format="binary",
        timeout=COPY_SECONDS,
    )
    return count_rows(said)


def _in_order(table: DataTable, name: str) -> str:
    """The same on every server, whatever its language."""
    collation = ' COLLATE "C"' if dict(table.columns)[name] in _TEXT_TYPES else ""
    return f"{_quoted(name)}{collation}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
