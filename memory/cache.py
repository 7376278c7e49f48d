"""Everything Keepsake keeps in Redis, none of which it needs: each part degrades by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Annotated, TypeAlias, TypeVar, cast
from urllib.parse import quote
from uuid import uuid4

import structlog
from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError, WatchError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.typing import EncodableT, FieldT

from memory.errors import CacheUnavailable

# Seconds: of one connect, of one read, and of a whole action.
TIMEOUT = 0.5
MAX_CONNECTIONS = 20
# After a failure Redis is left alone for so long, so that a dead host costs its
# timeout once a second and not once a call.
RETRY_PAUSE = 1.0

Answer = TypeVar("Answer")

_log = structlog.get_logger(__name__)


class Cache:
    """Runs actions on Redis (or Valkey) and answers without it where it is away.

    An outage is logged once when it begins and once when it ends. The URL is `redis://`,
    `rediss://` or `unix:///`; the log never holds it, since it can carry a password.
    `dedicated` says that the server holds nothing but Keepsake's. `timeout` is in seconds; `clock`
    gives monotonic seconds; `on_change` is called when an outage begins (True) and when it ends
    (False).
    """

    def __init__(
        self,
        url: str,
        *,
        dedicated: bool = False,
        timeout: float = TIMEOUT,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[bool], None] | None = None,
    ) -> None:
        self._redis = _connect(url, timeout)
        self._dedicated = dedicated
        self._timeout = timeout
        self._clock = clock
        self._on_change = on_change
        self._away = False
        self._paused_until = 0.0

    async def run(self, action: Callable[[Redis], Awaitable[Answer]], otherwise: Answer) -> Answer:
        """What the action answers, or `otherwise` where Redis does not."""
        if self._away and not self._may_try():
            return otherwise
        try:
            async with asyncio.timeout(self._timeout):
                answer = await action(self._redis)
        except (RedisError, OSError) as error:
            self._failed(error)
            return otherwise
        self._answered()
        return answer

    async def rewrite_file(self) -> None:
        """Has the server write its append-only file anew, without what was deleted; it does so
        behind this call. One that others use too, keeps no file, is at it, or may not is left
        alone."""
        if not self._dedicated:
            return

        async def ask(redis: Redis) -> None:
            with suppress(ResponseError):
                await redis.bgrewriteaof()

        await self.run(ask, otherwise=None)

    async def ping(self) -> None:
        """Asks Redis even in an outage. Raises CacheUnavailable."""
        try:
            async with asyncio.timeout(self._timeout):
                await self._redis.ping()
        except (RedisError, OSError) as error:
            self._failed(error)
            raise CacheUnavailable(reason=_reason(error)) from error
        self._answered()

    @property
    def is_away(self) -> bool:
        """Whether it did not answer when it was asked last."""
        return self._away

    async def aclose(self) -> None:
        await self._redis.aclose()

    def _may_try(self) -> bool:
        now = self._clock()
        if now < self._paused_until:
            return False
        # The first caller after the pause tries; the others go on without Redis meanwhile.
        self._paused_until = now + RETRY_PAUSE
        return True

    def _failed(self, error: Exception) -> None:
        self._paused_until = self._clock() + RETRY_PAUSE
        if not self._away:
            self._turn(away=True)
            _log.warning("cache_away", reason=_reason(error))

    def _answered(self) -> None:
        if self._away:
            self._turn(away=False)
            _log.warning("cache_is_back")

    def _turn(self, *, away: bool) -> None:
        self._away = away
        if self._on_change is not None:
            self._on_change(away)


class NullCache(Cache):
    """For an incognito conversation: nothing reaches Redis, every action gives `otherwise`."""

    def __init__(self) -> None:
        super().__init__("redis://")

    async def run(self, action: Callable[[Redis], Awaitable[Answer]], otherwise: Answer) -> Answer:
        return otherwise

    async def ping(self) -> None:
        return


def redis_key(kind: str, *ids: str) -> str:
    """`kind:id:id`. Colons and other signs within an id are percent-encoded, so that two
    lists of ids never share a key; letters, digits and `_.-~@` stay as they are."""
    return ":".join([kind, *(quote(part, safe="@", errors="surrogatepass") for part in ids)])


def _connect(url: str, timeout: float) -> Redis:
    # A crowd of callers waits for a connection; the plain pool would refuse some, and a
    # refusal looks like an outage. No retries (the client's default is several, with
    # pauses); the pool itself replaces connections that a restarted server has closed.
    pool: BlockingConnectionPool = BlockingConnectionPool.from_url(
        url,
        max_connections=MAX_CONNECTIONS,
        timeout=timeout,
        socket_connect_timeout=timeout,
        socket_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)


def _reason(error: Exception) -> str:
    # The words of other errors can quote the arguments of a command.
    if isinstance(error, RedisConnectionError | RedisTimeoutError | OSError):
        return str(error) or type(error).__name__
    return type(error).__name__


SCAN_COUNT = 500


async def clear_keys(cache: Cache, kind: str) -> bool:
    """Takes everything of one kind out of Redis. False where Redis is away: what it holds leaves it
    with its time to live."""

    cursor: int | None = 0

    async def some(redis: Redis) -> int | None:
        after, keys = await redis.scan(cursor or 0, match=f"{redis_key(kind)}:*", count=SCAN_COUNT)
        if keys:
            await redis.delete(*keys)
        return int(after)

    while cursor := await cache.run(some, otherwise=None):
        pass
    return cursor is not None


EMBEDDING_SECONDS_TO_LIVE = 7 * 24 * 60 * 60
# Of one request, about 1.5 MB of 1,536-dimension vectors: well within the read timeout.
REQUEST_KEYS = 256


class EmbeddingCache:
    """Vectors that were paid for once: `embedding_cache:{content_hash}`, bytes that live 7 days."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def get_many(self, content_hashes: Sequence[str]) -> dict[str, bytes]:
        """What is kept, by hash; nothing where Redis is away."""
        kept: dict[str, bytes] = {}
        for start in range(0, len(content_hashes), REQUEST_KEYS):
            kept |= await self._get(content_hashes[start : start + REQUEST_KEYS])
        return kept

    async def set_many(self, values: Mapping[str, bytes]) -> None:
        remaining = iter(values.items())
        while some := dict(islice(remaining, REQUEST_KEYS)):
            await self._set(some)

    async def drop_many(self, content_hashes: Sequence[str]) -> bool:
        """False where Redis is away, and the vectors may stay up to 7 days."""
        for start in range(0, len(content_hashes), REQUEST_KEYS):
            if not await self._drop(content_hashes[start : start + REQUEST_KEYS]):
                return False
        return True

    async def _drop(self, content_hashes: Sequence[str]) -> bool:
        async def remove(redis: Redis) -> bool:
            await redis.delete(*map(_embedding_key, content_hashes))
            return True

        return await self._cache.run(remove, otherwise=False)

    async def _get(self, content_hashes: Sequence[str]) -> dict[str, bytes]:
        async def read(redis: Redis) -> dict[str, bytes]:
            values = await redis.mget([_embedding_key(each) for each in content_hashes])
            found = zip(content_hashes, values, strict=True)
            return {each: value for each, value in found if isinstance(value, bytes)}

        nothing: dict[str, bytes] = {}
        return await self._cache.run(read, otherwise=nothing)

    async def _set(self, values: Mapping[str, bytes]) -> None:
        async def write(redis: Redis) -> None:
            async with redis.pipeline(transaction=False) as pipeline:
                for content_hash, value in values.items():
                    pipeline.set(_embedding_key(content_hash), value, ex=EMBEDDING_SECONDS_TO_LIVE)
                await pipeline.execute()

        await self._cache.run(write, otherwise=None)


