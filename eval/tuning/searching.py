"""The product's search, seen whole and with parts of it away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eval.calibration.training import parts
from eval.errors import RecallIncomplete
from eval.system import System
from eval.tuning.gathered import Seen, View
from memory.assembly.recalling import make_legs
from memory.assembly.recalling_messages import make_message_retriever
from memory.embedders.protocol import Embedding
from memory.errors import KeepsakeError
from memory.recall.messages.evidence import Weighed as WeighedMessage
from memory.recall.question import as_searched
from memory.recall.search.legs import Legs
from memory.recall.search.relevance import load_calibration
from memory.recall.search.searching import Pool, Searching
from memory.recall.timing import Timing, timing_of
from memory.store.conversations.message_search import MessageRow, MessageScope, Neighbour
from memory.store.memories.search import KeywordHit, Scope, Search, VectorHit

_NOT_TIMED: View = "untimed"


class LegAway(KeepsakeError):
    """The {leg} leg is switched off, to see what the other one is worth."""


@dataclass(frozen=True)
class MeaningAlone:
    """A search whose keyword leg fails, as it would in an outage."""

    inner: Search

    async def search_by_keyword(self, scope: Scope, query: str, pool: int) -> list[KeywordHit]:
        raise LegAway(leg="keyword")

    async def search_by_vector(
        self, scope: Scope, embedding: Embedding, pool: int
    ) -> list[VectorHit]:
        return await self.inner.search_by_vector(scope, embedding, pool)


@dataclass(frozen=True)
class NoEmbedder:
    """An embedder that is away, so that words alone are left."""

    model: str
    dimensions: int

    async def embed_query(self, text: str) -> Embedding:
        raise LegAway(leg="vector")

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise LegAway(leg="vector")

    async def aclose(self) -> None:
        return None


class MemorySearches:
    """The search for memories, in several views."""

    def __init__(self, system: System, views: Sequence[View]) -> None:
        self._texts: dict[str, str] = {}
        self._searches = {view: _searching(system, view) for view in views}

    async def run(self, scope: Scope, question: str) -> dict[View, Seen]:
        """Raises RecallIncomplete where a leg fails that is to answer."""
        query = as_searched(question)
        if not query:
            return {view: Seen((), (), Timing()) for view in self._searches}
        timing = timing_of(query, scope.now)
        return {
            view: self._seen(
                view,
                await searching.gather(scope, query, Timing() if view == _NOT_TIMED else timing),
            )
            for view, searching in self._searches.items()
        }

    def _seen(self, view: View, pool: Pool) -> Seen:
        found = pool.found
        missing = [leg for leg in found.failed if view not in {"keyword", "vector"} or leg == view]
        if missing:
            raise RecallIncomplete(legs=" and ".join(missing))
        ranked = (found.keyword or (), found.vector or ())
        weighed = tuple(
            (replace(row, content=_once(self._texts, row.content)), why)
            for row, why in pool.weighed
        )
        ranks = tuple(tuple(hit.id for hit in leg) for leg in ranked)
        return Seen(weighed, ranks, pool.timing, pool.whole_topic)


class MessageSearches:
    """The search for past messages; it reads no time in a question, so that view is left out."""

    def __init__(self, system: System, views: Sequence[View]) -> None:
        self._texts: dict[str, str] = {}
        self._views = [view for view in views if view != _NOT_TIMED]
        self._retriever = make_message_retriever(
            system.database, system.embedder, system.counter, system.settings, lambda _: None
        )

    async def run(
        self, scope: MessageScope, question: str
    ) -> Mapping[View, Sequence[WeighedMessage]]:
        """Raises RecallIncomplete."""
        query = as_searched(question)
        found = await self._retriever.find(scope, query)
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        apart = parts(found)
        seen: dict[View, Sequence[WeighedMessage]] = {}
        for view in self._views:
            part = apart["both" if view == "whole" else view]
            weighed = await self._retriever.weigh(scope, query, part)
            seen[view] = tuple((self._shared(row), why) for row, why in weighed)
        return seen

    def _shared(self, row: MessageRow) -> MessageRow:
        """A long message is a candidate of many questions, and need not lie in memory for each."""
        return replace(
            row,
            content=_once(self._texts, row.content),
            before=self._shared_neighbour(row.before),
            after=self._shared_neighbour(row.after),
        )

    def _shared_neighbour(self, neighbour: Neighbour | None) -> Neighbour | None:
        if neighbour is None:
            return None
        return replace(neighbour, content=_once(self._texts, neighbour.content))


def _once(texts: dict[str, str], text: str) -> str:
    return texts.setdefault(text, text)


def _searching(system: System, view: View) -> Searching:
    search, settings, embedder = Search(system.database), system.settings, system.embedder
    legs = make_legs(system.database, embedder, settings)
    if view == "keyword":
        away = NoEmbedder(embedder.model, embedder.dimensions)
        legs = make_legs(system.database, away, settings)
    if view == "vector":
        legs = Legs(
            MeaningAlone(search),
            embedder,
            embedding_timeout=settings.embedding_timeout_seconds,
            search_timeout=settings.recall_timeout_seconds,
        )
    return Searching(search, legs, load_calibration(embedder.model), rrf_k=settings.rrf_k)
