"""The outages of specification 000, each alone, and both searches at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from eval.outage.failing import (
    AwayEmbedder,
    LateEmbedder,
    WithoutBothSearches,
    WithoutKeywordSearch,
    WithoutVectorSearch,
)
from eval.system import System
from memory.assembly import make_memory
from memory.cache import Cache, EmbeddingCache, NoCache
from memory.database import Database
from memory.embedders.cached import CachedEmbedder
from memory.embedders.protocol import Embedder
from memory.recalls import Leg
from memory.service import Memory

# Instead of the seconds of the product, so that a run with an embedder that never answers ends.
LATE_SECONDS = 0.25
# Nothing listens there.
NOWHERE = "unix:///nonexistent/redis.sock"


@dataclass(frozen=True)
class Outage:
    """What is away, and the legs that an answer has to name as `degraded` then: with both of them
    it is empty and says that it is an error."""

    name: str
    degraded: tuple[Leg, ...] = ()
    database: type[Database] = Database
    embedder: Callable[[Embedder], Embedder] | None = None
    redis: bool = True
    embedding_seconds: float | None = None

    @property
    def error(self) -> bool:
        return len(self.degraded) == 2  # noqa: PLR2004 - both legs

    @asynccontextmanager
    async def open_memory(self, system: System) -> AsyncIterator[Memory]:
        """The product's memory over the system's data, without what is away.

        No vector of a question is cached, so that none can stand in for an embedder that is away,
        and no recall is faster than the one it is compared with.
        """
        settings = system.settings
        if self.embedding_seconds is not None:
            late = {"embedding_timeout_seconds": self.embedding_seconds}
            settings = settings.model_copy(update=late)
        async with AsyncExitStack() as stack:
            database = await self.database.open(system.owner_url)
            stack.push_async_callback(database.close)
            lost = Cache(NOWHERE)
            stack.push_async_callback(lost.aclose)
            memory = make_memory(
                database,
                CachedEmbedder(self._embedder(system), EmbeddingCache(self._vectors(lost))),
                system.cache if self.redis else lost,
                system.counter,
                settings,
            )
            stack.push_async_callback(memory.aclose)
            yield memory

    def _vectors(self, lost: Cache) -> Cache:
        return NoCache() if self.redis else lost

    def _embedder(self, system: System) -> Embedder:
        given = system.embedder
        inner = given.inner if isinstance(given, CachedEmbedder) else given
        return inner if self.embedder is None else self.embedder(inner)


WHOLE = Outage("whole")
OUTAGES = (
    Outage("vector", ("vector",), database=WithoutVectorSearch),
    Outage("keyword", ("keyword",), database=WithoutKeywordSearch),
    Outage("embedder", ("vector",), embedder=AwayEmbedder),
    Outage("late_embedder", ("vector",), embedder=LateEmbedder, embedding_seconds=LATE_SECONDS),
    Outage("redis", redis=False),
    Outage("both", ("keyword", "vector"), database=WithoutBothSearches),
)
