"""Makes what AUTH_MODE asks for, and closes it again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.identity.api_key import KeyVerifier
from app.identity.bearer_jwt import SYMMETRIC, JwtVerifier, SecretKey
from app.identity.caller import Identifier
from app.identity.credentials import CredentialIdentifier, Ended, Verifier
from app.identity.cross_site import OwnPagesIdentifier
from app.identity.failed_attempts import Attempts
from app.identity.key_source import CachedKeys, FileFetcher, KeySource, UrlFetcher
from app.identity.key_use import KeyUse
from app.identity.local import LocalIdentifier, refuse_open_host
from app.identity.proxy import ProxyIdentifier
from app.identity.sessions import Sessions
from app.identity.signing_keys import read_signing_keys
from memory.errors import InvalidSettings
from memory.settings import Settings
from memory.settings.digest_key import digest_key
from memory.store.api_keys import ApiKeys


@dataclass(frozen=True)
class Identity:
    """`signing_in` is None in the modes that have no credentials of ours: local and proxy."""

    identifier: Identifier
    signing_in: CredentialIdentifier | None = None


async def refuse_unsafe(settings: Settings) -> None:
    """Raises InvalidSettings for settings with which the mode must not start."""
    if settings.auth_mode == "local":
        await refuse_open_host(settings.serve_host)
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
async def open_identity(settings: Settings, keys: ApiKeys, ended: Ended) -> AsyncIterator[Identity]:
    """Who is asking, by AUTH_MODE, with settings that `refuse_unsafe` took."""
    signing_in = make_signing_in(settings, keys, ended)
    try:
        yield Identity(make_identifier(settings, signing_in), signing_in)
    finally:
        if signing_in is not None:
            await signing_in.aclose()


def make_identifier(settings: Settings, signing_in: CredentialIdentifier | None) -> Identifier:
    """`signing_in` is what `make_signing_in` made."""
    if signing_in is not None:
        return OwnPagesIdentifier(signing_in)
    if settings.auth_mode == "proxy":
        return OwnPagesIdentifier(
            ProxyIdentifier(settings.proxy_addresses or (), settings.proxy_user_header)
        )
    return OwnPagesIdentifier(LocalIdentifier(settings))


def make_signing_in(settings: Settings, keys: ApiKeys, ended: Ended) -> CredentialIdentifier | None:
    """For the modes token and jwt; None for the others."""
    verifier: Verifier
    if settings.auth_mode == "token":
        verifier = KeyVerifier(keys, KeyUse(keys))
    elif settings.auth_mode == "jwt":
        verifier = make_jwt_verifier(settings)
    else:
        return None
    sessions = Sessions(digest_key(settings), settings.auth_mode)
    return CredentialIdentifier(verifier, sessions, ended, Attempts())


def make_jwt_verifier(settings: Settings) -> JwtVerifier:
    """Of settings that have been checked: an issuer, an audience and one source of keys."""
    assert settings.jwt_issuer
    assert settings.jwt_audience
    secret = settings.jwt_secret
    return JwtVerifier(
        _key_source(settings) if secret is None else SecretKey(secret),
        algorithms=settings.jwt_algorithms if secret is None else (SYMMETRIC,),
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        user_claim=settings.jwt_user_claim,
    )


def _key_source(settings: Settings) -> KeySource:
    if settings.jwt_jwks_file is not None:
        return CachedKeys(FileFetcher(settings.jwt_jwks_file), settings.jwt_algorithms)
    assert settings.jwt_jwks_url is not None
    return CachedKeys(UrlFetcher(settings.jwt_jwks_url), settings.jwt_algorithms)