def _embedding_key(content_hash: str) -> str:
    return redis_key("embedding_cache", content_hash)


RATE_LIMIT_SECONDS = 60


class RateLimiter:
    """`rate_limit:{user_id}`, a counter that starts with the first request and lives 60 seconds.

    A limit of 0 means no limit. Where Redis is away everybody is allowed: a lost counter
    must not lock people out of their own memories.
    """

    def __init__(self, cache: Cache, limit_per_minute: int) -> None:
        self._cache = cache
        self._limit = limit_per_minute

    async def allow(self, user_id: str) -> bool:
        """Counts this request, also a refused one, and says whether it is within the limit."""
        if self._limit == 0:
            return True
        name = redis_key("rate_limit", user_id)

        async def count(redis: Redis) -> int:
            # Not INCR with EXPIRE NX: servers before Redis 7 refuse that after they
            # counted, which leaves a counter that never ends.
            async with redis.pipeline(transaction=True) as pipeline:
                pipeline.set(name, 0, ex=RATE_LIMIT_SECONDS, nx=True)
                pipeline.incr(name)
                _, counted = await pipeline.execute()
                return int(counted)

        return await self._cache.run(count, otherwise=0) <= self._limit


SESSION_SECONDS_TO_LIVE = 24 * 60 * 60


