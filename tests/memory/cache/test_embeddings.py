from __future__ import annotations

from redis.asyncio import Redis

from memory.cache import Cache, EmbeddingCache


async def test_only_what_is_kept_is_found(cache: Cache) -> None:
    embeddings = EmbeddingCache(cache)
    await embeddings.set_many({"aa": b"\x00\xff", "bb": b""})
    assert await embeddings.get_many(["bb", "cc", "aa"]) == {"aa": b"\x00\xff", "bb": b""}
    assert await embeddings.get_many([]) == {}


async def test_it_lives_a_week_under_the_specified_key(cache: Cache, redis: Redis) -> None:
    await EmbeddingCache(cache).set_many({"aa": b"x"})
    assert await redis.type("embedding_cache:aa") == b"string"
    assert 604_790 < await redis.ttl("embedding_cache:aa") <= 604_800


async def test_more_than_one_request_can_carry(cache: Cache) -> None:
    embeddings = EmbeddingCache(cache)
    many = {f"{number:064x}": number.to_bytes(4, "big") for number in range(1_000)}
    await embeddings.set_many(many)
    assert await embeddings.get_many(list(many)) == many


async def test_dropped_is_gone(cache: Cache) -> None:
    embeddings = EmbeddingCache(cache)
    await embeddings.set_many({"aa": b"x", "bb": b"y"})
    assert await embeddings.drop_many(["aa", "never"]) is True
    assert await embeddings.drop_many([]) is True
    assert await embeddings.get_many(["aa", "bb"]) == {"bb": b"y"}


async def test_without_redis_everything_is_a_miss(cache_away: Cache) -> None:
    embeddings = EmbeddingCache(cache_away)
    await embeddings.set_many({"aa": b"x"})
    assert await embeddings.get_many(["aa"]) == {}
    assert await embeddings.drop_many(["aa"]) is False
