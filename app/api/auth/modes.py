"""The modes local and proxy, and the identifier that AUTH_MODE asks for."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import IPvAnyNetwork
from starlette.requests import HTTPConnection

from app.api.auth.api_keys import ApiKeyVerifier, KeyUsageRecorder
from app.api.auth.caller import (
    Caller,
    Identifier,
    is_loopback_name,
    parse_address,
    parse_user_name,
    peer_of,
    requested_host,
)
from app.api.auth.credentials import (
    CredentialIdentifier,
    CredentialVerifier,
    EndedSessionLookup,
    FailedAttempts,
)
from app.api.auth.jwt_tokens import (
    SYMMETRIC,
    CachedSigningKeys,
    FileKeySetFetcher,
    JwtVerifier,
    SharedSecretKey,
    SigningKeySource,
    UrlKeySetFetcher,
    read_signing_keys,
)
from app.api.auth.sessions import SameSiteIdentifier, SessionSealer
from memory.config import Settings
from memory.config.digest_key import load_digest_key
from memory.errors import InvalidSettings, NotSignedIn, NotThisMachine, ProxyNamedNobody
from memory.store.credentials import ApiKeyStore

RESOLVE_TIMEOUT = 5.0
# What a proxy or a tunnel adds: behind one on this machine everybody's requests come from here.
FORWARDING = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class LocalIdentifier:
    """One user, who is whoever sits at this machine. Believes every request from the loopback
    address that calls the server by a loopback name. A page whose name was made to point here (DNS
    rebinding) calls it by that name."""

    def __init__(self, settings: Settings) -> None:
        self._caller = Caller(settings.keepsake_user, by_cookie=True)

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises NotThisMachine."""
        peer = peer_of(connection)
        if peer is None or not peer.is_loopback:
            raise NotThisMachine(reason="this request comes from elsewhere")
        if any(name in connection.headers for name in FORWARDING):
            raise NotThisMachine(reason="this request came through a proxy")
        host = requested_host(connection)
        if host is None or not is_loopback_name(host[0]):
            raise NotThisMachine(reason="this request calls it by another name")
        return self._caller


async def check_loopback_host(host: str) -> None:
    """Raises InvalidSettings for a SERVE_HOST that others than this machine reach, or that is
    unknown."""
    if not await _is_loopback(host):
        raise InvalidSettings(
            reason=f"SERVE_HOST={host} is not this machine's loopback address alone, and with "
            "AUTH_MODE=local whoever reaches it is let in. Set SERVE_HOST to 127.0.0.1, or "
            "AUTH_MODE to token (API keys), jwt (an identity provider) or proxy (a proxy that "
            "signs people in)."
        )


async def _is_loopback(host: str) -> bool:
    address = parse_address(host)
    if address is not None:
        return address.is_loopback
    found = await _resolve(host)
    return bool(found) and all(
        address is not None and address.is_loopback for address in map(parse_address, found)
    )


async def _resolve(host: str) -> list[str]:
    try:
        async with asyncio.timeout(RESOLVE_TIMEOUT):
            found = await asyncio.get_running_loop().getaddrinfo(
                host, None, type=socket.SOCK_STREAM
            )
    except (OSError, UnicodeError, TimeoutError):
        return []
    return [str(where[0]) for *_, where in found]


class ProxyIdentifier:
    """A proxy in front signs people in, and names them in a header. Believes the header of a
    request whose TCP connection comes from one of the addresses, and of no other. What the browser
    holds for the proxy it sends by itself, so every caller counts as known by cookie."""

    def __init__(self, addresses: Sequence[IPvAnyNetwork], header: str) -> None:
        self._addresses = tuple(addresses)
        self._header = header

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises ProxyNamedNobody, also for a header that is there twice or holds several values:
        one of them came from the client. From elsewhere the answer is the same."""
        try:
            return Caller(self._user_of(connection), by_cookie=True)
        except NotSignedIn:
            raise ProxyNamedNobody from None

    def _user_of(self, connection: HTTPConnection) -> str:
        peer = peer_of(connection)
        given = connection.headers.getlist(self._header)
        if peer is None or not any(peer in network for network in self._addresses):
            raise NotSignedIn
        if len(given) != 1 or "," in given[0]:
            raise NotSignedIn
        return parse_user_name(_as_utf8(given[0]))


def _as_utf8(header: str) -> str:
    """ASGI hands headers on as Latin-1; proxies write UTF-8."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        raise NotSignedIn from None


