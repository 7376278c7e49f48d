"""AUTH_MODE=token: API keys, and on which day each was last used."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import UTC, date, datetime
from time import monotonic

import structlog
from pydantic import SecretStr

from app.api.auth.caller import parse_user_name
from app.api.auth.credentials import VerifiedCredential
from app.api.auth.sessions import BrowserSession
from memory.errors import KeepsakeError, NotSignedIn
from memory.store.credentials import ActiveKey, ApiKeyStore

WRITE_PAUSE = 60.0
MAX_WAITING = 1000
CLOSE_TIMEOUT = 5.0
_log = structlog.get_logger(__name__)


class KeyUsageRecorder:
    """A key is written once a day, by its first request; a day that could not be written is tried
    again by a later request, and none within a minute of the one before it."""

    def __init__(
        self, keys: ApiKeyStore, pause: float = WRITE_PAUSE, clock: Callable[[], float] = monotonic
    ) -> None:
        self._keys = keys
        self._pause = pause
        self._clock = clock
        self._waiting: dict[ActiveKey, date] = {}
        self._not_before = clock()
        self._task: asyncio.Task[None] | None = None

    def note(self, key: ActiveKey, day: date) -> None:
        """Takes it without waiting."""
        if key.last_used_on is not None and key.last_used_on >= day:
            return
        if len(self._waiting) < MAX_WAITING:
            self._waiting[key] = day
        free = self._task is None or self._task.done()
        if free and self._clock() >= self._not_before:
            self._task = asyncio.create_task(self._write_all(), name="key use")

    async def aclose(self) -> None:
        """Writes what waits, in 5 seconds at most."""
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._write_all(), name="key use")
        if self._task is None:
            return
        try:
            await asyncio.wait({self._task}, timeout=CLOSE_TIMEOUT)
        finally:
            self._task.cancel()
        await asyncio.wait({self._task})

    async def _write_all(self) -> None:
        """Its statements have the database's own time limit."""
        self._not_before = self._clock() + self._pause
        waiting, self._waiting = self._waiting, {}
        try:
            for key, day in waiting.items():
                await self._keys.note_use(key.user_id, key.id, day)
        except KeepsakeError as error:
            _log.warning("key_use_not_written", reason=str(error))


KEY_PREFIX = "ks_"
SECRET_BYTES = 32
_KEY = re.compile(r"ks_[A-Za-z0-9_-]{43}", re.ASCII)


def make_key() -> SecretStr:
    return SecretStr(KEY_PREFIX + secrets.token_urlsafe(SECRET_BYTES))


def key_digest(key: SecretStr) -> bytes:
    return hashlib.sha256(key.get_secret_value().encode()).digest()


class ApiKeyVerifier:
    """Asks the database each time, so that a revoked key, and every session begun with it, opens
    nothing from the next request on."""

    def __init__(self, keys: ApiKeyStore, use: KeyUsageRecorder) -> None:
        self._keys = keys
        self._use = use

    async def verify(self, credential: SecretStr) -> VerifiedCredential:
        """Raises NotSignedIn, DatabaseUnavailable."""
        if _KEY.fullmatch(credential.get_secret_value()) is None:
            raise NotSignedIn
        found = await self._keys.find(key_digest(credential))
        if found is None:
            raise NotSignedIn
        user_id = parse_user_name(found.user_id)
        self._use.note(found, datetime.now(UTC).date())
        return VerifiedCredential(user_id, found.expires_at, found.id)

    async def holds(self, session: BrowserSession) -> bool:
        """Raises DatabaseUnavailable."""
        return session.key_id is not None and await self._keys.lives(
            session.user_id, session.key_id
        )

    async def aclose(self) -> None:
        await self._use.aclose()
