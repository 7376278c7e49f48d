"""The product's search, run once for each question in several views: what every setting is judged
on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from math import comb
from typing import Literal, TypeAlias, TypedDict
from uuid import UUID

from rich.progress import Progress

from eval.bulk_load import vacuum_analyze
from eval.calibration.candidates import split_legs
from eval.corpus import Corpus, CorpusQuestion, StoredCorpus, store_as_memories, store_as_messages
from eval.datasets.golden import GOLDEN_NOW, GoldenCase, GoldenRun, GoldenSet
from eval.errors import NothingToTune, RecallIncomplete
from eval.system import System
from eval.tuning.sources import TuningSources
from memory.embeddings.protocol import Embedding
from memory.errors import KeepsakeError
from memory.factory import make_hybrid_search, make_message_retriever
from memory.retrieval.candidates import CandidatePool, CandidateSearch
from memory.retrieval.hybrid_search import MemoryHybridSearch
from memory.retrieval.message_relevance import WeighedMessage
from memory.retrieval.query import prepare_query
from memory.retrieval.relevance import WeighedMemory, load_calibration
from memory.retrieval.time_filter import TimeFilter, parse_time_filter
from memory.store.search import (
    AdjacentMessage,
    KeywordHit,
    MemorySearch,
    MessageCandidate,
    MessageScope,
    SearchScope,
    VectorHit,
)
from memory.text import to_first_person
from memory.understanding.cross_encoder import PairLogits

View = Literal["whole", "keyword", "vector", "untimed"]
WHOLE: View = "whole"
"""The search as it is; with one leg alone, as if the other had failed; and with the words of time
taken for words like any other."""
IdPair: TypeAlias = tuple[UUID, UUID]


class LazyCosines(Mapping[IdPair, float]):
    """The cosine of any two that have a vector, worked out when it is asked for: of a hundred
    candidates there are thousands of pairs, and a recall looks at few."""

    def __init__(self, vectors: Mapping[UUID, Embedding]) -> None:
        self._vectors = vectors

    def __getitem__(self, pair: IdPair) -> float:
        one, other = pair
        return float(self._vectors[one] @ self._vectors[other])

    def __iter__(self) -> Iterator[IdPair]:
        return combinations(sorted(self._vectors), 2)

    def __len__(self) -> int:
        return comb(len(self._vectors), 2)


@dataclass(frozen=True, kw_only=True)
class RecordedQuestion:
    """One question. `covers` says by id what evidence a candidate holds and `wanted` what of it
    answers. `group` is the set and view, `fold` what is held out together, `limit` the question's
    own where it has one."""

    group: str
    fold: str
    id: str
    category: str
    query: str
    now: datetime
    wanted: frozenset[str]
    covers: Mapping[str, frozenset[str]]
    limit: int | None = None


@dataclass(frozen=True)
class RecordedSearch:
    """What one view of the search found: the candidates with their evidence, the ids of each leg,
    best first, and the time that the question was taken to speak of."""

    weighed: Sequence[WeighedMemory]
    rankings: Sequence[Sequence[UUID]]
    timing: TimeFilter
    whole_topic: bool = False


@dataclass(frozen=True, kw_only=True)
class RecordedMemoryQuestion(RecordedQuestion):
    """`cosines` are those between the candidates of any view; `reads` what was read of a memory
    together with the question, with its time or without, each when it is first asked for."""

    views: Mapping[View, RecordedSearch]
    cosines: Mapping[IdPair, float]
    reads: dict[str, dict[UUID, PairLogits | None]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RecordedMessageQuestion(RecordedQuestion):
    """Past messages instead of memories; time is not read in a question about them."""

    views: Mapping[View, Sequence[WeighedMessage]]


_NOT_TIMED: View = "untimed"


class LegSwitchedOff(KeepsakeError):
    """The {leg} leg is switched off, to see what the other one is worth."""


@dataclass(frozen=True)
class VectorOnlySearch:
    """A search whose keyword leg fails, as it would in an outage."""

    inner: MemorySearch

    async def search_by_keyword(
        self, scope: SearchScope, query: str, pool: int
    ) -> list[KeywordHit]:
        raise LegSwitchedOff(leg="keyword")

    async def search_by_vector(
        self, scope: SearchScope, embedding: Embedding, pool: int
    ) -> list[VectorHit]:
        return await self.inner.search_by_vector(scope, embedding, pool)


@dataclass(frozen=True)
class KeywordOnlyEmbedder:
    """An embedder that is away, so that words alone are left."""

    model: str
    dimensions: int

    async def embed_query(self, text: str) -> Embedding:
        raise LegSwitchedOff(leg="vector")

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise LegSwitchedOff(leg="vector")

    async def aclose(self) -> None:
        return None


class MemorySearchViews:
    """The search for memories, in several views."""

    def __init__(self, system: System, views: Sequence[View]) -> None:
        self._texts: dict[str, str] = {}
        self._searches = {view: _searching(system, view) for view in views}

    async def run(self, scope: SearchScope, question: str) -> dict[View, RecordedSearch]:
        """Raises RecallIncomplete where a leg fails that is to answer."""
        query = prepare_query(question)
        if not query:
            return {view: RecordedSearch((), (), TimeFilter()) for view in self._searches}
        timing = parse_time_filter(query, scope.now)
        return {
            view: self._seen(
                view,
                await searching.gather(
                    scope, query, TimeFilter() if view == _NOT_TIMED else timing
                ),
            )
            for view, searching in self._searches.items()
        }

    def _seen(self, view: View, pool: CandidatePool) -> RecordedSearch:
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
        return RecordedSearch(weighed, ranks, pool.timing, pool.whole_topic)


class MessageSearchViews:
    """The search for past messages; it reads no time in a question, so that view is left out."""

    def __init__(self, system: System, views: Sequence[View]) -> None:
        self._texts: dict[str, str] = {}
        self._views = [view for view in views if view != _NOT_TIMED]
        self._retriever = make_message_retriever(
            system.database, system.embedder, system.counter, system.settings
        )

    async def run(
        self, scope: MessageScope, question: str
    ) -> Mapping[View, Sequence[WeighedMessage]]:
        """Raises RecallIncomplete."""
        query = prepare_query(question)
        found = await self._retriever.find(scope, query)
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        apart = split_legs(found)
        seen: dict[View, Sequence[WeighedMessage]] = {}
        for view in self._views:
            part = apart["both" if view == "whole" else view]
            weighed = await self._retriever.weigh(scope, query, part)
            seen[view] = tuple((self._shared(row), why) for row, why in weighed)
        return seen

    def _shared(self, row: MessageCandidate) -> MessageCandidate:
        """A long message is a candidate of many questions, and need not lie in memory for each."""
        return replace(
            row,
            content=_once(self._texts, row.content),
            before=self._shared_neighbour(row.before),
            after=self._shared_neighbour(row.after),
        )

    def _shared_neighbour(self, neighbour: AdjacentMessage | None) -> AdjacentMessage | None:
        if neighbour is None:
            return None
        return replace(neighbour, content=_once(self._texts, neighbour.content))


def _once(texts: dict[str, str], text: str) -> str:
    return texts.setdefault(text, text)


def _searching(system: System, view: View) -> CandidateSearch:
    search, settings, embedder = MemorySearch(system.database), system.settings, system.embedder
    legs = make_hybrid_search(system.database, embedder, settings)
    if view == "keyword":
        away = KeywordOnlyEmbedder(embedder.model, embedder.dimensions)
        legs = make_hybrid_search(system.database, away, settings)
    if view == "vector":
        legs = MemoryHybridSearch(
            VectorOnlySearch(search),
            embedder,
            embedding_timeout=settings.embedding_timeout_seconds,
            search_timeout=settings.recall_timeout_seconds,
        )
    return CandidateSearch(search, legs, load_calibration, rrf_k=settings.rrf_k)


GOLDEN = "golden"
PATIENCE = 60.0
StoreFunction: TypeAlias = Callable[[System, str, Corpus], Awaitable[StoredCorpus]]


class RecordedFields(TypedDict):
    """What a question has, whatever it is asked of."""

    group: str
    fold: str
    id: str
    category: str
    query: str
    now: datetime
    wanted: frozenset[str]
    covers: Mapping[str, frozenset[str]]


class SearchRecorder:
    """Each corpus and each golden store has a user of its own in the system's database. What is
    held back is never asked."""

    def __init__(self, system: System, views: Sequence[View] = (WHOLE,)) -> None:
        self._system = patient = _patient(system)
        self._memories = MemorySearchViews(patient, views)
        self._messages = MessageSearchViews(patient, views)
        self._vectors: dict[str, Embedding] = {}

    async def groups(
        self, sources: TuningSources, progress: Progress
    ) -> AsyncIterator[Sequence[RecordedQuestion]]:
        """The golden set, then every set that was named, one at a time: a large one fills a
        gigabyte. Raises NothingToTune, RecallIncomplete, VectorsMissing."""
        yield await self.golden(sources.golden, progress)
        for group, corpora in sources.memories.items():
            yield await self.memories(group, corpora, progress)
        for group, corpora in sources.messages.items():
            yield await self.messages(group, corpora, progress)

    async def golden(self, golden: GoldenSet, progress: Progress) -> list[RecordedQuestion]:
        """The cases that may be seen. Raises NothingToTune where there are none."""
        seen = without_held_back(golden)
        run = GoldenRun(self._system, seen)
        await run.store(progress)
        await vacuum_analyze(self._system.owner_url)
        asking = progress.track(seen.cases, description="gathering golden")
        return [await self._of_case(run, case) for case in asking]

    async def memories(
        self, group: str, corpora: Sequence[Corpus], progress: Progress
    ) -> list[RecordedQuestion]:
        """The questions of corpora that are kept as memories."""
        stored = await self._store(group, corpora, store_as_memories, progress)
        asked = [(corpus, question) for corpus in corpora for question in corpus.questions]
        return [
            await self._of_memories(group, corpus, question, stored[corpus.name])
            for corpus, question in progress.track(asked, description=f"gathering {group}")
        ]

    async def messages(
        self, group: str, corpora: Sequence[Corpus], progress: Progress
    ) -> list[RecordedQuestion]:
        """The questions of corpora that are kept as the messages of a conversation."""
        stored = await self._store(group, corpora, store_as_messages, progress)
        asked = [(corpus, question) for corpus in corpora for question in corpus.questions]
        return [
            await self._of_messages(group, corpus, question, stored[corpus.name])
            for corpus, question in progress.track(asked, description=f"gathering {group}")
        ]

    async def _store(
        self, group: str, corpora: Sequence[Corpus], store: StoreFunction, progress: Progress
    ) -> dict[str, StoredCorpus]:
        """By name; with statistics that know of the rows, without which a search may take long."""
        stored = {
            corpus.name: await store(self._system, f"tuning {group}", corpus)
            for corpus in progress.track(corpora, description=f"storing {group}")
        }
        await vacuum_analyze(self._system.owner_url)
        return stored

    async def _of_case(self, run: GoldenRun, case: GoldenCase) -> RecordedMemoryQuestion:
        tenant = run.tenant_of(case)
        views = await self._memories.run(
            SearchScope(tenant.user_id, GOLDEN_NOW, types=case.types), case.query
        )
        return RecordedMemoryQuestion(
            group=GOLDEN,
            fold=tenant.user_id,
            id=case.id,
            category=case.category,
            query=case.query,
            now=GOLDEN_NOW,
            wanted=frozenset(tenant.ids[content] for content in case.expected_retrievals),
            covers={item_id: frozenset({item_id}) for item_id in tenant.ids.values()},
            limit=case.limit,
            views=views,
            cosines=await self._cosines(views),
        )

    async def _of_memories(
        self, group: str, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> RecordedMemoryQuestion:
        views = await self._memories.run(SearchScope(stored.user_id, corpus.now), question.text)
        return RecordedMemoryQuestion(
            **_common(group, corpus, question, stored),
            views=views,
            cosines=await self._cosines(views),
        )

    async def _of_messages(
        self, group: str, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> RecordedMessageQuestion:
        scope = MessageScope(stored.user_id, until=corpus.now)
        views = await self._messages.run(scope, question.text)
        return RecordedMessageQuestion(**_common(group, corpus, question, stored), views=views)

    async def _cosines(self, views: Mapping[View, RecordedSearch]) -> LazyCosines:
        """The store keeps its vectors to itself: they are made again, each text once."""
        texts: dict[UUID, str] = {
            row.id: to_first_person(row.content)
            for seen in views.values()
            for row, _ in seen.weighed
        }
        fresh = [text for text in dict.fromkeys(texts.values()) if text not in self._vectors]
        if fresh:
            async with asyncio.timeout(PATIENCE):
                made = await self._system.embedder.embed_texts(fresh)
            self._vectors |= dict(zip(fresh, made, strict=True))
        return LazyCosines({key: self._vectors[text] for key, text in texts.items()})


def without_held_back(golden: GoldenSet) -> GoldenSet:
    """The cases that may be seen while tuning. Raises NothingToTune where there are none."""
    seen = tuple(case for case in golden.cases if not case.held_back)
    if not seen:
        raise NothingToTune
    return golden.model_copy(update={"cases": seen})


def _patient(system: System) -> System:
    """A leg that is late would be missing in every setting alike: nothing is late here."""
    late = {"embedding_timeout_seconds": PATIENCE, "recall_timeout_seconds": PATIENCE}
    return replace(system, settings=system.settings.model_copy(update=late))


def _common(
    group: str, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
) -> RecordedFields:
    return RecordedFields(
        group=group,
        fold=corpus.name,
        id=question.id,
        category=question.category,
        query=question.text,
        now=corpus.now,
        wanted=question.evidence & stored.reachable,
        covers=stored.covers,
    )
