"""What the retriever sees of labelled questions: with both legs, and with either alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rich.progress import Progress

from eval.corpus import Corpus, Question
from eval.errors import RecallIncomplete
from eval.storing import StoredCorpus, store_corpus
from eval.system import System
from memory.recall.legs import Found, Legs
from memory.recall.question import as_searched
from memory.recall.relevance import Calibration, Evidence, load_calibration
from memory.recall.retriever import Retriever
from memory.store.search import Scope, Search

LEG_SETS = tuple(Calibration.model_fields)


@dataclass(frozen=True)
class Candidate:
    """`covers` is the wanted evidence that the memory holds; empty where it does not help."""

    evidence: Evidence
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


Training: TypeAlias = dict[str, list[Asked]]


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
        training: Training = {legs: [] for legs in LEG_SETS}
        task = progress.add_task("asking", total=len(corpora))
        for corpus in corpora:
            stored = await store_corpus(self._system, "pairs", corpus)
            for question in corpus.questions:
                candidates = await self._ask(corpus, question, stored)
                for legs in LEG_SETS:
                    asked = Asked(corpus.name, question.evidence, candidates[legs])
                    training[legs].append(asked)
            progress.advance(task)
        return training

    async def _ask(
        self, corpus: Corpus, question: Question, stored: StoredCorpus
    ) -> dict[str, tuple[Candidate, ...]]:
        scope = Scope(stored.user_id, corpus.now)
        query = as_searched(question.text)
        found = await self._legs.run(scope, query)
        if found.failed:
            raise RecallIncomplete(legs=" and ".join(found.failed))
        answers = {}
        for legs, part in _parts(found).items():
            weighed = await self._retriever.weigh(scope, query, part)
            answers[legs] = tuple(
                Candidate(evidence, stored.covers[str(row.id)] & question.evidence)
                for row, evidence in weighed
            )
        return answers


def _parts(found: Found) -> dict[str, Found]:
    """The same search as if the other leg had failed."""
    return {
        "both": found,
        "keyword": replace(found, vector=None, embedding=None, nameless=None),
        "vector": replace(found, keyword=None),
    }
