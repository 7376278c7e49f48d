"""An identity provider of the tests: it signs with keys of its own, and publishes them."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

ISSUER = "https://login.example.org/"
AUDIENCE = "keepsake"
KEY_ID = "first"


def rsa_key(name: str = KEY_ID, bits: int = 2048) -> rsa.RSAPrivateKey:
    return _made(name, bits)


@cache
def _made(_name: str, bits: int) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


@cache
def ec_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def published(key_id: str | None = KEY_ID, **more: Any) -> dict[str, Any]:
    """The public half of an RSA key, as a JWK."""
    jwk = RSAAlgorithm.to_jwk(rsa_key(key_id or KEY_ID).public_key(), as_dict=True)
    named = {} if key_id is None else {"kid": key_id}
    return {**jwk, **named, "use": "sig", **more}


def published_ec(key_id: str = "curve") -> dict[str, Any]:
    return {**ECAlgorithm.to_jwk(ec_key().public_key(), as_dict=True), "kid": key_id}


def key_set(*keys: dict[str, Any]) -> bytes:
    return json.dumps({"keys": keys or [published()]}).encode()


def public_pem() -> bytes:
    return (
        rsa_key()
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


def claims(**changed: Any) -> dict[str, Any]:
    """Of a good token; None leaves a claim out."""
    now = datetime.now(UTC)
    good = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ada",
        "iat": now,
        "exp": now + timedelta(minutes=10),
    }
    return {name: value for name, value in (good | changed).items() if value is not None}


def token(
    key: Any = None, algorithm: str = "RS256", headers: dict[str, Any] | None = None, **changed: Any
) -> str:
    named = {"kid": KEY_ID} if headers is None else headers
    return jwt.encode(claims(**changed), key or rsa_key(), algorithm, named)


def written_by_hand(header: dict[str, Any], payload: dict[str, Any], signature: bytes = b"") -> str:
    """A token that no library would make."""
    stamped = {
        name: value.timestamp() if isinstance(value, datetime) else value
        for name, value in payload.items()
    }
    parts = (json.dumps(header).encode(), json.dumps(stamped).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
