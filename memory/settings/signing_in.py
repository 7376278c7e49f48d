"""The settings that say who is asking, and that each mode has what it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, IPvAnyNetwork, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode

MIN_SECRET_BYTES = 32
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
# Of public keys alone: with one of these a key that everybody may know signs nothing.
JwtAlgorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]


class SignInSettings(BaseSettings):
    """See `.env.example` for each."""

    auth_mode: Literal["local", "token", "jwt", "proxy"] = "local"

    jwt_issuer: str | None = None
    jwt_audience: str | None = None
    jwt_jwks_url: str | None = None
    jwt_jwks_file: Path | None = None
    jwt_secret: SecretStr | None = None
    jwt_algorithms: Annotated[tuple[JwtAlgorithm, ...], NoDecode, Field(min_length=1)] = (
        "RS256",
        "ES256",
    )
    jwt_user_claim: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,100}$")] = "sub"

    proxy_addresses: Annotated[tuple[IPvAnyNetwork, ...] | None, NoDecode, Field(min_length=1)] = (
        None
    )
    proxy_user_header: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,100}$")] = "X-Forwarded-User"

    @field_validator("jwt_algorithms", "proxy_addresses", mode="before")
    @classmethod
    def _parted(cls, names: object) -> object:
        """Names parted by commas."""
        if not isinstance(names, str):
            return names
        return tuple(name.strip() for name in names.split(",") if name.strip())

    @field_validator("jwt_jwks_url")
    @classmethod
    def _fetched_safely(cls, url: str | None) -> str | None:
        if url is not None and not _is_safe(url):
            raise ValueError(
                "must begin with https:// (http:// is for this machine's own address; another "
                "way without https is to save the keys and name the file in JWT_JWKS_FILE)"
            )
        return url

    @field_validator("jwt_secret")
    @classmethod
    def _long_enough_to_sign(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None and len(secret.get_secret_value().encode()) < MIN_SECRET_BYTES:
            raise ValueError(f"needs at least {MIN_SECRET_BYTES} bytes: openssl rand -hex 32")
        return secret

    @field_validator("proxy_addresses")
    @classmethod
    def _not_everybody(
        cls, addresses: tuple[IPvAnyNetwork, ...] | None
    ) -> tuple[IPvAnyNetwork, ...] | None:
        if any(network.prefixlen == 0 for network in addresses or ()):
            raise ValueError("must not hold every address: whoever connects could name any user")
        return addresses

    @model_validator(mode="after")
    def _mode_has_what_it_needs(self) -> Self:
        if self.auth_mode == "proxy" and self.proxy_addresses is None:
            raise ValueError(
                "AUTH_MODE=proxy needs PROXY_ADDRESSES, the addresses that the proxy connects from"
            )
        if self.auth_mode == "jwt":
            self._refuse_half_of_jwt()
        return self

    def _refuse_half_of_jwt(self) -> None:
        needed = {"JWT_ISSUER": self.jwt_issuer, "JWT_AUDIENCE": self.jwt_audience}
        missing = [name for name, value in needed.items() if not value]
        if missing:
            raise ValueError(f"AUTH_MODE=jwt needs {' and '.join(missing)}")
        sources = (self.jwt_jwks_url, self.jwt_jwks_file, self.jwt_secret)
        if sum(source is not None for source in sources) != 1:
            raise ValueError(
                "AUTH_MODE=jwt needs one of JWT_JWKS_URL, JWT_JWKS_FILE and JWT_SECRET, and no two"
            )


def _is_safe(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if parts.username is not None or not host:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK_NAMES)
