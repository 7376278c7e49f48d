"""AUTH_MODE=jwt: tokens of an identity provider (RFC 7519), checked as RFC 8725 advises, and the
public keys that they are signed with (RFC 7517)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import httpx2
import jwt
import structlog
from jwt import PyJWK
from jwt.exceptions import PyJWTError
from jwt.utils import base64url_encode
from pydantic import BaseModel, SecretStr, ValidationError

from app.api.auth.caller import parse_user_name
from app.api.auth.credentials import VerifiedCredential
from app.api.auth.sessions import BrowserSession
from memory.errors import NotSignedIn, SigningKeysUnavailable

MAX_KEY_SET_BYTES = 1_000_000
_MIN_RSA_BITS = 2048
# What a key of one kind may be used for; of curves each has one algorithm.
_RSA = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
_CURVES = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512", "Ed25519": "EdDSA"}
_KIND_OF_CURVES = {"P-256": "EC", "P-384": "EC", "P-521": "EC", "Ed25519": "OKP"}
_PUBLIC = {"kty", "n", "e", "crv", "x", "y"}
_log = structlog.get_logger(__name__)


class _Jwk(BaseModel):
    """What is looked at of a JSON Web Key: never its private part."""

    kty: str
    kid: str | None = None
    use: str = "sig"
    key_ops: tuple[str, ...] = ("verify",)
    alg: str | None = None
    crv: str | None = None
    n: str | None = None
    e: str | None = None
    x: str | None = None
    y: str | None = None

    def fitting(self) -> set[str]:
        """The algorithms that the key can be meant for."""
        found = set(_RSA) if self.kty == "RSA" else set()
        if self.kty == _KIND_OF_CURVES.get(self.crv or ""):
            found = {_CURVES[self.crv or ""]}
        return found if self.alg is None else found & {self.alg}


@dataclass(frozen=True)
class SigningKey:
    """A key for one algorithm; `key_id` None where it was given without one."""

    key_id: str | None
    algorithm: str
    key: PyJWK


class SigningKeys:
    """Each key is bound to the algorithms that the configuration allows and that it is made for, so
    that a token cannot choose another."""

    def __init__(self, keys: Collection[SigningKey]) -> None:
        self._keys = tuple(keys)

    def named(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        """The one key of that name for that algorithm; without a name the only one there is for
        it."""
        found = [
            each.key
            for each in self._keys
            if each.algorithm == algorithm and (key_id is None or each.key_id == key_id)
        ]
        return found[0] if len(found) == 1 else None


def read_signing_keys(content: bytes, algorithms: Collection[str]) -> SigningKeys:
    """The usable keys of a JWK set. Left out is what cannot be read, is symmetric, is meant for
    encryption, is too weak, or fits none of the algorithms. Raises ValueError for what is no JWK
    set, or holds nothing usable."""
    if len(content) > MAX_KEY_SET_BYTES:
        raise ValueError("it is too long")
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    listed = given.get("keys") if isinstance(given, dict) else None
    if not isinstance(listed, list):
        raise ValueError("it is no JWK set")  # noqa: TRY004 - what was read, not a wrong call
    keys = [key for each in listed for key in _usable(each, algorithms)]
    if not keys:
        raise ValueError("it holds no key for the algorithms of JWT_ALGORITHMS")
    return SigningKeys(keys)


def _usable(given: object, algorithms: Collection[str]) -> Iterator[SigningKey]:
    try:
        jwk = _Jwk.model_validate(given)
    except ValidationError:
        return
    if jwk.use != "sig" or "verify" not in jwk.key_ops:
        return
    for algorithm in sorted(jwk.fitting() & set(algorithms)):
        try:
            key = PyJWK(jwk.model_dump(include=_PUBLIC, exclude_none=True), algorithm)
        except (PyJWTError, ValueError, TypeError):
            return
        if algorithm not in _RSA or key.key.key_size >= _MIN_RSA_BITS:
            yield SigningKey(jwk.kid, algorithm, key)


FETCH_TIMEOUT = 5.0
# A key that the provider took back is believed this long.
FRESH_SECONDS = 600.0
# And this long where the provider cannot be asked.
USABLE_SECONDS = 24 * 3600.0
# A token may name any key, and each unknown one is a reason to ask: never more often than this.
PAUSE_SECONDS = 10.0


class KeySetFetcher(Protocol):
    async def fetch(self) -> bytes:
        """A JWK set. Raises OSError, ValueError, and what an HTTP client does."""
        ...

    async def aclose(self) -> None: ...


class SigningKeySource(Protocol):
    async def key(self, key_id: str | None, algorithm: str) -> PyJWK | None: ...

    async def aclose(self) -> None: ...


class CachedSigningKeys:
    """Keys that are fetched anew, by a task of its own, when they are no longer fresh or a token
    names one that is not among them."""

    def __init__(
        self,
        fetcher: KeySetFetcher,
        algorithms: Collection[str],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._fetcher = fetcher
        self._algorithms = tuple(algorithms)
        self._clock = clock
        self._keys: SigningKeys | None = None
        self._fetched_at = 0.0
        self._tried_at: float | None = None
        self._failure = "not asked yet"
        self._task: asyncio.Task[None] | None = None

    async def key(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        """None for a key that the provider does not have. Raises SigningKeysUnavailable where it
        cannot be asked, and was not for a day."""
        found = self._named(key_id, algorithm)
        if found is None or self._age() > FRESH_SECONDS:
            self._refresh()
        if found is None and self._task is not None:
            await asyncio.wait({self._task})
            found = self._named(key_id, algorithm)
        if self._keys is None or self._age() > USABLE_SECONDS:
            raise SigningKeysUnavailable(reason=self._failure)
        return found

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        await self._fetcher.aclose()

    def _named(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        if self._keys is None or self._age() > USABLE_SECONDS:
            return None
        return self._keys.named(key_id, algorithm)

    def _age(self) -> float:
        return self._clock() - self._fetched_at

    def _refresh(self) -> None:
        """Begins one, unless one is under way or was a moment ago."""
        if self._task is not None and not self._task.done():
            return
        now = self._clock()
        if self._tried_at is None or now >= self._tried_at + PAUSE_SECONDS:
            self._tried_at = now
            self._task = asyncio.create_task(self._fetch_keys(), name="signing keys")

    async def _fetch_keys(self) -> None:
        try:
            async with asyncio.timeout(FETCH_TIMEOUT):
                content = await self._fetcher.fetch()
            self._keys = await asyncio.to_thread(read_signing_keys, content, self._algorithms)
            self._fetched_at = self._clock()
        except TimeoutError:
            self._fail("no answer in time")
        except (OSError, httpx2.HTTPError) as error:
            self._fail(type(error).__name__)
        except ValueError as error:
            self._fail(str(error))

    def _fail(self, reason: str) -> None:
        self._failure = reason
        _log.warning("signing_keys_not_fetched", reason=reason)


class UrlKeySetFetcher:
    """From this URL alone: no redirect is followed, and no more is read than keys can be."""

    def __init__(self, url: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._client = httpx2.AsyncClient(
            timeout=FETCH_TIMEOUT, follow_redirects=False, transport=transport
        )

    async def fetch(self) -> bytes:
        content = b""
        async with self._client.stream("GET", self._url) as answer:
            if answer.status_code != httpx2.codes.OK:
                raise ValueError(f"the answer was {answer.status_code}")
            async for part in answer.aiter_bytes():
                content += part
                if len(content) > MAX_KEY_SET_BYTES:
                    raise ValueError("it is too long")
        return content

    async def aclose(self) -> None:
        await self._client.aclose()


class FileKeySetFetcher:
    def __init__(self, path: Path) -> None:
        self._path = path

    async def fetch(self) -> bytes:
        return await asyncio.to_thread(self._path.read_bytes)

    async def aclose(self) -> None:
        pass


SYMMETRIC = "HS256"
LEEWAY_SECONDS = 30
# A header of these brings the token's own key along, or says where to fetch it.
KEY_HEADERS = ("jku", "jwk", "x5u", "x5c")
_FARTHEST = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp())
# What a token that is not what it should be makes the library raise, and what its numbers make of
# arithmetic.
_UNUSABLE = (PyJWTError, ValueError, TypeError, OverflowError, RecursionError)


class SharedSecretKey:
    """The one secret of HS256, as a SigningKeySource."""

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
        keys: SigningKeySource,
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

    async def verify(self, credential: SecretStr) -> VerifiedCredential:
        """Raises NotSignedIn, SigningKeysUnavailable."""
        token = credential.get_secret_value()
        key = await self._key_of(token)
        try:
            claims = self._claims(token, key)
            until = datetime.fromtimestamp(min(int(claims["exp"]), _FARTHEST), UTC)
        except _UNUSABLE:
            raise NotSignedIn from None
        return VerifiedCredential(parse_user_name(claims.get(self._user_claim)), until)

    async def holds(self, session: BrowserSession) -> bool:
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
        if algorithm not in self._algorithms or any(name in header for name in KEY_HEADERS):
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
