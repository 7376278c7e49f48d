"""Signing in with an API key, over the whole application in the mode token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from pydantic import SecretStr

from app.api.auth.api_keys import key_digest, make_key
from app.api.auth.credentials import MAX_FAILURES_PER_MINUTE, EndedSessionLookup
from app.api.auth.modes import open_authentication
from app.api.auth.sessions import COOKIE, PLAIN_COOKIE
from app.api.dependencies import ApiServices
from memory.errors import DatabaseUnavailable
from memory.store.credentials import ApiKeyStore, EndedSessionStore
from memory.store.database import Database
from tests.app.identity.issuer import AUDIENCE, ISSUER, key_set, token
from tests.app.serving import serving

LOCAL = "http://localhost"
PUBLIC = "https://notes.example.org"
FOREIGN = [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}]


@pytest.fixture
def keys(database: Database) -> ApiKeyStore:
    return ApiKeyStore(database)


@pytest.fixture
def ended(database: Database) -> EndedSessionStore:
    return EndedSessionStore(database)


@asynccontextmanager
async def in_mode(
    served: ApiServices, keys: ApiKeyStore, ended: EndedSessionLookup, **settings: object
) -> AsyncIterator[httpx2.AsyncClient]:
    changed = served.settings.model_copy(update=settings)
    async with AsyncExitStack() as stack:
        identity = await stack.enter_async_context(open_authentication(changed, keys, ended))
        made = replace(
            served,
            settings=changed,
            identifier=identity.identifier,
            signing_in=identity.signing_in,
        )
        yield await stack.enter_async_context(serving(made))


@pytest.fixture
async def visitor(
    served: ApiServices, keys: ApiKeyStore, ended: EndedSessionStore
) -> AsyncIterator[httpx2.AsyncClient]:
    async with in_mode(served, keys, ended, auth_mode="token") as client:
        yield client


@pytest.fixture
async def key(keys: ApiKeyStore, user_id: str) -> SecretStr:
    return (await make(keys, user_id))[0]


async def make(
    keys: ApiKeyStore, user_id: str, lasting: timedelta = timedelta(days=1)
) -> tuple[SecretStr, UUID]:
    made = make_key()
    added = await keys.add(user_id, key_digest(made), "laptop", datetime.now(UTC) + lasting)
    return made, added.id


async def sign_in(
    client: httpx2.AsyncClient, key: SecretStr, url: str = LOCAL, **headers: str
) -> httpx2.Response:
    body = {"credential": key.get_secret_value()}
    return await client.post(f"{url}/v1/session", json=body, headers=headers)


def bearer(key: SecretStr) -> dict[str, str]:
    return {"Authorization": f"Bearer {key.get_secret_value()}"}


async def test_a_program_asks_with_its_key(
    visitor: httpx2.AsyncClient, key: SecretStr, user_id: str
) -> None:
    answer = await visitor.get("/v1/me", headers=bearer(key))
    assert answer.json()["user_id"] == user_id
    assert "set-cookie" not in answer.headers


async def test_a_browser_signs_in_once(
    visitor: httpx2.AsyncClient, key: SecretStr, user_id: str
) -> None:
    answer = await sign_in(visitor, key)
    assert answer.status_code == 200
    assert answer.json()["user_id"] == user_id
    ends = datetime.fromisoformat(answer.json()["expires_at"])
    assert timedelta(hours=11) < ends - datetime.now(UTC) <= timedelta(hours=12)
    assert (await visitor.get("/v1/me")).json()["user_id"] == user_id


@pytest.mark.parametrize(
    ("url", "name", "secure"), [(LOCAL, PLAIN_COOKIE, False), (PUBLIC, COOKIE, True)]
)
async def test_the_cookie_is_for_this_site_and_no_script(
    visitor: httpx2.AsyncClient, key: SecretStr, url: str, name: str, secure: bool
) -> None:
    answer = await sign_in(visitor, key, url)
    [given] = answer.headers.get_list("set-cookie")
    morsel = SimpleCookie(given)[name]
    assert (morsel["httponly"], morsel["samesite"], morsel["path"]) == (True, "strict", "/")
    assert bool(morsel["secure"]) is secure
    assert morsel["domain"] == ""
    assert morsel["expires"]
    assert key.get_secret_value() not in given + answer.text
    assert answer.headers["cache-control"] == "no-store"


async def test_signing_out(visitor: httpx2.AsyncClient, key: SecretStr) -> None:
    await sign_in(visitor, key)
    assert (await visitor.delete("/v1/session")).status_code == 204
    assert PLAIN_COOKIE not in visitor.cookies
    assert (await visitor.get("/v1/me")).status_code == 401


async def test_a_copy_of_a_signed_out_session_opens_nothing_in_any_process(
    visitor: httpx2.AsyncClient,
    served: ApiServices,
    keys: ApiKeyStore,
    ended: EndedSessionStore,
    key: SecretStr,
) -> None:
    await sign_in(visitor, key)
    copied = {"Cookie": f"{PLAIN_COOKIE}={visitor.cookies[PLAIN_COOKIE]}"}
    async with in_mode(served, keys, ended, auth_mode="token") as other:
        assert (await other.get("/v1/me", headers=copied)).status_code == 200

        assert (await visitor.delete("/v1/session")).status_code == 204

        refused = await other.get("/v1/me", headers=copied)
        assert refused.status_code == 401
        [dropped] = refused.headers.get_list("set-cookie")
        assert SimpleCookie(dropped)[PLAIN_COOKIE]["max-age"] == "0"
        assert (await visitor.get("/v1/me", headers=copied)).status_code == 401
        assert (await other.delete("/v1/session", headers=copied)).status_code == 204
        assert (await other.get("/v1/me", headers=bearer(key))).status_code == 200


async def test_signing_out_ends_one_of_two_sessions_that_begin_at_once(
    visitor: httpx2.AsyncClient, key: SecretStr
) -> None:
    """With the same key, in the same second."""
    await sign_in(visitor, key)
    first = {"Cookie": f"{PLAIN_COOKIE}={visitor.cookies[PLAIN_COOKIE]}"}
    await sign_in(visitor, key)
    await visitor.delete("/v1/session")
    assert (await visitor.get("/v1/me", headers=first)).status_code == 200


class Away:
    """Nobody can say which session was signed out."""

    async def end(self, session_id: UUID, ends_at: datetime) -> None:
        raise DatabaseUnavailable(reason="away")

    async def has_ended(self, session_id: UUID) -> bool:
        raise DatabaseUnavailable(reason="away")


async def test_where_it_cannot_be_written_down_nobody_is_told_that_they_are_signed_out(
    visitor: httpx2.AsyncClient, served: ApiServices, keys: ApiKeyStore, key: SecretStr
) -> None:
    await sign_in(visitor, key)
    async with in_mode(served, keys, Away(), auth_mode="token") as other:
        other.cookies.update(visitor.cookies)
        answer = await other.delete("/v1/session")
        assert answer.status_code == 503
        assert "set-cookie" not in answer.headers
        assert (await other.get("/v1/me")).status_code == 503
        assert (await other.delete("/v1/session", headers={"Cookie": ""})).status_code == 204


async def test_a_stale_session_is_dropped_and_shuts_nobody_out(
    visitor: httpx2.AsyncClient, key: SecretStr
) -> None:
    """As after the server's secret has changed, with a page that asks again and again."""
    for _ in range(2 * MAX_FAILURES_PER_MINUTE):
        answer = await visitor.get("/v1/me", headers={"Cookie": f"{PLAIN_COOKIE}=nothing.signed"})
        assert answer.status_code == 401
    [dropped] = answer.headers.get_list("set-cookie")
    assert SimpleCookie(dropped)[PLAIN_COOKIE]["max-age"] == "0"
    visitor.cookies.clear()
    assert (await sign_in(visitor, key)).status_code == 200


