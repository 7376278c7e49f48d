"""AUTH_MODE=token: API keys.

A key is "ks_" and 32 bytes from the system's random source, 43 letters and digits. Stored is its
SHA-256. A slow hash (argon2, bcrypt) makes it dear to guess passwords, which are few; of these
keys there are 2^256, which no hash makes guessable, and it would have to run on every request. Nor
does it matter that the database looks the digest up in an index instead of comparing it in
constant time: who cannot choose a digest learns nothing from how long that took.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, datetime

from pydantic import SecretStr

from app.identity.credentials import Verified
from app.identity.key_use import KeyUse
from app.identity.sessions import Session
from memory.errors import NotSignedIn
from memory.store.api_keys import ApiKeys

PREFIX = "ks_"
SECRET_BYTES = 32
_KEY = re.compile(r"ks_[A-Za-z0-9_-]{43}", re.ASCII)


def make_key() -> SecretStr:
    return SecretStr(PREFIX + secrets.token_urlsafe(SECRET_BYTES))


def digest_of(key: SecretStr) -> bytes:
    return hashlib.sha256(key.get_secret_value().encode()).digest()


class KeyVerifier:
    """Asks the database each time, so that a revoked key, and every session begun with it, opens
    nothing from the next request on."""

    def __init__(self, keys: ApiKeys, use: KeyUse) -> None:
        self._keys = keys
        self._use = use

    async def verify(self, credential: SecretStr) -> Verified:
        """Raises NotSignedIn, DatabaseUnavailable."""
        if _KEY.fullmatch(credential.get_secret_value()) is None:
            raise NotSignedIn
        found = await self._keys.find(digest_of(credential))
        if found is None:
            raise NotSignedIn
        self._use.note(found, datetime.now(UTC).date())
        return Verified(found.user_id, found.expires_at, found.id)

    async def holds(self, session: Session) -> bool:
        """Raises DatabaseUnavailable."""
        return session.key_id is not None and await self._keys.lives(
            session.user_id, session.key_id
        )

    async def aclose(self) -> None:
        await self._use.aclose()
