"""The connection to Redis (or Valkey) that may be gone at any moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import quote

import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from memory.errors import CacheUnavailable

# Seconds: of one connect, of one read, and of a whole action.
CONNECT_TIMEOUT = 0.5
READ_TIMEOUT = 0.5
ACTION_TIMEOUT = 0.5
CONNECTIONS = 20
# After a failure Redis is left alone for so long, so that a dead host costs its
# timeout once a second and not once a call.
PAUSE = 1.0

Answer = TypeVar("Answer")

logger = structlog.get_logger()


class Cache:
    """Runs actions on Redis and answers without it where it is away.

    An outage is logged once when it begins and once when it ends. The URL is `redis://`,
    `rediss://` or `unix:///`; the log never holds it, since it can carry a password.
    `clock` gives monotonic seconds; `on_change` is called when an outage begins (True) and when
    it ends (False).
    """

    def __init__(
        self,
        url: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[bool], None] | None = None,
    ) -> None:
        self._redis = _connect(url)
        self._clock = clock
        self._on_change = on_change
        self._away = False
        self._paused_until = 0.0

    async def run(self, action: Callable[[Redis], Awaitable[Answer]], otherwise: Answer) -> Answer:
        """What the action answers, or `otherwise` where Redis does not."""
        if self._away and not self._may_try():
            return otherwise
        try:
            async with asyncio.timeout(ACTION_TIMEOUT):
                answer = await action(self._redis)
        except (RedisError, OSError) as error:
            self._failed(error)
            return otherwise
        self._answered()
        return answer

    async def rewrite_file(self) -> None:
        """Has the server write its append-only file anew, without what was deleted; it does so
        behind this call. One that keeps no file, is at it, or may not is left alone."""

        async def ask(redis: Redis) -> None:
            with suppress(ResponseError):
                await redis.bgrewriteaof()

        await self.run(ask, otherwise=None)

    async def ping(self) -> None:
        """Asks Redis even in an outage. Raises CacheUnavailable."""
        try:
            async with asyncio.timeout(ACTION_TIMEOUT):
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
        self._paused_until = now + PAUSE
        return True

    def _failed(self, error: Exception) -> None:
        self._paused_until = self._clock() + PAUSE
        if not self._away:
            self._turn(away=True)
            logger.warning("cache_away", reason=_reason(error))

    def _answered(self) -> None:
        if self._away:
            self._turn(away=False)
            logger.warning("cache_is_back")

    def _turn(self, *, away: bool) -> None:
        self._away = away
        if self._on_change is not None:
            self._on_change(away)


class NoCache(Cache):
    """For an incognito conversation: nothing reaches Redis, every action gives `otherwise`."""

    def __init__(self) -> None:
        super().__init__("redis://")

    async def run(self, action: Callable[[Redis], Awaitable[Answer]], otherwise: Answer) -> Answer:
        return otherwise

    async def ping(self) -> None:
        return


def key(kind: str, *ids: str) -> str:
    """`kind:id:id`. Colons and other signs within an id are percent-encoded, so that two
    lists of ids never share a key; letters, digits and `_.-~@` stay as they are."""
    return ":".join([kind, *(quote(part, safe="@", errors="surrogatepass") for part in ids)])


def _connect(url: str) -> Redis:
    # A crowd of callers waits for a connection; the plain pool would refuse some, and a
    # refusal looks like an outage. No retries (the client's default is several, with
    # pauses); the pool itself replaces connections that a restarted server has closed.
    pool: BlockingConnectionPool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=CONNECT_TIMEOUT,
        socket_connect_timeout=CONNECT_TIMEOUT,
        socket_timeout=READ_TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)


def _reason(error: Exception) -> str:
    # The words of other errors can quote the arguments of a command.
    if isinstance(error, RedisConnectionError | RedisTimeoutError | OSError):
        return str(error) or type(error).__name__
    return type(error).__name__