async def test_a_wrong_credential_signs_nobody_out(
    visitor: httpx2.AsyncClient, key: SecretStr
) -> None:
    await sign_in(visitor, key)
    answer = await sign_in(visitor, make_key())
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


async def test_a_revoked_key_signs_out_at_once(
    visitor: httpx2.AsyncClient, keys: ApiKeyStore, user_id: str
) -> None:
    key, key_id = await make(keys, user_id)
    await sign_in(visitor, key)
    assert (await visitor.get("/v1/me")).status_code == 200
    await keys.revoke(user_id, key_id)
    assert (await visitor.get("/v1/me")).status_code == 401
    assert (await visitor.get("/v1/me", headers=bearer(key))).status_code == 401
    assert (await sign_in(visitor, key)).status_code == 401


async def test_a_session_ends_with_its_key(
    visitor: httpx2.AsyncClient, keys: ApiKeyStore, user_id: str
) -> None:
    key, _ = await make(keys, user_id, timedelta(hours=1))
    ends = datetime.fromisoformat((await sign_in(visitor, key)).json()["expires_at"])
    assert ends <= datetime.now(UTC) + timedelta(hours=1)


async def test_an_expired_key_opens_nothing(
    visitor: httpx2.AsyncClient, keys: ApiKeyStore, user_id: str
) -> None:
    key, _ = await make(keys, user_id, -timedelta(seconds=1))
    assert (await sign_in(visitor, key)).status_code == 401
    assert (await visitor.get("/v1/me", headers=bearer(key))).status_code == 401


@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
async def test_another_site_can_do_nothing_through_the_browser(
    visitor: httpx2.AsyncClient, key: SecretStr, foreign: dict[str, str]
) -> None:
    """Neither act as who is signed in, nor sign somebody in or out."""
    await sign_in(visitor, key)
    for method, path in (("DELETE", "/v1/session"), ("GET", "/v1/me")):
        answer = await visitor.request(method, path, headers=foreign)
        assert answer.status_code == 403
        assert answer.json()["type"] == "urn:keepsake:cross-site"
    assert (await sign_in(visitor, key, **foreign)).status_code == 403
    assert (await visitor.get("/v1/me")).status_code == 200


