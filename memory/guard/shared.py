"""What the processes of an installation know of a dependency together, in Redis."""

from __future__ import annotations

import math
from collections.abc import Callable

from redis.asyncio import Redis
from redis.exceptions import WatchError

from memory.cache import Cache
from memory.cache.connection import key
from memory.guard.circuit import Circuit, Limits, from_text, to_text

# Two processes that change one circuit at the same moment; more than a few in a row is no chance.
TRIES = 5
Change = Callable[[Circuit], Circuit]


class SharedCircuits:
    """`error_guard:{name}`, a circuit as JSON, which goes when nothing was heard of for longer
    than it could matter."""

    def __init__(self, cache: Cache, limits: Limits) -> None:
        self._cache = cache
        self._seconds_to_live = math.ceil(limits.window + 2 * limits.cooldown)

    async def change(self, name: str, change: Change, known: Circuit) -> tuple[Circuit, Circuit]:
        """The circuit before and after; that of the process alone, as `known`, where Redis is
        away."""

        async def act(redis: Redis) -> tuple[Circuit, Circuit]:
            for _ in range(TRIES):
                changed = await self._try(redis, key("error_guard", name), change)
                if changed is not None:
                    return changed
            return known, change(known)

        return await self._cache.run(act, otherwise=(known, change(known)))

    async def _try(self, redis: Redis, name: str, change: Change) -> tuple[Circuit, Circuit] | None:
        """None where another process was faster."""
        async with redis.pipeline(transaction=True) as pipeline:
            await pipeline.watch(name)
            before = from_text(await pipeline.get(name))
            after = change(before)
            if after == before:
                return before, after
            pipeline.multi()  # type: ignore[no-untyped-call]
            if after == Circuit():
                pipeline.delete(name)
            else:
                pipeline.set(name, to_text(after), ex=self._seconds_to_live)
            try:
                await pipeline.execute()
            except WatchError:
                return None
            return before, after