def _well_formed(text: str) -> str:
    """Without lone surrogates, which neither the database nor JSON can hold."""
    return text.encode("utf-8", "ignore").decode()


WellFormedText: TypeAlias = Annotated[str, AfterValidator(_well_formed)]


class CachedMessage(BaseModel):
    """One message as the agent reads it."""

    model_config = ConfigDict(frozen=True)

    role: WellFormedText
    content: WellFormedText


class SessionState(BaseModel):
    """The end of a conversation, oldest message first.

    `last_position` is the position of the newest message held: where the database has a
    later one, the state is stale.
    """

    model_config = ConfigDict(frozen=True)

    last_position: int
    messages: tuple[CachedMessage, ...]
    goal: WellFormedText | None = None


SessionFields: TypeAlias = Mapping[bytes, bytes]

MESSAGES_ADAPTER = TypeAdapter(tuple[CachedMessage, ...])


class SessionCache:
    """The newest messages of a conversation: `session:{user_id}:{conversation_id}`, a hash that
    lives 24 hours after its last save.

    A turn begins before it stores or reads a word of the conversation, and saves at its end. Where
    something was forgotten between the two, its words must not come back with what the turn has of
    them: `drop` takes the stamp away that `begin` gave, and nothing is saved without it.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def begin(self, user_id: str, conversation_id: str) -> bytes | None:
        """The stamp under which `save` may keep what is stored and read after this; None where
        Redis is away."""
        name = redis_key("session", user_id, conversation_id)

        async def stamp(redis: Redis) -> bytes | None:
            async with redis.pipeline(transaction=True) as pipeline:
                pipeline.hsetnx(name, "stamp", uuid4().hex)
                pipeline.expire(name, SESSION_SECONDS_TO_LIVE, nx=True)
                pipeline.hget(name, "stamp")
                held: bytes | None = (await pipeline.execute())[-1]
            return held

        return await self._cache.run(stamp, otherwise=None)

    async def load(self, user_id: str, conversation_id: str) -> SessionState | None:
        """None where nothing (readable) is kept, or Redis is away."""
        name = redis_key("session", user_id, conversation_id)

        async def read(redis: Redis) -> SessionFields:
            return cast(SessionFields, await redis.hgetall(name))

        nothing: SessionFields = {}
        return _from_fields(await self._cache.run(read, otherwise=nothing))

    async def save(
        self, user_id: str, conversation_id: str, state: SessionState, stamp: bytes | None
    ) -> bool:
        """Replaces the whole state at once and starts its 24 hours anew; whether the stamp still
        held."""
        name = redis_key("session", user_id, conversation_id)
        fields = _to_fields(state, stamp or b"")

        async def replace(redis: Redis) -> bool:
            async with redis.pipeline(transaction=True) as pipeline:
                await pipeline.watch(name)
                if await pipeline.hget(name, "stamp") != stamp:
                    return False
                pipeline.multi()  # type: ignore[no-untyped-call]
                pipeline.delete(name)
                pipeline.hset(name, mapping=fields)
                pipeline.expire(name, SESSION_SECONDS_TO_LIVE)
                with suppress(WatchError):
                    await pipeline.execute()
                    return True
                return False

        return stamp is not None and await self._cache.run(replace, otherwise=False)

    async def drop(self, user_id: str, conversation_id: str) -> bool:
        """Forgets the state; False where Redis is away, and it may stay up to 24 hours."""
        name = redis_key("session", user_id, conversation_id)

        async def remove(redis: Redis) -> bool:
            await redis.delete(name)
            return True

        return await self._cache.run(remove, otherwise=False)


def _to_fields(state: SessionState, stamp: bytes) -> Mapping[FieldT, EncodableT]:
    fields: dict[FieldT, EncodableT] = {
        "stamp": stamp,
        "last_position": state.last_position,
        "messages": MESSAGES_ADAPTER.dump_json(state.messages),
    }
    # A hash holds no null: no goal is a missing field.
    return fields if state.goal is None else fields | {"goal": state.goal}


def _from_fields(fields: SessionFields) -> SessionState | None:
    if not fields.keys() - {b"stamp"}:
        return None
    try:
        goal = fields.get(b"goal")
        return SessionState(
            last_position=int(fields[b"last_position"]),
            messages=MESSAGES_ADAPTER.validate_json(fields[b"messages"]),
            goal=goal.decode() if isinstance(goal, bytes) else goal,
        )
    except (KeyError, ValueError) as error:
        _log.warning("cached_session_unreadable", reason=type(error).__name__)
        return None
