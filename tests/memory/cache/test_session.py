from __future__ import annotations

from redis.asyncio import Redis
from structlog.testing import capture_logs

from memory.cache import Cache, CachedMessage, SessionCache, SessionState
from tests.memory.cache.kept_sessions import keep

STATE = SessionState(
    last_position=7,
    messages=(
        CachedMessage(role="user", content="Ich mag Tee ☕\0\n"),
        CachedMessage(role="assistant", content=""),
    ),
    goal="plan the week",
)


async def test_what_was_saved_is_loaded(cache: Cache) -> None:
    sessions = SessionCache(cache)
    await keep(sessions, "ann", "c1", STATE)
    assert await sessions.load("ann", "c1") == STATE


async def test_it_is_a_hash_under_the_specified_key_for_a_day(cache: Cache, redis: Redis) -> None:
    await keep(SessionCache(cache), "ann", "c1", STATE)
    assert await redis.keys() == [b"session:ann:c1"]
    assert await redis.type("session:ann:c1") == b"hash"
    assert 86_390 < await redis.ttl("session:ann:c1") <= 86_400


async def test_saving_replaces_everything(cache: Cache, redis: Redis) -> None:
    sessions = SessionCache(cache)
    await keep(sessions, "ann", "c1", STATE)
    await redis.hset("session:ann:c1", "old", "field")
    later = SessionState(last_position=9, messages=(), goal=None)
    await keep(sessions, "ann", "c1", later)
    assert await sessions.load("ann", "c1") == later
    assert await redis.hkeys("session:ann:c1") == [b"stamp", b"last_position", b"messages"]


async def test_users_and_conversations_are_apart(cache: Cache) -> None:
    sessions = SessionCache(cache)
    await keep(sessions, "a:b", "c", STATE)
    assert await sessions.load("a", "b:c") is None
    assert await sessions.load("a:b", "d") is None
    assert await sessions.load("a:b", "c") == STATE


async def test_dropped_is_gone(cache: Cache) -> None:
    sessions = SessionCache(cache)
    await keep(sessions, "ann", "c1", STATE)
    assert await sessions.drop("ann", "c1") is True
    assert await sessions.load("ann", "c1") is None


async def test_an_unreadable_state_is_a_miss_and_logged_without_content(
    cache: Cache, redis: Redis
) -> None:
    sessions = SessionCache(cache)
    await keep(sessions, "ann", "c1", STATE)
    await redis.hset("session:ann:c1", "messages", '[{"role": "private"')
    with capture_logs() as logs:
        assert await sessions.load("ann", "c1") is None
    assert [entry["event"] for entry in logs] == ["cached_session_unreadable"]
    assert "private" not in str(logs)


async def test_a_lone_surrogate_does_not_fail_a_save(cache: Cache) -> None:
    sessions = SessionCache(cache)
    broken = CachedMessage(role="user", content="a\ud800b")
    await keep(sessions, "ann", "c1", SessionState(last_position=1, messages=(broken,)))
    loaded = await sessions.load("ann", "c1")
    assert loaded is not None
    assert loaded.messages[0].content == "ab"


async def test_without_redis_nothing_is_kept_and_nothing_fails(cache_away: Cache) -> None:
    sessions = SessionCache(cache_away)
    await keep(sessions, "ann", "c1", STATE)
    assert await sessions.load("ann", "c1") is None
    assert await sessions.drop("ann", "c1") is False


async def test_what_was_dropped_since_a_turn_began_is_not_saved(cache: Cache) -> None:
    """A turn that had read what was forgotten meanwhile does not bring it back."""
    sessions = SessionCache(cache)
    await keep(sessions, "ann", "c1", STATE)
    stamp = await sessions.begin("ann", "c1")
    await sessions.drop("ann", "c1")
    await sessions.begin("ann", "c1")
    assert await sessions.save("ann", "c1", STATE, stamp) is False
    assert await sessions.load("ann", "c1") is None


async def test_a_turn_that_began_with_nothing_kept_is_told_of_a_drop_as_well(cache: Cache) -> None:
    sessions = SessionCache(cache)
    stamp = await sessions.begin("ann", "c1")
    await sessions.drop("ann", "c1")
    assert await sessions.save("ann", "c1", STATE, stamp) is False
    assert await sessions.load("ann", "c1") is None
