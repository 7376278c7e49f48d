"""Connections to PostgreSQL, and what can be wrong with them in a few words."""

from __future__ import annotations

import socket

import asyncpg
from pgvector.asyncpg import register_vector

from memory.errors import DatabaseUnavailable, SchemaOutdated

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
REFUSALS: tuple[type[Exception], ...] = (
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
            reset=_nothing_is_left,
            server_settings={"application_name": "keepsake"},
        )
    except REFUSALS as error:
        if "unknown type" in str(error):
            raise SchemaOutdated(reason="the vector type is missing") from error
        raise DatabaseUnavailable(reason=refusal(error)) from error
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=plain_reason(error)) from error


async def _nothing_is_left(_: object) -> None:
    """What a transaction sets ends with it, and who sets more ends the connection: a round trip
    that wipes the session would be one in five of a turn."""


def refusal(error: Exception) -> str:
    """Why the server, or its address, did not let this login in."""
    if isinstance(error, ValueError):
        return "its URL cannot be read"
    return str(error).splitlines()[0]


def plain_reason(error: BaseException) -> str:
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
