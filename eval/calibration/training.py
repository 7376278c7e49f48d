"""What the retriever sees of labelled questions: with both legs, and with either alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rich.progress import Progress

from eval.errors import RecallIncomplete
from eval.evidence.corpus import Corpus, Question
from eval.evidence.storing import StoredCorpus, store_corpus
from eval.system import System
from memory.recall.question import as_searched, without_names
from memory.recall.retriever import Retriever
from memory.recall.search.legs import Found, Legs
from memory.recall.search.relevance import Calibration, load_calibration
from memory.store.memories.search import Scope, Search

LEG_SETS = tuple(Calibration.model_fields)


@dataclass(frozen=True)
class Candidate:
    """A memory or a message by what speaks for it. `covers` is the wanted evidence that it holds;
    empty where it does not help."""

    features: Mapping[str, float]
    covers: frozenset[str]

    @property
    def helps(self) -> bool:
        return bool(self.covers)


@dataclass(frozen=True)
class Asked:
    """One question with its candidates. Questions of one `fold` are held out together."""

    fold: str
    wanted: frozenset[str]
    candidates: tuple[Candidate, ...]


# By the legs that answer.
Training: TypeAlias = dict[str, list[Asked]]
Candidates: TypeAlias = dict[str, tuple[Candidate, ...]]


class Gatherer:
    """Runs the product's legs and weighing over corpora; each has a user of its own."""

    def __init__(self, system: System) -> None:
        settings = system.settings
        search = Search(system.database)
        self._system = system
        self._legs = Legs(
            search,
            system.embedder,
            embedding_timeout=settings.embedding_timeout_seconds,
            search_timeout=settings.recall_timeout_seconds,
        )
        self._retriever = Retriever(
            search,
            self._legs,
            calibration=load_calibration(system.embedder.model),
            counter=system.counter,
            token_budget=settings.token_budget,
            fingerprint=lambda _: None,
        )

    async def gather(self, corpora: Sequence[Corpus], progress: Progress) -> Training:
        """The questions by the legs that answer: both, keyword alone, vector alone. A corpus is
        a fold. Raises RecallIncomplete."""
        return await gather(corpora, self._store, self.ask, progress)

    async def _store(self, corpus: Corpus) -> StoredCorpus:
        return await store_corpus(self._system, "pairs", corpus)

    async def ask(self, corpus: Corpus, question: Question, stored: StoredCorpus) -> Candidates:
        """The candidates for a question, by the legs that answer. Raises RecallIncomplete."""
        scope = Scope(stored.user_id, corpus.now)
        query = as_searched(question.text)
        found = await self._legs.run(scope, query, without_names(query))
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        answers = {}
        for legs, part in parts(found).items():
            weighed = await self._retriever.searching.weigh(scope, query, part)
            answers[legs] = tuple(
                Candidate(evidence.features, stored.covers[str(row.id)] & question.evidence)
                for row, evidence in weighed
            )
        return answers


async def gather(
    corpora: Sequence[Corpus],
    store: Callable[[Corpus], Awaitable[StoredCorpus]],
    ask: Callable[[Corpus, Question, StoredCorpus], Awaitable[Candidates]],
    progress: Progress,
) -> Training:
    """All questions to all corpora, each corpus a fold, by the legs that answer."""
    training: Training = {legs: [] for legs in LEG_SETS}
    task = progress.add_task("asking", total=len(corpora))
    for corpus in corpora:
        stored = await store(corpus)
        for question in corpus.questions:
            candidates = await ask(corpus, question, stored)
            for legs in LEG_SETS:
                asked = Asked(corpus.name, question.evidence, candidates[legs])
                training[legs].append(asked)
        progress.advance(task)
    return training


def parts(found: Found) -> dict[str, Found]:
    """The same search as if the other leg had failed."""
    return {
        "both": found,
        "keyword": replace(found, vector=None, embedding=None, nameless=None),
        "vector": replace(found, keyword=None),
    }
