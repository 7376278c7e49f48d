from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jwt import PyJWK
from pydantic import SecretStr

from app.api.auth.credentials import VerifiedCredential
from app.api.auth.jwt_tokens import (
    SYMMETRIC,
    JwtVerifier,
    SharedSecretKey,
    SigningKeys,
    read_signing_keys,
)
from app.api.auth.sessions import BrowserSession
from memory.errors import NotSignedIn
from tests.app.identity.issuer import (
    AUDIENCE,
    ISSUER,
    KEY_ID,
    claims,
    ec_key,
    key_set,
    public_pem,
    published,
    published_ec,
    rsa_key,
    token,
    written_by_hand,
)
from tests.tables import is_refused_later

ALGORITHMS = ("RS256", "ES256")
SECRET = "a secret of thirty-two bytes or more"


class KnownKeys:
    """A KeySource that has its keys from the start."""

    def __init__(self, keys: SigningKeys) -> None:
        self._keys = keys

    async def key(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        return self._keys.named(key_id, algorithm)

    async def aclose(self) -> None:
        pass


def verifier(content: bytes | None = None, user_claim: str = "sub") -> JwtVerifier:
    keys = read_signing_keys(content or key_set(published(), published_ec()), ALGORITHMS)
    return JwtVerifier(
        KnownKeys(keys),
        algorithms=ALGORITHMS,
        issuer=ISSUER,
        audience=AUDIENCE,
        user_claim=user_claim,
    )


def by_secret() -> JwtVerifier:
    return JwtVerifier(
        SharedSecretKey(SecretStr(SECRET)),
        algorithms=(SYMMETRIC,),
        issuer=ISSUER,
        audience=AUDIENCE,
    )


async def verify(text: str, by: JwtVerifier | None = None) -> VerifiedCredential:
    return await (by or verifier()).verify(SecretStr(text))


async def refuse(text: str, by: JwtVerifier | None = None) -> None:
    with pytest.raises(NotSignedIn):
        await verify(text, by)


async def is_refused(text: str) -> bool:
    return await is_refused_later(NotSignedIn, verify(text))


async def test_a_token_of_the_issuer_says_who_asks_and_until_when() -> None:
    ends = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=5)
    assert await verify(token(exp=ends)) == VerifiedCredential("ada", ends)


async def test_of_another_algorithm_that_is_configured() -> None:
    assert (await verify(token(ec_key(), "ES256", {"kid": "curve"}))).user_id == "ada"


async def test_of_an_audience_among_several() -> None:
    assert (await verify(token(aud=["other", AUDIENCE]))).user_id == "ada"


async def test_by_another_claim() -> None:
    by_mail = verifier(user_claim="email")
    assert (await verify(token(email="ada@example.org"), by_mail)).user_id == "ada@example.org"
    await refuse(token(), by_mail)
    await refuse(token(email="ada@example.org", sub=None), by_mail)


async def test_by_a_secret() -> None:
    assert (await verify(token(SECRET, "HS256", {}), by_secret())).user_id == "ada"
    await refuse(token(SECRET + "x", "HS256", {}), by_secret())
    await refuse(token(SECRET + "x" * 40, "HS512", {}), by_secret())
    await refuse(token(), by_secret())


MINUTE = timedelta(minutes=1)


async def test_a_token_that_is_not_what_it_should_be() -> None:
    now = datetime.now(UTC)
    changes: list[dict[str, Any]] = [
        {"exp": now - MINUTE},
        {"exp": None},
        {"exp": "tomorrow"},
        {"nbf": now + timedelta(hours=1)},
        {"iat": now + timedelta(hours=1)},
        {"iss": "https://evil.example/"},
        {"iss": "https://login.example.org"},
        {"iss": None},
        {"aud": "another service"},
        {"aud": []},
        {"aud": None},
        {"sub": None},
        {"sub": "-"},
        {"sub": ""},
        {"sub": " ada"},
        {"sub": "ada\n"},
        {"sub": "ada\u202e"},
        {"sub": "a" * 256},
    ]
    assert [changed for changed in changes if not await is_refused(token(**changed))] == []


async def test_clocks_may_differ_by_half_a_minute() -> None:
    now = datetime.now(UTC)
    await verify(token(exp=now - timedelta(seconds=15)))
    await verify(token(nbf=now + timedelta(seconds=15), iat=now + timedelta(seconds=15)))
    await refuse(token(exp=now - timedelta(seconds=45)))


