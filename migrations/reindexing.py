"""Building an index anew while everybody goes on reading and writing."""

from __future__ import annotations

import asyncpg

from memory.database import CONNECTION_ERRORS, REFUSALS, plain_reason, refusal
from memory.errors import DatabaseUnavailable, SchemaOutdated

_CONNECT_SECONDS = 10
_BUILD_SECONDS = 3600.0


async def rebuild_index(url: str, name: str) -> None:
    """As the owner of the index. Raises SchemaOutdated where the login is not, and
    DatabaseUnavailable."""
    try:
        connection = await asyncpg.connect(
            url, timeout=_CONNECT_SECONDS, command_timeout=_BUILD_SECONDS
        )
    except REFUSALS as error:
        raise DatabaseUnavailable(reason=refusal(error)) from error
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=plain_reason(error)) from error
    try:
        await connection.execute(f'REINDEX INDEX CONCURRENTLY "{name}"')
    except asyncpg.InsufficientPrivilegeError as error:
        raise SchemaOutdated(reason=f"this login may not change its indexes: {error}") from error
    except CONNECTION_ERRORS as error:
        raise DatabaseUnavailable(reason=plain_reason(error)) from error
    finally:
        await connection.close(timeout=5)
