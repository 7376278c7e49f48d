"""The connection pool, and the one way into it: a transaction that belongs to a user.

Identity is set inside the transaction (`set_config(…, true)`), so a pooled
connection never carries it into the next one, and so are the application's role,
the statement timeout, and the name that the server shows and logs for what runs: with
the correlation id of the request or turn where there is one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

import asyncpg

from memory.database.application_name import application_name
from memory.database.pool import CONNECTION_ERRORS, make_pool, plain_reason
from memory.errors import (
    DatabaseUnavailable,
    EmbeddingOutdated,
    Incognito,
    MemoryOff,
    RoleBypassesRowSecurity,
    SchemaOutdated,
)

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"

Access = Literal["write", "read", "none"]

APPLICATION_ROLE = "keepsake_app"
WORKER_ROLE = "keepsake_worker"
ACQUIRE_TIMEOUT = 5.0
CLOSE_TIMEOUT = 10.0
STATEMENT_TIMEOUT_MS = 15_000

_ENTER = """
SELECT set_config('role', $1, true),
       set_config('app.user_id', $2, true),
       set_config('statement_timeout', $3, true),
       set_config('transaction_read_only', $4, true),
       set_config('application_name', $5, true)
"""
_HOLD = "SELECT set_config('role', $1, false), set_config('statement_timeout', $2, false)"
# Raised by refuse_unwanted_memory(), see migrations/0004_write_path.sql.
_MEMORY_OFF = "KS001"
_ROLE = """
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

    def restricted(self, access: Access) -> Self:
        """The same pool with less access; closing stays with this one."""
        return type(self)(self._pool, self._role, access)

    def acting_as(self, role: str) -> Self:
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
        the space forbids what was written, and Incognito for what `access` forbids.
        """
        if self._access == "none":
            raise Incognito
        try:
            connection, transaction = await self._enter(user_id)
        except CONNECTION_ERRORS as error:
            raise DatabaseUnavailable(reason=plain_reason(error)) from error
        try:
            yield connection
        except CONNECTION_ERRORS as error:
            await self._give_up(connection)
            if isinstance(error, ValueError):  # an argument that asyncpg cannot send
                raise
            raise DatabaseUnavailable(reason=plain_reason(error)) from error
        except asyncio.CancelledError:
            await self._give_up(connection)
            raise
        except BaseException as error:
            await self._leave(connection, transaction, commit=False)
            if isinstance(error, asyncpg.InvalidCachedStatementError):
                await self._pool.expire_connections()  # each prepares its statements anew
            if isinstance(error, asyncpg.PostgresError):
                _raise_refused(error)
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
            raise DatabaseUnavailable(reason=plain_reason(error)) from error
        try:
            await self._stay_in_role(connection)
            yield connection
        except CONNECTION_ERRORS as error:
            raise DatabaseUnavailable(reason=plain_reason(error)) from error
        finally:
            await self._give_up(connection)

    async def _stay_in_role(self, connection: Connection) -> None:
        try:
            await connection.execute(_HOLD, self._role, str(STATEMENT_TIMEOUT_MS))
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
                _ENTER,
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
                raise DatabaseUnavailable(reason=plain_reason(error)) from error
        finally:
            # What is committed is committed: the pool ends a connection that it cannot reset.
            with suppress(*CONNECTION_ERRORS):
                await self._pool.release(connection, timeout=ACQUIRE_TIMEOUT)

    async def _check_role(self) -> None:
        try:
            async with self.as_user("-") as connection:
                role = await connection.fetchrow(_ROLE)
        except asyncpg.InvalidParameterValueError as error:
            raise SchemaOutdated(reason=str(error)) from error
        if role is None or role["bypasses"]:
            raise RoleBypassesRowSecurity(role=self._role)


def _raise_refused(error: asyncpg.PostgresError) -> None:
    if error.sqlstate == _MEMORY_OFF:
        raise MemoryOff from error
    if isinstance(error, asyncpg.DataError) and "dimensions" in str(error):  # pgvector's words
        raise EmbeddingOutdated from error
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
        raise Incognito from error
    if isinstance(error, asyncpg.TransactionRollbackError | asyncpg.InvalidCachedStatementError):
        raise DatabaseUnavailable(reason="another change was in the way") from error
