"""The public keys that an identity provider signs with (RFC 7517), and which one is meant. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from jwt import PyJWK
from jwt.exceptions import PyJWTError
from pydantic import BaseModel, ValidationError

MAX_BYTES = 1_000_000
_MIN_RSA_BITS = 2048
# What a key of one kind may be used for; of curves each has one algorithm.
_RSA = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
_CURVES = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512", "Ed25519": "EdDSA"}
_KIND_OF_CURVES = {"P-256": "EC", "P-384": "EC", "P-521": "EC", "Ed25519": "OKP"}
_PUBLIC = {"kty", "n", "e", "crv", "x", "y"}


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
    if len(content) > MAX_BYTES:
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
