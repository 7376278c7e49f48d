from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis
from structlog.testing import capture_logs

from memory.cache import MAX_CONNECTIONS, RETRY_PAUSE, Cache, redis_key
from memory.errors import CacheUnavailable
from memory.local_services.services import LocalServices


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def valkey(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LocalServices]:
    """A server of the test's own, which the test starts."""
    services = LocalServices(tmp_path_factory.mktemp("h"), postgres=False)
    yield services
    await services.stop()


class Action:
    """Counts how often it was let through to Redis."""

    def __init__(self) -> None:
        self.calls = 0

    async def __call__(self, redis: Redis) -> str:
        self.calls += 1
        await asyncio.sleep(0)
        await redis.ping()
        return "answered"


async def test_answers_what_the_action_answers(cache: Cache) -> None:
    assert await cache.run(Action(), otherwise="") == "answered"


async def test_ping_says_why_redis_is_away(cache: Cache, cache_away: Cache) -> None:
    await cache.ping()
    with pytest.raises(CacheUnavailable, match=r"no\.sock"):
        await cache_away.ping()


async def test_an_outage_is_logged_at_its_begin_and_its_end(valkey: LocalServices) -> None:
    clock = Clock()
    cache = Cache((await valkey.start()).redis_url, clock=clock)
    action = Action()
    try:
        with capture_logs() as logs:
            assert await cache.run(action, otherwise="") == "answered"
            await valkey.stop()
            for _ in range(3):
                assert await cache.run(action, otherwise="") == ""
                clock.now += 2 * RETRY_PAUSE
            await valkey.start()
            assert await cache.run(action, otherwise="") == "answered"
            assert await cache.run(action, otherwise="") == "answered"
    finally:
        await cache.aclose()
    assert [entry["event"] for entry in logs] == ["cache_away", "cache_is_back"]


async def test_a_restarted_server_is_no_outage(valkey: LocalServices) -> None:
    cache = Cache((await valkey.start()).redis_url)
    try:
        await cache.ping()
        await valkey.stop()
        await valkey.start()
        with capture_logs() as logs:
            assert await cache.run(Action(), otherwise="") == "answered"
    finally:
        await cache.aclose()
    assert logs == []


async def test_redis_is_left_alone_for_a_pause_after_a_failure(tmp_path: Path) -> None:
    clock = Clock()
    cache = Cache(f"unix://{tmp_path}/no.sock", clock=clock)
    action = Action()
    for _ in range(5):
        await cache.run(action, otherwise="")
    assert action.calls == 1
    clock.now += RETRY_PAUSE
    await asyncio.gather(*(cache.run(action, otherwise="") for _ in range(5)))
    assert action.calls == 2


async def test_a_server_that_never_answers_costs_one_timeout(tmp_path: Path) -> None:
    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()  # until the client gives up
        writer.close()

    path = tmp_path / "silent.sock"
    async with await asyncio.start_unix_server(be_silent, path):
        cache, action = Cache(f"unix://{path}", clock=Clock()), Action()
        for _ in range(10):
            assert await cache.run(action, otherwise="") == ""
        assert action.calls == 1
        await cache.aclose()


async def test_a_password_is_never_logged(tmp_path: Path) -> None:
    cache = Cache(f"unix://:s3cret@{tmp_path}/no.sock")
    with capture_logs() as logs:
        await cache.run(Action(), otherwise="")
    assert len(logs) == 1
    assert "s3cret" not in str(logs)


async def test_a_crowd_is_no_outage(cache: Cache) -> None:
    with capture_logs() as logs:
        answers = await asyncio.gather(
            *(cache.run(Action(), otherwise="") for _ in range(3 * MAX_CONNECTIONS))
        )
    assert set(answers) == {"answered"}
    assert logs == []


async def test_a_cancelled_call_leaves_no_answer_for_the_next(cache: Cache, redis: Redis) -> None:
    await redis.set("name", "right")

    async def wait(client: Redis) -> object:
        return await client.blpop(["list"], timeout=5)

    async def get(client: Redis) -> object:
        return await client.get("name")

    waiting = asyncio.create_task(cache.run(wait, otherwise=None))
    while not waiting.done() and (await redis.info("clients"))["blocked_clients"] == 0:
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await redis.rpush("list", "wrong")
    assert await cache.run(get, otherwise=None) == b"right"


def test_a_plain_id_stands_in_the_key_as_it_is() -> None:
    plain = "3f2a-Ann_1.x~@example.org"
    assert redis_key("rate_limit", plain) == f"rate_limit:{plain}"
    assert redis_key("session", "ann", "c1") == "session:ann:c1"


any_text = st.text(st.characters(exclude_categories=()))


@given(st.tuples(any_text, any_text), st.tuples(any_text, any_text))
def test_two_pairs_of_ids_never_share_a_key(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (redis_key("session", *one) == redis_key("session", *other)) == (one == other)


def test_a_colon_in_an_id_does_not_reach_another_users_key() -> None:
    assert redis_key("session", "a:b", "c") != redis_key("session", "a", "b:c")
    assert redis_key("session", "a%3Ab", "c") != redis_key("session", "a:b", "c")
