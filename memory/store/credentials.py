"""API keys, and the sessions of browsers that were ended before their time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from memory.errors import NoSuchKey
from memory.store.audit import record_audit
from memory.store.database import Database, load_queries
from memory.types import NO_USER, FrozenModel, Origin, PrintableName

MAX_NAME_CHARS = 100
KeyName = Annotated[str, PrintableName, Field(min_length=1, max_length=MAX_NAME_CHARS)]

_USER_ORIGIN = Origin()
_SQL = load_queries("credentials")


class ApiKey(FrozenModel):
    """What is known of a key, which is not the key itself. `last_used_on` is a day in UTC."""

    id: UUID
    name: KeyName
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_on: date | None

    def is_living(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


@dataclass(frozen=True)
class ActiveKey:
    """Whose a key is that is neither revoked nor expired."""

    user_id: str
    id: UUID
    expires_at: datetime | None
    last_used_on: date | None


class ApiKeyStore:
    """`digest` is always the SHA-256 of a key, 32 bytes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        user_id: str,
        digest: bytes,
        name: str,
        expires_at: datetime | None,
        origin: Origin = _USER_ORIGIN,
    ) -> ApiKey:
        """`expires_at` None: it lives until it is revoked."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["add"], user_id, digest, name, expires_at)
            assert row is not None
            await record_audit(connection, user_id, "key added", origin, key_id=row["id"])
        return ApiKey(**dict(row))

    async def read_all(self, user_id: str) -> list[ApiKey]:
        """The user's, revoked and expired ones too, the newest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_all"], user_id)
        return [ApiKey(**dict(row)) for row in rows]

    async def revoke(self, user_id: str, key_id: UUID, origin: Origin = _USER_ORIGIN) -> ApiKey:
        """From now on it opens nothing; one that was revoked before stays as it is. Raises
        NoSuchKey, for another user's key too."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["read"], user_id, key_id)
            if row is None:
                raise NoSuchKey
            if row["revoked_at"] is None:
                row = await connection.fetchrow(_SQL["revoke"], user_id, key_id)
                assert row is not None
                await record_audit(connection, user_id, "key revoked", origin, key_id=key_id)
        return ApiKey(**dict(row))

    async def find(self, digest: bytes) -> ActiveKey | None:
        """The living key with this digest, by the clock of the database."""
        async with self._database.as_user(NO_USER) as connection:
            row = await connection.fetchrow(_SQL["find"], digest)
        if row is None:
            return None
        return ActiveKey(row["holder"], row["id"], row["expires_at"], row["last_used_on"])

    async def lives(self, user_id: str, key_id: UUID) -> bool:
        """Whether the user has this key and it is neither revoked nor expired."""
        async with self._database.as_user(user_id) as connection:
            return bool(await connection.fetchval(_SQL["lives"], user_id, key_id))

    async def note_use(self, user_id: str, key_id: UUID, day: date) -> None:
        """That it was used on that day; an earlier day changes nothing."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["note_use"], user_id, key_id, day)


class EndedSessionStore:
    """Which sessions of browsers were signed out before their time. In the database, so that every
    process knows of it, whatever becomes of Redis."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def end(self, session_id: UUID, ends_at: datetime) -> None:
        """From now on it is good for nothing; `ends_at` is when it would have ended by itself.
        Raises DatabaseUnavailable."""
        async with self._database.as_user(NO_USER) as connection:
            await connection.execute(_SQL["sweep"])
            await connection.execute(_SQL["end"], session_id, ends_at)

    async def has_ended(self, session_id: UUID) -> bool:
        """Raises DatabaseUnavailable."""
        async with self._database.as_user(NO_USER) as connection:
            return bool(await connection.fetchval(_SQL["has_ended"], session_id))