async def test_a_program_with_a_key_of_its_own_may_be_another_site(
    visitor: httpx2.AsyncClient, key: SecretStr
) -> None:
    answer = await visitor.get("/v1/me", headers=bearer(key) | FOREIGN[1])
    assert answer.status_code == 200


async def test_who_is_not_signed_in_is_told_how(visitor: httpx2.AsyncClient) -> None:
    answer = await visitor.get("/v1/me")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["type"] == "urn:keepsake:not-signed-in"


async def test_the_answer_is_the_same_whatever_is_wrong(
    visitor: httpx2.AsyncClient, keys: ApiKeyStore, user_id: str
) -> None:
    revoked, key_id = await make(keys, user_id)
    await keys.revoke(user_id, key_id)
    expired, _ = await make(keys, user_id, -timedelta(seconds=1))
    told = set()
    for wrong in (revoked, expired, make_key(), SecretStr("ks_short"), SecretStr("x.y.z")):
        for answer in (
            await visitor.get("/v1/me", headers=bearer(wrong)),
            await sign_in(visitor, wrong),
        ):
            assert answer.status_code == 401
            told.add(answer.json()["detail"])
    assert len(told) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"credential": ""},
        {"credential": None},
        {"credential": "hunter2" * 1200},
        {"credential": "hunter2", "user_id": "ada"},
    ],
    ids=lambda body: str(body)[:40],
)
async def test_a_body_that_is_none_is_not_repeated(
    visitor: httpx2.AsyncClient, body: dict[str, object]
) -> None:
    answer = await visitor.post("/v1/session", json=body)
    assert answer.status_code == 422
    assert "hunter2" not in answer.text


async def test_what_is_too_large_for_a_credential_is_not_read(visitor: httpx2.AsyncClient) -> None:
    answer = await visitor.post("/v1/session", json={"credential": "x" * 20_000})
    assert answer.status_code == 413


async def test_a_guesser_is_slowed_down(visitor: httpx2.AsyncClient, key: SecretStr) -> None:
    for _ in range(30):
        assert (await sign_in(visitor, make_key())).status_code == 401
    answer = await sign_in(visitor, make_key())
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert (await sign_in(visitor, key)).status_code == 200


async def test_in_the_mode_jwt_a_token_begins_a_session(
    served: ApiServices, keys: ApiKeyStore, ended: EndedSessionStore, user_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(key_set())
    async with in_mode(
        served,
        keys,
        ended,
        auth_mode="jwt",
        jwt_issuer=ISSUER,
        jwt_audience=AUDIENCE,
        jwt_jwks_file=file,
    ) as visitor:
        good = SecretStr(token(sub=user_id))
        assert (await visitor.get("/v1/me", headers=bearer(good))).json()["user_id"] == user_id
        answer = await sign_in(visitor, good)
        assert datetime.fromisoformat(answer.json()["expires_at"]) <= datetime.now(UTC) + timedelta(
            minutes=10
        )
        assert (await visitor.get("/v1/me")).json()["user_id"] == user_id
        api_key, _ = await make(keys, user_id)
        assert (await sign_in(visitor, api_key)).status_code == 401


async def test_a_session_of_another_mode_is_a_forgery(
    visitor: httpx2.AsyncClient,
    served: ApiServices,
    keys: ApiKeyStore,
    ended: EndedSessionStore,
    key: SecretStr,
) -> None:
    await sign_in(visitor, key)
    secret = SecretStr("a secret of thirty-two bytes or more")
    async with in_mode(
        served,
        keys,
        ended,
        auth_mode="jwt",
        jwt_issuer=ISSUER,
        jwt_audience=AUDIENCE,
        jwt_secret=secret,
    ) as other:
        other.cookies.update(visitor.cookies)
        assert (await other.get("/v1/me")).status_code == 401


async def test_without_credentials_there_is_nothing_to_sign_in_to(
    served: ApiServices, keys: ApiKeyStore, ended: EndedSessionStore, key: SecretStr
) -> None:
    async with in_mode(served, keys, ended, auth_mode="local") as visitor:
        answer = await sign_in(visitor, key)
        assert answer.status_code == 404
        assert answer.json()["type"] == "urn:keepsake:no-sign-in"
        me = await visitor.get("/v1/me")
        assert me.json()["user_id"] == served.settings.keepsake_user
        rebound = await visitor.get("/v1/me", headers={"Host": "evil.example"})
        assert rebound.status_code == 403
        assert served.settings.keepsake_user not in rebound.text
        for foreign in FOREIGN:
            assert (await visitor.get("/v1/me", headers=foreign)).status_code == 403


async def test_no_link_of_another_site_has_the_export_saved(
    served: ApiServices, keys: ApiKeyStore, ended: EndedSessionStore
) -> None:
    followed = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    async with in_mode(served, keys, ended, auth_mode="local") as visitor:
        for site, status in (("cross-site", 403), ("same-site", 403), ("none", 200)):
            headers = followed | {"Sec-Fetch-Site": site}
            answer = await visitor.get("/v1/memory/export", headers=headers)
            assert answer.status_code == status
        assert (await visitor.get("/v1/memory/export")).status_code == 200
