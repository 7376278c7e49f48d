from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jwt.algorithms import RSAAlgorithm

from app.api.auth.jwt_tokens import MAX_KEY_SET_BYTES, read_signing_keys
from tests.app.identity.issuer import KEY_ID, key_set, published, published_ec, rsa_key

ALGORITHMS = ("RS256", "ES256", "EdDSA")


def test_finds_a_key_by_name_and_algorithm() -> None:
    keys = read_signing_keys(key_set(published(), published_ec(), published("second")), ALGORITHMS)
    assert keys.named(KEY_ID, "RS256") is not None
    assert keys.named("second", "RS256") is not keys.named(KEY_ID, "RS256")
    assert keys.named("third", "RS256") is None
    assert keys.named(KEY_ID, "ES256") is None
    assert keys.named(None, "RS256") is None
    assert keys.named(None, "ES256") is keys.named("curve", "ES256") is not None


def test_two_keys_of_one_name_are_neither() -> None:
    twice = key_set(published(), {**published("second"), "kid": KEY_ID})
    assert read_signing_keys(twice, ALGORITHMS).named(KEY_ID, "RS256") is None


def test_a_private_key_that_was_published_is_read_as_a_public_one() -> None:
    private = RSAAlgorithm.to_jwk(rsa_key(), as_dict=True) | {
        "kid": KEY_ID,
        "key_ops": ["sign", "verify"],
    }
    assert "d" in private
    found = read_signing_keys(key_set(private), ALGORITHMS).named(KEY_ID, "RS256")
    assert found is not None
    assert not hasattr(found.key, "private_numbers")


def weak() -> dict[str, Any]:
    return RSAAlgorithm.to_jwk(rsa_key("weak", 1024).public_key(), as_dict=True)


def test_what_cannot_be_used_is_left_out() -> None:
    unusable: list[Any] = [
        {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"},
        published(use="enc"),
        published(key_ops=["encrypt"]),
        published(alg="HS256"),
        published(alg="RS512"),
        published(kty="oct"),
        published(n=""),
        published(n=["x"]),
        {"kty": "EC", "crv": "P-256"},
        {"kty": "EC", "crv": ["P-256"], "x": "a", "y": "b"},
        {"kty": "OKP", "crv": "P-256", "x": "AAAA"},
        published_ec() | {"x": "AAAA"},
        weak(),
        {},
        "key",
        None,
    ]
    good = published("good")
    for key in unusable:
        with pytest.raises(ValueError, match="no key"):
            read_signing_keys(json.dumps({"keys": [key]}).encode(), ALGORITHMS)
        kept = read_signing_keys(json.dumps({"keys": [key, good]}).encode(), ALGORITHMS)
        assert kept.named(None, "RS256") is not None, key


def test_what_is_no_set_is_refused() -> None:
    contents = (b"", b"[]", b"{}", b'{"keys": {}}', b"\xff")
    for content in (*contents, b"[" * 100_000, b" " * (MAX_KEY_SET_BYTES + 1)):
        with pytest.raises(ValueError, match="it "):
            read_signing_keys(content, ALGORITHMS)


VALUES = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(), max_size=3)
FIELDS = st.sampled_from(["kty", "kid", "use", "key_ops", "alg", "crv", "n", "e", "x", "y"])
KINDS = st.sampled_from(["RSA", "EC", "OKP", "oct", "P-256", "Ed25519", "AQAB", "verify"])


@given(st.dictionaries(FIELDS, VALUES | KINDS))
def test_any_key_is_used_or_left_out(key: dict[str, Any]) -> None:
    both = json.dumps({"keys": [key, published("good")]}).encode()
    assert read_signing_keys(both, ALGORITHMS).named("good", "RS256") is not None
