"""The way into PostgreSQL: the pool, transactions that belong to a user, and queries by name."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from traceback import walk_tb
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

import asyncpg
import structlog
from pgvector.asyncpg import register_vector

from memory.errors import (
    DatabaseUnavailable,
    EmbeddingOutdated,
    Incognito,
    MemoryOff,
    RoleBypassesRowSecurity,
    SchemaOutdated,
)
from memory.types import NO_USER

PROGRAM_NAME = "keepsake"


def application_name() -> str:
    """“keepsake”, and the correlation id of the request or turn, or else the job, as every line
    of Keepsake's own log has it. PostgreSQL cuts it at 63 bytes; an id has 36."""
    known = structlog.contextvars.get_contextvars()
    if correlation_id := known.get("correlation_id"):
        return f"{PROGRAM_NAME} {correlation_id}"
    if job := known.get("job"):
        return f"{PROGRAM_NAME} {job} {known.get('job_id', '')}"
    return PROGRAM_NAME


CONNECT_TIMEOUT = 5.0
COMMAND_TIMEOUT = 20.0

CONNECTION_ERRORS: tuple[type[Exception], ...] = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.QueryCanceledError,
)
# What no retry mends: the URL, the login, its password or its rights are not right.
LOGIN_ERRORS: tuple[type[Exception], ...] = (
    ValueError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)


async def make_pool(url: str, connections: int) -> asyncpg.Pool[asyncpg.Record]:
    """At most so many connections. Raises DatabaseUnavailable and SchemaOutdated."""
    try:
        return await asyncpg.create_pool(
            url,
            init_size=1,
            min_size=0,  # a floor is restored behind our back, with a traceback for every failure
            max_size=connections,
            timeout=CONNECT_TIMEOUT,
            command_timeout=COMMAND_TIMEOUT,
            init=register_vector,
            reset=_keep_session,
            server_settings={"application_name": "keepsake"},
        )
    except LOGIN_ERRORS as error:
        if "unknown type" in str(error):
            raise SchemaOutdated(reason="the vector type is missing") from error
        raise DatabaseUnavailable(reason=login_error_reason(error)) from error
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=connection_error_reason(error)) from error


async def _keep_session(_: object) -> None:
    """What a transaction sets ends with it, and who sets more ends the connection: a round trip
    that wipes the session would be one in five of a turn."""


def login_error_reason(error: Exception) -> str:
    """Why the server, or its address, did not let this login in."""
    if isinstance(error, ValueError):
        return "its URL cannot be read"
    return str(error).splitlines()[0]


def connection_error_reason(error: BaseException) -> str:
    """The cause of a lost connection in a few words, without addresses or values."""
    if isinstance(error, asyncpg.QueryCanceledError | TimeoutError):
        return "it did not answer in time"
    if isinstance(error, socket.gaierror):
        return "its host name is not known"
    if isinstance(error, ConnectionRefusedError | FileNotFoundError):
        return "nothing listens at its address"
    if isinstance(error, asyncpg.CannotConnectNowError):
        return "it is starting up or shutting down"
    return "the connection was lost"


_QUERY_NAME = re.compile(r"^-- name: (?P<name>[a-z_]+)\s*$", re.MULTILINE)


def load_queries(
    noun: str, package: str = "memory.store", *, columns: Iterable[str] = ()
) -> dict[str, str]:
    """The statements of `{noun}.sql`, beside the module of that name, by their names, with
    `columns` where they say {columns}."""
    text = files(package).joinpath(f"{noun}.sql").read_text(encoding="utf-8")
    parts = _QUERY_NAME.split(text.replace("{columns}", ", ".join(columns)))
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def count_rows(status: str) -> int:
    """Of “UPDATE 12” or “COPY 12”, what PostgreSQL says of a statement that is done."""
    return int(status.rsplit(maxsplit=1)[-1])


if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"

Access = Literal["write", "read", "none"]

