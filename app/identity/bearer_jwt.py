"""AUTH_MODE=jwt: tokens of an identity provider (RFC 7519), checked as RFC 8725 advises."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import jwt
from jwt import PyJWK
from jwt.exceptions import PyJWTError
from jwt.utils import base64url_encode
from pydantic import SecretStr

from app.identity.credentials import Verified
from app.identity.key_source import KeySource
from app.identity.names import user_named
from app.identity.sessions import Session
from memory.errors import NotSignedIn

SYMMETRIC = "HS256"
LEEWAY_SECONDS = 30
# A header of these brings the token's own key along, or says where to fetch it.
KEYS_OF_ITS_OWN = ("jku", "jwk", "x5u", "x5c")
_FARTHEST = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp())
# What a token that is not what it should be makes the library raise, and what its numbers make of
# arithmetic.
_UNUSABLE = (PyJWTError, ValueError, TypeError, OverflowError, RecursionError)


class SecretKey:
    """The one secret of HS256, as a KeySource."""

    def __init__(self, secret: SecretStr) -> None:
        octets = base64url_encode(secret.get_secret_value().encode()).decode()
        self._key = PyJWK({"kty": "oct", "k": octets}, SYMMETRIC)

    async def key(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        """Whatever the token calls it."""
        return self._key

    async def aclose(self) -> None:
        pass


class JwtVerifier:
    """Issuer, audience, expiry and subject are required. The algorithms are the configuration's: of
    the token's header only the name of the key is used, and its algorithm compared."""

    def __init__(
        self,
        keys: KeySource,
        *,
        algorithms: Collection[str],
        issuer: str,
        audience: str,
        user_claim: str = "sub",
    ) -> None:
        self._keys = keys
        self._algorithms = tuple(algorithms)
        self._issuer = issuer
        self._audience = audience
        self._user_claim = user_claim

    async def verify(self, credential: SecretStr) -> Verified:
        """Raises NotSignedIn, SigningKeysUnavailable."""
        token = credential.get_secret_value()
        key = await self._key_of(token)
        try:
            claims = self._claims(token, key)
            until = datetime.fromtimestamp(min(int(claims["exp"]), _FARTHEST), UTC)
        except _UNUSABLE:
            raise NotSignedIn from None
        return Verified(user_named(claims.get(self._user_claim)), until)

    async def holds(self, session: Session) -> bool:
        """A token cannot be taken back before its end, which is the session's too."""
        return session.key_id is None

    async def aclose(self) -> None:
        await self._keys.aclose()

    async def _key_of(self, token: str) -> PyJWK:
        try:
            header = jwt.get_unverified_header(token)
        except _UNUSABLE:
            raise NotSignedIn from None
        algorithm = header.get("alg")
        if algorithm not in self._algorithms or any(name in header for name in KEYS_OF_ITS_OWN):
            raise NotSignedIn
        key = await self._keys.key(header.get("kid"), str(algorithm))
        if key is None:
            raise NotSignedIn
        return key

    def _claims(self, token: str, key: PyJWK) -> dict[str, Any]:
        return jwt.decode(
            token,
            key,
            algorithms=list(self._algorithms),
            issuer=self._issuer,
            audience=self._audience,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "sub", "iss", "aud"]},
        )
