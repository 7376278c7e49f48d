"""What the recall over past messages sees of labelled questions: with both legs, and with either
alone."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import Progress

from eval.calibration.training import Candidate, Candidates, Training, gather, parts
from eval.errors import RecallIncomplete
from eval.evidence.corpus import Corpus, Question
from eval.evidence.storing import StoredCorpus, store_conversation
from eval.system import System
from memory.assembly.recalling_messages import make_message_retriever
from memory.embedders.cached import CachedEmbedder
from memory.recall.messages.relevance import MessageCalibration
from memory.recall.messages.retriever import MessageRetriever
from memory.recall.question import as_searched
from memory.store.conversations.message_search import MessageScope


class MessageGatherer:
    """Runs the product's legs and weighing over conversations; each has a user of its own."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._retriever = message_retriever(system)

    async def gather(self, corpora: Sequence[Corpus], progress: Progress) -> Training:
        """The questions by the legs that answer. A conversation is a fold. Raises
        RecallIncomplete."""
        return await gather(corpora, self._store, self.ask, progress)

    async def _store(self, corpus: Corpus) -> StoredCorpus:
        return await store_conversation(self._system, "dialogues", corpus)

    async def ask(self, corpus: Corpus, question: Question, stored: StoredCorpus) -> Candidates:
        """The candidates for a question, by the legs that answer. Raises RecallIncomplete."""
        scope = MessageScope(stored.user_id, until=corpus.now)
        query = as_searched(question.text)
        found = await self._retriever.find(scope, query)
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        answers = {}
        for legs, part in parts(found).items():
            weighed = await self._retriever.weigh(scope, query, part)
            answers[legs] = tuple(
                Candidate(evidence.features, stored.covers[str(row.id)] & question.evidence)
                for row, evidence in weighed
            )
        return answers


def message_retriever(
    system: System, calibration: MessageCalibration | None = None
) -> MessageRetriever:
    """The product's own, with these coefficients where there are any."""
    embedder = system.embedder
    return make_message_retriever(
        system.database,
        embedder.inner if isinstance(embedder, CachedEmbedder) else embedder,
        system.counter,
        system.settings,
        lambda _: None,
        calibration=calibration,
    )