APPLICATION_ROLE = "keepsake_app"
WORKER_ROLE = "keepsake_worker"
ACQUIRE_TIMEOUT = 5.0
CLOSE_TIMEOUT = 10.0
STATEMENT_TIMEOUT_MS = 15_000

_SET_TRANSACTION = """
SELECT set_config('role', $1, true),
       set_config('app.user_id', $2, true),
       set_config('statement_timeout', $3, true),
       set_config('transaction_read_only', $4, true),
       set_config('application_name', $5, true)
"""
_SET_SESSION = "SELECT set_config('role', $1, false), set_config('statement_timeout', $2, false)"
# Raised by refuse_unwanted_memory(), see migrations/functions.sql.
_MEMORY_OFF_STATE = "KS001"
_READ_ROLE = """
SELECT rolname, rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user
"""


class Database:
    """A pool whose connections act as one role, `keepsake_app` unless another is named.

    `access` is what an incognito conversation leaves of it: the server refuses every write of a
    transaction that may only `read`, and with `none` there is no transaction at all.
    """

    def __init__(
        self,
        pool: asyncpg.Pool[asyncpg.Record],
        role: str = APPLICATION_ROLE,
        access: Access = "write",
    ) -> None:
        self._pool = pool
        self._role = role
        self._access = access

    @classmethod
    async def open(cls, url: str, *, role: str = APPLICATION_ROLE, connections: int = 10) -> Self:
        """A pool on a migrated database.

        Raises DatabaseUnavailable, SchemaOutdated where the schema or the role is
        missing, and RoleBypassesRowSecurity.
        """
        database = cls(await make_pool(url, connections), role)
        try:
            await database._check_role()
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def access(self) -> Access:
        return self._access

    def with_access(self, access: Access) -> Self:
        """The same pool with less access; closing stays with this one."""
        return type(self)(self._pool, self._role, access)

    def as_role(self, role: str) -> Self:
        """The same pool as another role of the same login; closing stays with this one."""
        return type(self)(self._pool, role, self._access)

    async def close(self) -> None:
        """Waits for what is under way, but not for a server that does not answer."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()

    @asynccontextmanager
    async def as_user(self, user_id: str) -> AsyncIterator[Connection]:
        """A transaction in which only the rows of `user_id` exist.

        A connection that died with an earlier server is replaced before anything
        is sent; one that was cancelled or is late is given up, not waited for.
        Raises DatabaseUnavailable for every loss of the connection, MemoryOff where the mode of
        the space forbids what was written, and Incognito for what `access` forbids. An OSError or
        TimeoutError of the body's own is none of that, and comes through.
        """
        if self._access == "none":
            raise Incognito
        try:
            connection, transaction = await self._enter(user_id)
        except CONNECTION_ERRORS as error:
            raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
        try:
            yield connection
        except BaseException as error:
            if _leaves_it_busy(error):
                await self._give_up(connection)
            else:
                await self._leave(connection, transaction, commit=False)
            if isinstance(error, asyncpg.InvalidCachedStatementError):
                await self._pool.expire_connections()  # each prepares its statements anew
            _raise_domain_error(error)
            raise
        await self._leave(connection, transaction, commit=True)

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[Connection]:
        """A connection that acts as this role outside of transactions, for as long as it is held,
        and is ended afterwards: for who listens on it. Raises SchemaOutdated where the login may
        not act as the role, and DatabaseUnavailable for every loss of the connection."""
        try:
            connection = await self._pool.acquire(timeout=ACQUIRE_TIMEOUT)
        except CONNECTION_ERRORS as error:
            raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
        try:
            await self._stay_in_role(connection)
            yield connection
        except CONNECTION_ERRORS as error:
            raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
        finally:
            await self._give_up(connection)

    async def _stay_in_role(self, connection: Connection) -> None:
        try:
            await connection.execute(_SET_SESSION, self._role, str(STATEMENT_TIMEOUT_MS))
        except (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidParameterValueError) as error:
            raise SchemaOutdated(reason=str(error)) from error

    async def _enter(self, user_id: str) -> tuple[Connection, asyncpg.transaction.Transaction]:
        try:
            return await self._begin(user_id)
        except asyncpg.InsufficientPrivilegeError as error:
            raise SchemaOutdated(reason=str(error)) from error
        except TimeoutError:  # the pool is busy or the server is slow: no second wait
            raise
        except CONNECTION_ERRORS:
            await self._pool.expire_connections()
            return await self._begin(user_id)

    async def _begin(self, user_id: str) -> tuple[Connection, asyncpg.transaction.Transaction]:
        connection = await self._pool.acquire(timeout=ACQUIRE_TIMEOUT)
        try:
            transaction = connection.transaction()
            await transaction.start()
            read_only = "on" if self._access == "read" else "off"
            await connection.execute(
                _SET_TRANSACTION,
                self._role,
                user_id,
                str(STATEMENT_TIMEOUT_MS),
                read_only,
                application_name(),
            )
        except BaseException:
            await self._give_up(connection)
            raise
        return connection, transaction

    async def _give_up(self, connection: Connection) -> None:
        """A rollback would wait for the very server that does not answer; without the connection
        it rolls back by itself."""
        with suppress(*CONNECTION_ERRORS):  # one that died has left the pool already
            connection.terminate()
            await self._pool.release(connection)

    async def _leave(
        self, connection: Connection, transaction: asyncpg.transaction.Transaction, *, commit: bool
    ) -> None:
        try:
            if commit:
                await transaction.commit()
            elif connection.is_in_transaction():
                await transaction.rollback()
        except CONNECTION_ERRORS as error:
            if commit:
                raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
        finally:
            # What is committed is committed: the pool ends a connection that it cannot reset.
            with suppress(*CONNECTION_ERRORS):
                await self._pool.release(connection, timeout=ACQUIRE_TIMEOUT)

    async def _check_role(self) -> None:
        try:
            async with self.as_user(NO_USER) as connection:
                role = await connection.fetchrow(_READ_ROLE)
        except asyncpg.InvalidParameterValueError as error:
            raise SchemaOutdated(reason=str(error)) from error
        if role is None or role["bypasses"]:
            raise RoleBypassesRowSecurity(role=self._role)


def _is_lost(error: BaseException) -> bool:
    """Whether the connection is. An OSError or TimeoutError says so where it comes from asyncpg,
    since what is done within a transaction may have others."""
    if isinstance(error, OSError):  # TimeoutError is one
        return _comes_from_asyncpg(error)
    return isinstance(error, CONNECTION_ERRORS)


def _leaves_it_busy(error: BaseException) -> bool:
    """Whether the server may still be at work on it, or is not there."""
    if isinstance(error, asyncio.CancelledError) or _is_lost(error):
        return True
    cause = error.__cause__  # of asyncio.timeout
    return isinstance(cause, asyncio.CancelledError) and _comes_from_asyncpg(cause)


def _comes_from_asyncpg(error: BaseException) -> bool:
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return any(frame.f_globals.get("__name__", "").startswith("asyncpg.") for frame in frames)


def _raise_domain_error(error: BaseException) -> None:
    if _is_lost(error) and not isinstance(error, ValueError):  # an argument that cannot be sent
        raise DatabaseUnavailable(reason=connection_error_reason(error)) from error
    if not isinstance(error, asyncpg.PostgresError):
        return
    if error.sqlstate == _MEMORY_OFF_STATE:
        raise MemoryOff from error
    if isinstance(error, asyncpg.DataError) and "dimensions" in str(error):  # pgvector's words
        raise EmbeddingOutdated from error
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        raise Incognito from error
    if isinstance(error, asyncpg.TransactionRollbackError | asyncpg.InvalidCachedStatementError):
        raise DatabaseUnavailable(reason="another change was in the way") from error
