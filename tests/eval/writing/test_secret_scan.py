from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.datasets.ingestion import WatchingEmbedder, contains_secret, scan_redis, scan_tables
from eval.system import System
from memory.cache import Cache, redis_key
from memory.store.messages import NewMessage
from memory.types import NewMemory

CARD = "4000 1234 5678 9017"


@pytest.mark.parametrize(
    "text",
    [
        f"my card is {CARD}.",
        "card4000-1234-5678-9017",
        "4000123456789017",
        '{"content": "4000 1234 5678 9017"}',
    ],
)
def test_a_secret_is_found_however_it_is_written(text: str) -> None:
    assert contains_secret(text, CARD)


def test_another_number_is_not_it() -> None:
    assert not contains_secret("4000 1234 5678 9018", CARD)
    assert not contains_secret("", CARD)


@given(st.text(), st.text(min_size=8).filter(str.strip), st.text())
def test_what_surrounds_it_does_not_hide_it(before: str, secret: str, after: str) -> None:
    assert contains_secret(f"{before} {secret} {after}", secret)


def _secret() -> str:
    """Of this test alone: the Valkey is everybody's."""
    return f"Wombat-{uuid4().hex}"


async def test_the_tables_that_hold_it_are_named(
    system: System, user_id: str, conversation: UUID
) -> None:
    secret = _secret()
    assert await scan_tables(system.database, user_id, secret) == []
    await system.store(user_id, [NewMemory(content="I like tea.", tags=(secret,))])
    assert await scan_tables(system.database, user_id, secret) == ["memory_items"]
    new = NewMessage("user", f"It is {secret}.", uuid4())
    await system.memory.conversations.add_message(user_id, conversation, new)
    found = await scan_tables(system.database, user_id, secret)
    assert found == ["conversations", "memory_items", "messages"]
    assert await scan_tables(system.database, "somebody-else", secret) == []


async def test_redis_is_read_whole_whatever_a_key_holds(cache: Cache, user_id: str) -> None:
    text, field, member, name, nowhere = (_secret() for _ in range(5))
    marked = [redis_key("scan", user_id, str(number)) for number in range(3)]
    await cache.run(lambda redis: redis.set(marked[0], f"x {text}", ex=60), otherwise=None)
    await cache.run(lambda redis: redis.hset(marked[1], "held", field), otherwise=0)
    await cache.run(lambda redis: redis.sadd(marked[2], member), otherwise=0)
    await cache.run(lambda redis: redis.set(name, "x", ex=60), otherwise=None)
    found = await scan_redis(cache, [text, field, member, name, nowhere])
    await cache.run(lambda redis: redis.delete(name, *marked), otherwise=0)
    assert found == {text, field, member, name}


async def test_a_redis_that_is_away_was_not_read() -> None:
    away = Cache("redis://127.0.0.1:1")
    assert await scan_redis(away, ["anything"]) is None
    await away.aclose()


async def test_what_is_embedded_is_watched(system: System) -> None:
    secret = _secret()
    watched = WatchingEmbedder(system.embedder, {secret})
    await watched.embed_texts(["I like tea."])
    assert watched.seen == set()
    await watched.embed_texts(["I like tea.", f"It is {secret}."])
    assert watched.seen == {secret}
