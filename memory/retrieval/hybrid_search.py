"""The two legs of a search, by keyword and by vector, and reciprocal rank fusion of their
rankings."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import structlog

from memory.embeddings.model_switch import active_model_name
from memory.embeddings.protocol import BestEffortEmbedder, Embedder, Embedding
from memory.errors import EmbeddingOutdated
from memory.store.search import KeywordHit, SearchScope, VectorHit
from memory.types import SearchMethod

RRF_K = 60

Key = TypeVar("Key", bound=Hashable)


def fuse(rankings: Sequence[Sequence[Key]], k: int = RRF_K) -> list[tuple[Key, float]]:
    """Every key of any ranking with its score Σ 1 / (k + rank), ranks from 1, best first.

    Cormack, Clarke and Büttcher, SIGIR 2009. At most len(rankings) / (k + 1), so no
    threshold on relevance can be put on it. Ties keep the order of first appearance.
    """
    scores: dict[Key, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] += 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


POOL = 60
S = TypeVar("S")
Gathered = TypeVar("Gathered")
S_contra = TypeVar("S_contra", contravariant=True)
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class SearchResults:
    """What the legs found; `keyword` or `vector` is None where that leg did not answer.

    `nameless` is the vector of the question without its names, where it has any.
    """

    keyword: list[KeywordHit] | None
    vector: list[VectorHit] | None
    embedding: Embedding | None
    embedding_seconds: float
    nameless: Embedding | None = None

    @property
    def all_failed(self) -> bool:
        """Whether neither leg answered, which is not to have found nothing."""
        return self.keyword is None and self.vector is None

    @property
    def failed(self) -> tuple[SearchMethod, ...]:
        answered = {"keyword": self.keyword, "vector": self.vector}
        return tuple(leg for leg in ("keyword", "vector") if answered[leg] is None)


class SearchBackend(Protocol[S_contra]):
    """What two legs run over: `memory.store.search.MemorySearch` is one for memories."""

    async def search_by_keyword(
        self, scope: S_contra, query: str, pool: int
    ) -> list[KeywordHit]: ...

    async def search_by_vector(
        self, scope: S_contra, embedding: Embedding, pool: int
    ) -> list[VectorHit]: ...


class HybridSearch(Generic[S]):
    """Runs both legs at the same time; the keyword leg does not wait for the embedding."""

    def __init__(
        self,
        search: SearchBackend[S],
        embedder: Embedder,
        *,
        embedding_timeout: float,
        search_timeout: float,
    ) -> None:
        self._search = search
        self._whole = embedder
        self._embedder = BestEffortEmbedder(embedder, embedding_timeout, event="query_not_embedded")
        self.search_timeout = search_timeout

    async def run(self, scope: S, query: str, nameless: str | None = None) -> SearchResults:
        """Both legs for one query, each with at most `POOL` hits; `nameless`, the same without its
        names, is embedded beside. Never raises KeepsakeError."""
        async with asyncio.TaskGroup() as group:
            keyword = group.create_task(self._by_keyword(scope, query))
            vector = group.create_task(self._by_vector(scope, query))
            beside = group.create_task(self._embedder.embed_query(nameless))
        hits, embedding, seconds = vector.result()
        other = None if embedding is None else beside.result()
        return SearchResults(keyword.result(), hits, embedding, seconds, other)

    async def of_one_model(self, gather: Callable[[str], Awaitable[Gathered]]) -> Gathered:
        """What is gathered by searches of one embedding model, by its name; once more where the
        vectors were swapped for another model's in the middle of it."""
        model = await active_model_name(self._whole)
        with suppress(EmbeddingOutdated):
            gathered = await gather(model)
            if await active_model_name(self._whole) == model:
                return gathered
        return await gather(await active_model_name(self._whole))

    async def _by_keyword(self, scope: S, query: str) -> list[KeywordHit] | None:
        try:
            async with asyncio.timeout(self.search_timeout):
                return await self._search.search_by_keyword(scope, query, POOL)
        except Exception as error:  # nothing that breaks a leg takes the other one with it
            _log.warning("keyword_leg_failed", reason=type(error).__name__)
            return None

    async def _by_vector(
        self, scope: S, query: str
    ) -> tuple[list[VectorHit] | None, Embedding | None, float]:
        began = time.perf_counter()
        embedding = await self._embedder.embed_query(query)
        seconds = time.perf_counter() - began
        if embedding is None:
            return None, None, seconds
        try:
            async with asyncio.timeout(self.search_timeout):
                hits = await self._search.search_by_vector(scope, embedding, POOL)
        except EmbeddingOutdated as error:  # what the words find cannot be compared with it either
            _log.warning("vector_leg_failed", reason=type(error).__name__)
            return None, None, seconds
        except Exception as error:
            _log.warning("vector_leg_failed", reason=type(error).__name__)
            return None, embedding, seconds
        return hits, embedding, seconds


MemoryHybridSearch = HybridSearch[SearchScope]