async def test_an_end_that_no_calendar_has() -> None:
    for number in (1e300, 2**70):
        assert (await verify(token(exp=number))).user_id == "ada", number


async def test_an_infinite_end() -> None:
    await refuse(token(exp=float("inf")))


async def test_a_token_without_a_signature() -> None:
    names = ("none", "None", "NONE", "nOnE", "", None)
    headers: list[dict[str, Any]] = [{"kid": KEY_ID}]
    headers += [{"alg": name} for name in names]
    headers += [{"alg": name, "kid": KEY_ID} for name in names]
    unsigned = [header for header in headers if not await is_refused(forged(header))]
    assert unsigned == []
    await refuse(token().rpartition(".")[0] + ".")


def forged(header: dict[str, Any], signature: bytes = b"") -> str:
    return written_by_hand(header, claims(), signature)


async def test_a_token_signed_with_the_public_key_as_a_secret() -> None:
    """What HS256 makes of a public key, which everybody knows."""
    for secret in (public_pem(), published()["n"].encode(), b""):
        for algorithm in ("HS256", "RS256"):
            header = {"alg": algorithm, "kid": KEY_ID}
            content = claims()
            unsigned = written_by_hand(header, content).rpartition(".")[0]
            signature = hmac.digest(secret, unsigned.encode(), hashlib.sha256)
            signed = written_by_hand(header, content, signature)
            assert await is_refused(signed), (secret, algorithm)


async def test_a_token_of_another_key() -> None:
    await refuse(token(rsa_key("eve's")))
    await refuse(token(rsa_key("eve's"), headers={"kid": "eve's"}))


async def test_of_an_algorithm_that_is_not_configured() -> None:
    """Though the key could sign with it."""
    for algorithm in ("RS384", "RS512", "PS256"):
        await refuse(token(algorithm=algorithm))


async def test_a_key_is_used_for_its_own_algorithm_alone() -> None:
    await refuse(token(headers={"kid": "curve"}))
    await refuse(token(ec_key(), "ES256", {"kid": KEY_ID}))


async def test_a_token_cannot_bring_or_name_its_own_key() -> None:
    eve = rsa_key("eve's")
    for name, value in (
        ("jku", "https://evil.example/keys"),
        ("x5u", "https://evil.example/chain"),
        ("jwk", published("eve's")),
        ("x5c", ["MIIB"]),
    ):
        await refuse(token(eve, headers={"kid": KEY_ID, name: value}))
        await refuse(token(headers={"kid": KEY_ID, name: value}))


async def test_the_name_of_a_key_is_only_compared() -> None:
    names = ("", "../../dev/null", "first' OR 1=1", "https://evil.example/", "x" * 4000)
    taken = [name for name in names if not await is_refused(token(headers={"kid": name}))]
    assert taken == []


async def test_the_name_of_a_key_is_a_text() -> None:
    names: tuple[object, ...] = (1, None, [], {"first": 1}, True)
    headers = [{"alg": "RS256", "kid": name} for name in names]
    assert [each for each in headers if not await is_refused(forged(each, b"x" * 256))] == []


async def test_without_a_name_the_only_key_is_meant() -> None:
    assert (await verify(token(headers={}), verifier(key_set(published())))).user_id == "ada"
    await refuse(token(headers={}), verifier(key_set(published(), published("second"))))


async def test_what_must_be_understood_is_not_passed_over() -> None:
    await refuse(token(headers={"kid": KEY_ID, "crit": ["of our own"], "of our own": 1}))


async def test_a_token_that_was_changed() -> None:
    header, payload, signature = token().split(".")
    _, others, _ = token(rsa_key("eve's"), sub="eve").split(".")
    await refuse(f"{header}.{others}.{signature}")
    await refuse(f"{header}.{payload}.{signature[:-8]}AAAAAAAA")


@given(st.text(max_size=200))
async def test_any_text_is_refused_quietly(text: str) -> None:
    await refuse(text)


@given(
    st.dictionaries(
        st.sampled_from(["alg", "kid", "b64", "crit", "typ"]),
        st.none() | st.text() | st.integers() | st.lists(st.text()),
    )
)
async def test_any_header_is_refused_quietly(header: dict[str, Any]) -> None:
    await refuse(written_by_hand(header, claims(), b"x" * 256))


async def test_a_session_of_a_key_is_none_of_a_token() -> None:
    ends = datetime.now(UTC) + MINUTE
    assert await verifier().holds(BrowserSession("ada", ends))
    assert not await verifier().holds(BrowserSession("ada", ends, uuid4()))
