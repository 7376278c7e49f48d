from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest

from app.api.auth.jwt_tokens import (
    FRESH_SECONDS,
    MAX_KEY_SET_BYTES,
    PAUSE_SECONDS,
    USABLE_SECONDS,
    CachedSigningKeys,
    FileKeySetFetcher,
    UrlKeySetFetcher,
)
from memory.errors import SigningKeysUnavailable
from tests.app.identity.issuer import KEY_ID, key_set, published
from tests.app.identity.test_failed_attempts import Clock

URL = "https://login.example.org/keys"


class Provider:
    """Answers with what it is set to, once it may."""

    def __init__(self) -> None:
        self.content: bytes | Exception = key_set()
        self.asked = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.closed = False

    async def fetch(self) -> bytes:
        self.asked += 1
        await self.may_answer.wait()
        if isinstance(self.content, Exception):
            raise self.content
        return self.content

    async def aclose(self) -> None:
        self.closed = True


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(provider: Provider, clock: Clock) -> CachedSigningKeys:
    return CachedSigningKeys(provider, ("RS256",), clock)


async def test_keys_are_fetched_once(keys: CachedSigningKeys, provider: Provider) -> None:
    found = await asyncio.gather(*(keys.key(KEY_ID, "RS256") for _ in range(20)))
    assert None not in found
    assert provider.asked == 1


async def test_a_new_key_is_fetched_when_a_token_names_it(
    keys: CachedSigningKeys, provider: Provider, clock: Clock
) -> None:
    assert await keys.key(KEY_ID, "RS256")
    provider.content = key_set(published(), published("second"))
    clock.now += PAUSE_SECONDS
    assert await keys.key("second", "RS256")
    assert provider.asked == 2


async def test_names_that_nobody_has_are_asked_for_now_and_then(
    keys: CachedSigningKeys, provider: Provider, clock: Clock
) -> None:
    for number in range(1000):
        assert await keys.key(f"unknown {number}", "RS256") is None
        clock.now += 0.1
    assert provider.asked == 10


async def test_a_key_that_was_taken_back_is_not_believed_for_long(
    keys: CachedSigningKeys, provider: Provider, clock: Clock
) -> None:
    assert await keys.key(KEY_ID, "RS256")
    provider.content = key_set(published("second"))
    clock.now += FRESH_SECONDS + 1
    await keys.key(KEY_ID, "RS256")  # which has them fetched, and does not wait
    assert await keys.key("second", "RS256")
    assert await keys.key(KEY_ID, "RS256") is None


async def test_nobody_waits_for_fresher_keys(
    keys: CachedSigningKeys, provider: Provider, clock: Clock
) -> None:
    assert await keys.key(KEY_ID, "RS256")
    provider.may_answer.clear()
    clock.now += FRESH_SECONDS + 1
    async with asyncio.timeout(30):
        assert await keys.key(KEY_ID, "RS256")
    await keys.aclose()


@pytest.mark.parametrize("fault", [OSError(), httpx2.ConnectError("x"), TimeoutError(), b"<html>"])
async def test_old_keys_do_while_the_provider_is_away_but_not_for_ever(
    keys: CachedSigningKeys, provider: Provider, clock: Clock, fault: Exception | bytes
) -> None:
    assert await keys.key(KEY_ID, "RS256")
    provider.content = fault
    clock.now += USABLE_SECONDS - 1
    assert await keys.key(KEY_ID, "RS256")
    clock.now += PAUSE_SECONDS
    with pytest.raises(SigningKeysUnavailable):
        await keys.key(KEY_ID, "RS256")
    provider.content = key_set()
    clock.now += PAUSE_SECONDS
    assert await keys.key(KEY_ID, "RS256")


async def test_who_was_never_reached_is_said_to_be_away(
    keys: CachedSigningKeys, provider: Provider
) -> None:
    provider.content = httpx2.ConnectError("secret-host refused")
    with pytest.raises(SigningKeysUnavailable) as caught:
        await keys.key(KEY_ID, "RS256")
    assert "ConnectError" in str(caught.value)
    assert "secret-host" not in str(caught.value)


async def test_closing_does_not_wait_for_an_answer(
    keys: CachedSigningKeys, provider: Provider
) -> None:
    provider.may_answer.clear()
    asking = asyncio.create_task(keys.key(KEY_ID, "RS256"))
    while not provider.asked:
        await asyncio.sleep(0)
    await keys.aclose()
    assert provider.closed
    with pytest.raises(SigningKeysUnavailable):
        await asking


def over(answer: httpx2.Response, asked: list[httpx2.Request]) -> UrlKeySetFetcher:
    def handler(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return answer

    return UrlKeySetFetcher(URL, httpx2.MockTransport(handler))


async def test_fetches_the_url_that_is_configured() -> None:
    asked: list[httpx2.Request] = []
    fetcher = over(httpx2.Response(200, content=key_set()), asked)
    assert await fetcher.fetch() == key_set()
    await fetcher.aclose()
    assert [str(request.url) for request in asked] == [URL]


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(302, headers={"Location": "http://169.254.169.254/latest/meta-data"}),
        httpx2.Response(404),
        httpx2.Response(200, content=b" " * (MAX_KEY_SET_BYTES + 1)),
    ],
)
async def test_follows_nothing_and_reads_no_more_than_keys(answer: httpx2.Response) -> None:
    asked: list[httpx2.Request] = []
    fetcher = over(answer, asked)
    with pytest.raises(ValueError, match=r"the answer was|too long"):
        await fetcher.fetch()
    await fetcher.aclose()
    assert len(asked) == 1


async def test_reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(key_set())
    keys = CachedSigningKeys(FileKeySetFetcher(file), ("RS256",))
    assert await keys.key(KEY_ID, "RS256")
    await keys.aclose()
