"""What the recalls over memories and over past messages see of labelled questions: with both legs,
and with either alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rich.progress import Progress

from eval.corpus import Corpus, CorpusQuestion, StoredCorpus, store_as_memories, store_as_messages
from eval.errors import RecallIncomplete
from eval.system import System
from memory.embeddings.cached import CachedEmbedder
from memory.factory import make_hybrid_search, make_message_retriever
from memory.retrieval.candidates import CandidateSearch
from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.message_relevance import MessageCalibration, load_message_calibration
from memory.retrieval.message_retriever import MessageRetriever
from memory.retrieval.query import mask_names, prepare_query
from memory.retrieval.relevance import LegCoefficients, load_calibration
from memory.store.search import MemorySearch, MessageScope, SearchScope

LEG_COMBINATIONS = tuple(LegCoefficients.model_fields)


@dataclass(frozen=True)
class LabelledCandidate:
    """A memory or a message by what speaks for it. `covers` is the wanted evidence that it holds;
    empty where it does not help. `text` is a memory's."""

    features: Mapping[str, float]
    covers: frozenset[str]
    text: str = ""

    @property
    def helps(self) -> bool:
        return bool(self.covers)


@dataclass(frozen=True)
class LabelledQuestion:
    """One question with its candidates. Questions of one `fold` are held out together."""

    fold: str
    wanted: frozenset[str]
    candidates: tuple[LabelledCandidate, ...]
    text: str = ""


# By the legs that answer, and by what is fitted on it where that is more than one thing.
TrainingData: TypeAlias = dict[str, list[LabelledQuestion]]
CandidatesByLegs: TypeAlias = dict[str, tuple[LabelledCandidate, ...]]


class MemoryCandidateCollector:
    """Runs the product's legs and weighing over corpora; each has a user of its own."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._legs = make_hybrid_search(system.database, system.embedder, system.settings)
        self._searching = CandidateSearch(
            MemorySearch(system.database), self._legs, load_calibration
        )

    async def gather(self, corpora: Sequence[Corpus], progress: Progress) -> TrainingData:
        """The questions by the legs that answer: both, keyword alone, vector alone. A corpus is
        a fold. Raises RecallIncomplete."""
        return await collect_training_data(corpora, self._store, self.ask, progress)

    async def _store(self, corpus: Corpus) -> StoredCorpus:
        return await store_as_memories(self._system, "pairs", corpus)

    async def ask(
        self, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> CandidatesByLegs:
        """The candidates for a question, by the legs that answer. Raises RecallIncomplete."""
        scope = SearchScope(stored.user_id, corpus.now)
        query = prepare_query(question.text)
        found = await self._legs.run(scope, query, mask_names(query))
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        answers = {}
        for legs, part in split_legs(found).items():
            weighed = await self._searching.weigh(scope, query, part)
            answers[legs] = tuple(
                LabelledCandidate(
                    evidence.features, stored.covers[str(row.id)] & question.evidence, row.content
                )
                for row, evidence in weighed
            )
        return answers


async def collect_training_data(
    corpora: Sequence[Corpus],
    store: Callable[[Corpus], Awaitable[StoredCorpus]],
    ask: Callable[[Corpus, CorpusQuestion, StoredCorpus], Awaitable[CandidatesByLegs]],
    progress: Progress,
) -> TrainingData:
    """All questions to all corpora, each corpus a fold, by the legs that answer."""
    training: TrainingData = {legs: [] for legs in LEG_COMBINATIONS}
    task = progress.add_task("asking", total=len(corpora))
    for corpus in corpora:
        stored = await store(corpus)
        for question in corpus.questions:
            candidates = await ask(corpus, question, stored)
            for legs in LEG_COMBINATIONS:
                training[legs].append(
                    LabelledQuestion(
                        corpus.name, question.evidence, candidates[legs], question.text
                    )
                )
        progress.advance(task)
    return training


def split_legs(found: SearchResults) -> dict[str, SearchResults]:
    """The same search as if the other leg had failed."""
    return {
        "both": found,
        "keyword": replace(found, vector=None, embedding=None, nameless=None),
        "vector": replace(found, keyword=None),
    }


class MessageCandidateCollector:
    """Runs the product's legs and weighing over conversations; each has a user of its own."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._retriever = uncached_message_retriever(system)

    async def gather(self, corpora: Sequence[Corpus], progress: Progress) -> TrainingData:
        """The questions by the legs that answer. A conversation is a fold. Raises
        RecallIncomplete."""
        return await collect_training_data(corpora, self._store, self.ask, progress)

    async def _store(self, corpus: Corpus) -> StoredCorpus:
        return await store_as_messages(self._system, "dialogues", corpus)

    async def ask(
        self, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> CandidatesByLegs:
        """The candidates for a question, by the legs that answer. Raises RecallIncomplete."""
        scope = MessageScope(stored.user_id, until=corpus.now)
        query = prepare_query(question.text)
        found = await self._retriever.find(scope, query)
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        answers = {}
        for legs, part in split_legs(found).items():
            weighed = await self._retriever.weigh(scope, query, part)
            answers[legs] = tuple(
                LabelledCandidate(evidence.features, stored.covers[str(row.id)] & question.evidence)
                for row, evidence in weighed
            )
        return answers


def uncached_message_retriever(
    system: System, calibrate: Callable[[str], MessageCalibration] = load_message_calibration
) -> MessageRetriever:
    """The product's own, with these coefficients where there are any."""
    embedder = system.embedder
    return make_message_retriever(
        system.database,
        embedder.inner if isinstance(embedder, CachedEmbedder) else embedder,
        system.counter,
        system.settings,
        calibrate=calibrate,
    )
