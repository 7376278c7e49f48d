"""The sets that measure the ranking by the evidence that it brings back, LoCoMo and BEAM: kept as
memories or as messages, asked and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rich.progress import Progress

from eval import checks
from eval.calibration.candidates import (
    LabelledCandidate,
    LabelledQuestion,
    MemoryCandidateCollector,
    MessageCandidateCollector,
    uncached_message_retriever,
)
from eval.calibration.fit import fit_weights
from eval.corpus import Corpus, CorpusQuestion, StoredCorpus, store_as_memories, store_as_messages
from eval.datasets.beam import ABSTENTION, load_beam
from eval.datasets.locomo import ADVERSARIAL, load_locomo
from eval.errors import WrongUsage
from eval.metrics import (
    Metrics,
    all_evidence_metrics,
    cutoff_metrics,
    latency_metrics,
    metrics_by_category,
    ranking_metrics,
    recall_at,
)
from eval.report import Report, nested_and_flat, run_settings
from eval.results import CaseResult, Returned
from eval.statistics import with_interval
from eval.system import System
from memory.factory import make_retriever
from memory.retrieval.answers import AnswerReader
from memory.retrieval.memory_retriever import MemoryRetriever
from memory.retrieval.message_relevance import MessageCoefficients, load_message_calibration
from memory.retrieval.message_retriever import MessageRetriever
from memory.retrieval.relevance import Coefficients, load_calibration
from memory.types import MemoryQueryRequest, MessageQueryRequest, SearchMethod

# The sets measure the ranking; what the cut-off leaves of it is taken from the same ranking.
NO_CUT_OFF = 0.0
AMPLE_TOKENS = 1_000_000


class RecalledRow(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def relevance_score(self) -> float: ...


class RecallAnswer(Protocol):
    """What both recalls answer with."""

    @property
    def items(self) -> Sequence[RecalledRow]: ...
    @property
    def degraded(self) -> tuple[SearchMethod, ...]: ...
    @property
    def error(self) -> bool: ...


class CorpusBackend(Protocol):
    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        """Keeps a corpus under a user of its own. Raises VectorsMissing."""

    async def recall(
        self,
        corpus: Corpus,
        question: CorpusQuestion,
        stored: StoredCorpus,
        limit: int,
        weights: Mapping[str, float] | None,
    ) -> RecallAnswer:
        """The product's own answer, uncut by score or budget; with these weights of the features
        in place of those that ship, where there are any."""

    async def candidates(
        self, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> tuple[LabelledCandidate, ...]:
        """All that both legs found, with what speaks for each. Raises RecallIncomplete."""


class MemoryBackend:
    def __init__(self, system: System) -> None:
        self._system = system
        self._gatherer = MemoryCandidateCollector(system)

    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        return await store_as_memories(self._system, view, corpus)

    async def recall(
        self,
        corpus: Corpus,
        question: CorpusQuestion,
        stored: StoredCorpus,
        limit: int,
        weights: Mapping[str, float] | None,
    ) -> RecallAnswer:
        request = MemoryQueryRequest(
            user_id=stored.user_id, query=question.text, limit=limit, min_score=NO_CUT_OFF
        )
        recall = self._system.memory.recall if weights is None else self._weighing(weights).recall
        return await recall(request, now=corpus.now, token_budget=AMPLE_TOKENS)

    async def candidates(
        self, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> tuple[LabelledCandidate, ...]:
        return (await self._gatherer.ask(corpus, question, stored))["both"]

    def _weighing(self, weights: Mapping[str, float]) -> MemoryRetriever:
        shipped = load_calibration(self._system.model.name)
        fitted = shipped.model_copy(update={"both": Coefficients(**weights)})
        system = self._system
        return make_retriever(
            system.database,
            system.embedder,
            system.counter,
            system.settings,
            uncached=system.embedder,
            reader=AnswerReader(),
            calibrate=lambda _: fitted,
        )


class MessageBackend:
    def __init__(self, system: System) -> None:
        self._system = system
        self._gatherer = MessageCandidateCollector(system)

    async def store(self, view: str, corpus: Corpus) -> StoredCorpus:
        return await store_as_messages(self._system, view, corpus)

    async def recall(
        self,
        corpus: Corpus,
        question: CorpusQuestion,
        stored: StoredCorpus,
        limit: int,
        weights: Mapping[str, float] | None,
    ) -> RecallAnswer:
        request = MessageQueryRequest(
            user_id=stored.user_id, query=question.text, limit=limit, min_score=NO_CUT_OFF
        )
        recall = self._system.memory.recall_messages
        if weights is not None:
            recall = self._weighing(weights).recall
        return await recall(request, now=corpus.now, token_budget=AMPLE_TOKENS)

    async def candidates(
        self, corpus: Corpus, question: CorpusQuestion, stored: StoredCorpus
    ) -> tuple[LabelledCandidate, ...]:
        return (await self._gatherer.ask(corpus, question, stored))["both"]

    def _weighing(self, weights: Mapping[str, float]) -> MessageRetriever:
        shipped = load_message_calibration(self._system.model.name)
        fitted = shipped.model_copy(update={"both": MessageCoefficients(**weights)})
        return uncached_message_retriever(self._system, lambda _: fitted)


LEAST_LIMIT = 10


@dataclass(frozen=True)
class FitComparison:
    """The same questions under the coefficients that ship, and each corpus under those that the
    others teach (`loco`, leave one conversation out; empty where there is no other)."""

    shipped: Sequence[CaseResult]
    loco: Sequence[CaseResult]


class EvidenceRun:
    """Asks the questions of corpora for whole rankings, uncut by score or budget. Each corpus has a
    user of its own, named after the view and the conversation. Questions of the category `untaught`
    are asked and teach nothing."""

    def __init__(
        self,
        system: System,
        view: str,
        corpora: Sequence[Corpus],
        asking: CorpusBackend,
        *,
        untaught: str | None = None,
    ) -> None:
        self._system = system
        self._view = view
        self._corpora = corpora
        self._asking = asking
        self._untaught = untaught
        self._limit = max(LEAST_LIMIT, system.settings.max_results)

    async def run(self, progress: Progress) -> FitComparison:
        """Raises VectorsMissing, RecallIncomplete."""
        stored = await self._store(progress)
        shipped = await self._ask_all(stored, {}, progress)
        if len(self._corpora) == 1:
            return FitComparison(shipped, [])
        weights = await self._learn(stored, progress)
        return FitComparison(shipped, await self._ask_all(stored, weights, progress))

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
                asked.append(
                    LabelledQuestion(corpus.name, question.evidence & kept.reachable, candidates)
                )
            progress.advance(task)
        return {
            corpus.name: fit_weights([each for each in asked if each.fold != corpus.name])
            for corpus, _ in stored
        }

    def _teaches(self, kept: StoredCorpus) -> Callable[[CorpusQuestion], bool]:
        """Not the questions of a category that is none to learn from, and not those whose evidence
        nothing holds."""
        return lambda question: (
            question.category != self._untaught
            and (not question.evidence or bool(question.evidence & kept.reachable))
        )

    async def _ask(
        self,
        corpus: Corpus,
        question: CorpusQuestion,
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


def _returned(item: RecalledRow, covers: Mapping[str, frozenset[str]]) -> Returned:
    held = covers.get(item.id, frozenset())
    return Returned(item.id, item.content, item.relevance_score, held)


CUT = 5


def evidence_metrics(compared: FitComparison, score: float, apart: str) -> Metrics:
    """The rankings without the category that is reported apart, and what a cut-off at `score`
    leaves of them."""
    counted = _only(compared, lambda case: case.category != apart)
    return {
        "cases": len(counted.shipped),
        **_ranking(counted.shipped, score),
        **all_evidence_metrics(counted.shipped),
        **_as_loco(_ranking(counted.loco, score)),
    }


def no_answer_metrics(compared: FitComparison, score: float, category: str) -> Metrics:
    """The share of the questions without an answer for which nothing is as likely as `score`."""
    asked = _only(compared, lambda case: case.category == category)
    name = "no_answer_accuracy"
    return {**_empty(name, asked.shipped, score), **_as_loco(_empty(name, asked.loco, score))}


def evidence_metrics_by_category(compared: FitComparison) -> dict[str, Metrics]:
    """The rankings of each category, in alphabetical order."""
    shipped = metrics_by_category(compared.shipped, _of_category)
    loco = metrics_by_category(compared.loco, ranking_metrics)
    return {
        name: {**figures, "loco_recall_at_5": loco.get(name, {}).get("recall_at_5")}
        for name, figures in shipped.items()
    }


def _of_category(results: Sequence[CaseResult]) -> Metrics:
    return {"cases": len(results), **ranking_metrics(results)}


def _only(compared: FitComparison, wanted: Callable[[CaseResult], bool]) -> FitComparison:
    return FitComparison(
        [case for case in compared.shipped if wanted(case)],
        [case for case in compared.loco if wanted(case)],
    )


def _ranking(results: Sequence[CaseResult], score: float) -> Metrics:
    recalled = [recall_at(CUT, case.covered, case.wanted) for case in results]
    return {
        **with_interval("recall_at_5", [(each, 1.0) for each in recalled if each is not None]),
        **ranking_metrics(results),
        **{f"cut_{name}": value for name, value in cutoff_metrics(results, score).items()},
    }


def _empty(name: str, results: Sequence[CaseResult], score: float) -> Metrics:
    return with_interval(name, [(float(not case.above(score)), 1.0) for case in results])


def _as_loco(figures: Metrics) -> Metrics:
    return {f"loco_{name}": value for name, value in figures.items()}


class LocomoDataset:
    """Turns, kept as the messages of a conversation, and observations, kept as memories, apart. A
    turn is right if it is evidence, an observation if it rests on some. Recall is the share of the
    question's evidence (turn ids) that what was returned is, or rests on, among the evidence that
    anything stored is or rests on: a fifth of the evidence is in no observation, and no recall
    could bring it back. With that fifth counted as missed, the figures end in `_all_evidence`; on
    turns the two are the same. The figures of `loco_` are those of coefficients that were fitted
    on the other conversations."""

    def __init__(self, folder: Path | None) -> None:
        self._views = load_locomo(_given(folder, "locomo"))

    async def run(self, system: System, progress: Progress) -> Report:
        score = system.settings.min_relevance
        views: dict[str, FitComparison] = {}
        for view, asking in (("turns", MessageBackend), ("observations", MemoryBackend)):
            corpora, how = self._views[view], asking(system)
            run = EvidenceRun(system, view, corpora, how, untaught=ADVERSARIAL)
            views[view] = await run.run(progress)
        every = [case for compared in views.values() for case in compared.shipped]
        figures = {view: evidence_metrics(views[view], score, ADVERSARIAL) for view in views}
        metrics = {**nested_and_flat(figures), **latency_metrics(every)}
        return Report(
            dataset="locomo",
            settings=_ranking_settings(system, score),
            metrics=metrics,
            by_category=_by_view(views),
            checks=checks.check_bounds(metrics, checks.LOCOMO),
            cases=every,
        )


class BeamDataset:
    """Evidence recall over the messages of a chat; abstention apart, where nothing is the right
    answer. The figures of `loco_` are those of coefficients that were fitted on the other
    chats."""

    def __init__(self, folder: Path | None) -> None:
        self._corpora = load_beam(_given(folder, "beam"))

    async def run(self, system: System, progress: Progress) -> Report:
        score = system.settings.min_relevance
        run = EvidenceRun(system, "messages", self._corpora, MessageBackend(system))
        compared = await run.run(progress)
        metrics = {
            **evidence_metrics(compared, score, ABSTENTION),
            **no_answer_metrics(compared, score, ABSTENTION),
            **latency_metrics(compared.shipped),
        }
        return Report(
            dataset="beam",
            settings=_ranking_settings(system, score),
            metrics=metrics,
            by_category=evidence_metrics_by_category(compared),
            checks=checks.check_bounds(metrics, checks.BEAM),
            cases=list(compared.shipped),
        )


def _given(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise WrongUsage(reason=f"--dataset {name} needs --path, the folder that holds the set.")
    return folder


def _by_view(views: dict[str, FitComparison]) -> dict[str, dict[str, Any]]:
    told = {view: evidence_metrics_by_category(compared) for view, compared in views.items()}
    names = sorted({name for figures in told.values() for name in figures})
    return {
        name: nested_and_flat({view: told[view][name] for view in told if name in told[view]})
        for name in names
    }


def _ranking_settings(system: System, score: float) -> dict[str, Any]:
    return run_settings(
        system,
        ranking_min_score=NO_CUT_OFF,
        ranking_token_budget=AMPLE_TOKENS,
        cut_min_score=score,
    )
