"""Asks the questions of corpora twice: with the coefficients that ship, and with those that the
other corpora of the same set teach. Whole rankings, uncut by score or budget.

What the others teach is kept nowhere: the sets of others are for measuring.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.progress import Progress

from eval.calibration.fitting import fit_weights
from eval.calibration.training import Asked
from eval.evidence.asking import Asking, Recalled
from eval.evidence.corpus import Corpus, Question
from eval.evidence.storing import StoredCorpus
from eval.measures.results import CaseResult, Returned
from eval.system import System

LEAST_LIMIT = 10


@dataclass(frozen=True)
class Compared:
    """The same questions under the coefficients that ship, and each corpus under those that the
    others teach (`loco`, leave one conversation out; empty where there is no other)."""

    shipped: Sequence[CaseResult]
    loco: Sequence[CaseResult]


class EvidenceRun:
    """Each corpus has a user of its own, named after the view and the conversation. Questions of
    the category `untaught` are asked and teach nothing."""

    def __init__(
        self,
        system: System,
        view: str,
        corpora: Sequence[Corpus],
        asking: Asking,
        *,
        untaught: str | None = None,
    ) -> None:
        self._system = system
        self._view = view
        self._corpora = corpora
        self._asking = asking
        self._untaught = untaught
        self._limit = max(LEAST_LIMIT, system.settings.max_results)

    async def run(self, progress: Progress) -> Compared:
        """Raises VectorsMissing, RecallIncomplete."""
        stored = await self._store(progress)
        shipped = await self._ask_all(stored, {}, progress)
        if len(self._corpora) == 1:
            return Compared(shipped, [])
        weights = await self._learn(stored, progress)
        return Compared(shipped, await self._ask_all(stored, weights, progress))

    async def _store(self, progress: Progress) -> list[tuple[Corpus, StoredCorpus]]:
        task = progress.add_task(f"storing {self._view}", total=len(self._corpora))
        stored = []
        for corpus in self._corpora:
            stored.append((corpus, await self._asking.store(self._view, corpus)))
            progress.advance(task)
        return stored

    async def _ask_all(
        self,
        stored: Sequence[tuple[Corpus, StoredCorpus]],
        weights: Mapping[str, Mapping[str, float]],
        progress: Progress,
    ) -> list[CaseResult]:
        """With the weights of each corpus, or with those that ship where it has none."""
        texts = [question.text for corpus in self._corpora for question in corpus.questions]
        await self._system.forget_vectors(texts)
        task = progress.add_task(f"asking about {self._view}", total=len(stored))
        results = []
        for corpus, kept in stored:
            by = weights.get(corpus.name)
            results += [await self._ask(corpus, each, kept, by) for each in corpus.questions]
            progress.advance(task)
        return results

    async def _learn(
        self, stored: Sequence[tuple[Corpus, StoredCorpus]], progress: Progress
    ) -> dict[str, dict[str, float]]:
        """By corpus, the weights that all the others teach."""
        task = progress.add_task(f"learning from {self._view}", total=len(stored))
        asked = []
        for corpus, kept in stored:
            for question in filter(self._teaches(kept), corpus.questions):
                candidates = await self._asking.candidates(corpus, question, kept)
                asked.append(Asked(corpus.name, question.evidence & kept.reachable, candidates))
            progress.advance(task)
        return {
            corpus.name: fit_weights([each for each in asked if each.fold != corpus.name])
            for corpus, _ in stored
        }

    def _teaches(self, kept: StoredCorpus) -> Callable[[Question], bool]:
        """Not the questions of a category that is none to learn from, and not those whose evidence
        nothing holds."""
        return lambda question: (
            question.category != self._untaught
            and (not question.evidence or bool(question.evidence & kept.reachable))
        )

    async def _ask(
        self,
        corpus: Corpus,
        question: Question,
        stored: StoredCorpus,
        weights: Mapping[str, float] | None,
    ) -> CaseResult:
        began = time.perf_counter()
        answer = await self._asking.recall(corpus, question, stored, self._limit, weights)
        latency_ms = (time.perf_counter() - began) * 1000
        covers, reachable = stored.covers, stored.reachable
        return CaseResult(
            id=f"{self._view}/{question.id}",
            category=question.category,
            query=question.text,
            wanted=question.evidence & reachable,
            unreachable=len(question.evidence - reachable),
            returned=tuple(_returned(item, covers) for item in answer.items),
            latency_ms=latency_ms,
            degraded=bool(answer.degraded),
            failed=answer.error,
            foreign=sum(item.id not in covers for item in answer.items),
        )


def _returned(item: Recalled, covers: Mapping[str, frozenset[str]]) -> Returned:
    held = covers.get(item.id, frozenset())
    return Returned(item.id, item.content, item.relevance_score, held)