@dataclass(frozen=True)
class Authentication:
    """`signing_in` is None in the modes that have no credentials of ours: local and proxy."""

    identifier: Identifier
    signing_in: CredentialIdentifier | None = None


async def check_auth_settings(settings: Settings) -> None:
    """Raises InvalidSettings for settings with which the mode must not start."""
    if settings.auth_mode == "local":
        await check_loopback_host(settings.serve_host)
    if settings.auth_mode == "jwt" and settings.jwt_jwks_file is not None:
        try:
            content = await asyncio.to_thread(settings.jwt_jwks_file.read_bytes)
            read_signing_keys(content, settings.jwt_algorithms)
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else error
            raise InvalidSettings(
                reason=f"JWT_JWKS_FILE={settings.jwt_jwks_file} cannot be used ({said})"
            ) from None


@asynccontextmanager
async def open_authentication(
    settings: Settings, keys: ApiKeyStore, ended: EndedSessionLookup
) -> AsyncIterator[Authentication]:
    """Who is asking, by AUTH_MODE, with settings that `check_auth_settings` took."""
    signing_in = make_signing_in(settings, keys, ended)
    try:
        yield Authentication(make_identifier(settings, signing_in), signing_in)
    finally:
        if signing_in is not None:
            await signing_in.aclose()


def make_identifier(settings: Settings, signing_in: CredentialIdentifier | None) -> Identifier:
    """`signing_in` is what `make_signing_in` made."""
    if signing_in is not None:
        return SameSiteIdentifier(signing_in)
    if settings.auth_mode == "proxy":
        return SameSiteIdentifier(
            ProxyIdentifier(settings.proxy_addresses or (), settings.proxy_user_header)
        )
    return SameSiteIdentifier(LocalIdentifier(settings))


def make_signing_in(
    settings: Settings, keys: ApiKeyStore, ended: EndedSessionLookup
) -> CredentialIdentifier | None:
    """For the modes token and jwt; None for the others."""
    verifier: CredentialVerifier
    if settings.auth_mode == "token":
        verifier = ApiKeyVerifier(keys, KeyUsageRecorder(keys))
    elif settings.auth_mode == "jwt":
        verifier = make_jwt_verifier(settings)
    else:
        return None
    sessions = SessionSealer(load_digest_key(settings), settings.auth_mode)
    return CredentialIdentifier(verifier, sessions, ended, FailedAttempts())


def make_jwt_verifier(settings: Settings) -> JwtVerifier:
    """Of settings that have been checked: an issuer, an audience and one source of keys."""
    assert settings.jwt_issuer
    assert settings.jwt_audience
    secret = settings.jwt_secret
    return JwtVerifier(
        _key_source(settings) if secret is None else SharedSecretKey(secret),
        algorithms=settings.jwt_algorithms if secret is None else (SYMMETRIC,),
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        user_claim=settings.jwt_user_claim,
    )


def _key_source(settings: Settings) -> SigningKeySource:
    if settings.jwt_jwks_file is not None:
        return CachedSigningKeys(FileKeySetFetcher(settings.jwt_jwks_file), settings.jwt_algorithms)
    assert settings.jwt_jwks_url is not None
    return CachedSigningKeys(UrlKeySetFetcher(settings.jwt_jwks_url), settings.jwt_algorithms)
