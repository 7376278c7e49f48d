"""Requests with a key of their own, so that one that is sent twice is done once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, TypeAlias
from uuid import UUID, uuid4

from pydantic import Field, TypeAdapter

from memory.errors import KeyReused, StillUnderWay
from memory.store.database import Connection, Database, load_queries
from memory.types import NO_USER, FrozenModel

# How long what came of a request is known, and after which time one that never said is taken for
# crashed.
KEPT_FOR = timedelta(hours=24)
CRASHED_AFTER = timedelta(seconds=60)
PURGED_AT_ONCE = 100
_SQL = load_queries("idempotency")

# A name of the program's own, never something that a user wrote.
ResultName: TypeAlias = Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_.]{0,59}$")]
KeyedDigest: TypeAlias = Callable[[str], bytes]


class CompletedRequest(FrozenModel):
    """What came of a request: the status of its answer, and ids and numbers by name. No words:
    whoever answers again reads them anew, so that what was forgotten meanwhile stays so."""

    status: Annotated[int, Field(ge=200, le=299)]
    outcome: Annotated[str, Field(pattern=r"^[a-z_]{1,30}$")] | None = None
    ids: Mapping[ResultName, tuple[UUID, ...]] = Field(default_factory=dict)
    counts: Mapping[ResultName, int] = Field(default_factory=dict)


@dataclass(frozen=True)
class RequestClaim:
    """The right to do a request now."""

    key: bytes
    attempt: UUID


_IDS = TypeAdapter(dict[str, tuple[UUID, ...]])


class IdempotencyStore:
    """`digest` is keyed: what is stored says neither the key nor what was asked."""

    def __init__(self, database: Database, digest: KeyedDigest) -> None:
        self._database = database
        self._digest = digest

    async def begin(
        self, user_id: str, route: str, key: str, asked: str, now: datetime
    ) -> RequestClaim | CompletedRequest:
        """The right to do it, or what came of it when it was done. `asked` is the whole request.

        Raises KeyReused where the key came with something else, and StillUnderWay for one that
        has not ended. One that was not renewed within a minute may be done again.
        """
        name = self._digest(f"idempotency key\n{route}\n{key}")
        request = self._digest(f"idempotent request\n{route}\n{asked}")
        claim = RequestClaim(name, uuid4())
        async with self._database.as_user(user_id) as connection:
            expired = now - KEPT_FOR
            await connection.execute(_SQL["purge"], user_id, expired, PURGED_AT_ONCE)
            claimed = await connection.fetchval(
                _SQL["claim"],
                user_id,
                name,
                request,
                claim.attempt,
                now,
                now - CRASHED_AFTER,
                expired,
            )
            if claimed is not None:
                return claim
            return await _read_claimed(connection, user_id, name, request)

    async def finish(self, user_id: str, claim: RequestClaim, done: CompletedRequest) -> None:
        """Says what came of it."""
        ids = {name: [str(each) for each in found] for name, found in done.ids.items()}
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["finish"],
                user_id,
                claim.key,
                claim.attempt,
                done.status,
                done.outcome,
                json.dumps(ids),
                json.dumps(dict(done.counts)),
            )

    async def renew(self, user_id: str, claim: RequestClaim, now: datetime) -> None:
        """Says that it is still under way: for another minute nobody else does it."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["renew"], user_id, claim.key, claim.attempt, now)

    async def sweep(self, now: datetime) -> int:
        """Takes away what has expired, of all users; how many. For a database that acts as the
        worker."""
        async with self._database.as_user(NO_USER) as connection:
            status = await connection.execute(_SQL["sweep"], now - KEPT_FOR)
        return int(status.removeprefix("DELETE "))

    async def release(self, user_id: str, claim: RequestClaim) -> None:
        """Gives the key back where nothing was done with it: it may be sent again at once."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["release"], user_id, claim.key, claim.attempt)


async def _read_claimed(
    connection: Connection, user_id: str, name: bytes, request: bytes
) -> CompletedRequest:
    row = await connection.fetchrow(_SQL["held"], user_id, name)
    if row is not None and row["request"] != request:
        raise KeyReused
    if row is None or row["status"] is None:  # None: it was given back at this moment
        raise StillUnderWay(retry_after=1)
    return CompletedRequest(
        status=row["status"],
        outcome=row["outcome"],
        ids=_IDS.validate_json(row["ids"]),
        counts=json.loads(row["counts"]),
    )
