"""How a corpus is kept and asked: as memories, or as the messages of a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from eval.calibration.message_training import MessageGatherer, message_retriever
from eval.calibration.training import Candidate, Gatherer
from eval.evidence.corpus import Corpus, Question
from eval.evidence.storing import StoredCorpus, store_conversation, store_corpus
from eval.system import System
from memory.assembly.recalling import make_retriever
from memory.recall.messages.relevance import MessageCoefficients, load_message_calibration
from memory.recall.messages.retriever import MessageRetriever
from memory.recall.retriever import Retriever
from memory.recall.search.relevance import Coefficients, load_calibration
from memory.recalls import Leg, MemoryQueryRequest, MessageQueryRequest

# The sets measure the ranking; what the cut-off leaves of it is taken from the same ranking.
NO_CUT_OFF = 0.0
AMPLE_TOKENS = 1_000_000


class Recalled(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def relevance_score(self) -> float: ...


class Answer(Protocol):
    """What both recalls answer with."""

    @property
    def items(self) -> Sequence[Recalled]: ...
    @property
    def degraded(self) -> tuple[Leg, ...]: ...
    @property
    def error(self) -> bool: ...


class Asking(Protocol):
    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        """Keeps a corpus under a user of its own. Raises VectorsMissing."""

    async def recall(
        self,
        corpus: Corpus,
        question: Question,
        stored: StoredCorpus,
        limit: int,
        weights: Mapping[str, float] | None,
    ) -> Answer:
        """The product's own answer, uncut by score or budget; with these weights of the features
        in place of those that ship, where there are any."""

    async def candidates(
        self, corpus: Corpus, question: Question, stored: StoredCorpus
    ) -> tuple[Candidate, ...]:
        """All that both legs found, with what speaks for each. Raises RecallIncomplete."""


class AsMemories:
    def __init__(self, system: System) -> None:
        self._system = system
        self._gatherer = Gatherer(system)

    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        return await store_corpus(self._system, view, corpus)

    async def recall(
        self,
        corpus: Corpus,
        question: Question,
        stored: StoredCorpus,
        limit: int,
        weights: Mapping[str, float] | None,
    ) -> Answer:
        request = MemoryQueryRequest(
            user_id=stored.user_id, query=question.text, limit=limit, min_score=NO_CUT_OFF
        )
        recall = self._system.memory.recall
        if weights is not None:
            recall = self._weighing(weights).recall
        return await recall(request, now=corpus.now, token_budget=AMPLE_TOKENS)

    async def candidates(
        self, corpus: Corpus, question: Question, stored: StoredCorpus
    ) -> tuple[Candidate, ...]:
        return (await self._gatherer.ask(corpus, question, stored))["both"]

    def _weighing(self, weights: Mapping[str, float]) -> Retriever:
        shipped = load_calibration(self._system.model.name)
        fitted = shipped.model_copy(update={"both": Coefficients(**weights)})
        system = self._system
        return make_retriever(
            system.database,
            system.embedder,
            system.counter,
            system.settings,
            lambda _: None,
            uncached=system.embedder,
            calibration=fitted,
        )


class AsMessages:
    def __init__(self, system: System) -> None:
        self._system = system
        self._gatherer = MessageGatherer(system)

    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        return await store_conversation(self._system, view, corpus)

    async def recall(
        self,
        corpus: Corpus,
        question: Question,
        stored: StoredCorpus,
        limit: int,
        weights: Mapping[str, float] | None,
    ) -> Answer:
        request = MessageQueryRequest(
            user_id=stored.user_id, query=question.text, limit=limit, min_score=NO_CUT_OFF
        )
        recall = self._system.memory.recall_messages
        if weights is not None:
            recall = self._weighing(weights).recall
        return await recall(request, now=corpus.now, token_budget=AMPLE_TOKENS)

    async def candidates(
        self, corpus: Corpus, question: Question, stored: StoredCorpus
    ) -> tuple[Candidate, ...]:
        return (await self._gatherer.ask(corpus, question, stored))["both"]

    def _weighing(self, weights: Mapping[str, float]) -> MessageRetriever:
        shipped = load_message_calibration(self._system.model.name)
        fitted = shipped.model_copy(update={"both": MessageCoefficients(**weights)})
        return message_retriever(self._system, fitted)
