"""Silence where memory knows nothing: how often it is kept, and what it costs.

The right answer to a question that nothing stored answers is an empty recall. The
price of it is the answerable questions that come back empty at the same cut-off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from rich.progress import Progress

from eval import checks
from eval.datasets.beam import ABSTENTION, load_beam
from eval.datasets.evidence import EvidenceRun, MessageBackend
from eval.datasets.golden import GOLDEN_FOLDER, GOLDEN_NOW, GoldenRun, load_golden
from eval.metrics import Metrics, latency_metrics
from eval.report import Report, nested_and_flat, run_settings
from eval.results import CaseResult, Failure, Failures
from eval.statistics import with_interval
from eval.system import System


@dataclass(frozen=True)
class AbstentionResult:
    """One question: whether nothing came back above the cut-off, and whether anything stored
    answers it."""

    id: str
    category: str
    answerable: bool
    empty: bool
    held_back: bool = False

    @classmethod
    def of(cls, case: CaseResult, score: float) -> Self:
        empty = not case.above(score)
        return cls(case.id, case.category, bool(case.wanted), empty, case.held_back)


class AbstentionDataset:
    """The golden set in `golden`, and BEAM where `folder` names its files. Of BEAM's questions the
    abstaining ones are unanswerable, those whose evidence is stored answerable, the others neither;
    they are asked over the messages of a chat."""

    def __init__(self, folder: Path | None, golden: Path = GOLDEN_FOLDER) -> None:
        self._golden = load_golden(golden)
        self._beam = load_beam(folder) if folder is not None else None

    async def run(self, system: System, progress: Progress) -> Report:
        score = system.settings.min_relevance
        results = await GoldenRun(system, self._golden).run(progress)
        asked = [AbstentionResult.of(case, score) for case in results]
        sources = {
            "golden": asked,
            "open": [each for each in asked if not each.held_back],
            "held_back": [each for each in asked if each.held_back],
        }
        beam = await self._ask_beam(system, progress)
        if self._beam is not None:
            sources["beam"] = [AbstentionResult.of(case, score) for case in beam]
        figures = {name: abstention_metrics(each) for name, each in sources.items()}
        metrics: dict[str, Any] = {**nested_and_flat(figures), **latency_metrics([*results, *beam])}
        bounds = checks.ABSTENTION if self._beam is None else checks.ABSTENTION_WITH_BEAM
        return Report(
            dataset="abstention",
            settings=run_settings(system, now=GOLDEN_NOW.isoformat(), version=self._golden.version),
            metrics=metrics,
            by_category={**figures, **_by_category(sources["open"])},
            checks=checks.check_bounds(metrics, bounds),
            failures=Failures.of(abstention_failures(asked)),
        )

    async def _ask_beam(self, system: System, progress: Progress) -> list[CaseResult]:
        """By the coefficients that ship: chat by chat, so that none is fitted on the others."""
        cases: list[CaseResult] = []
        for corpus in progress.track(self._beam or (), description="asking about chats"):
            run = EvidenceRun(system, "messages", [corpus], MessageBackend(system))
            cases += (await run.run(Progress(disable=True))).shipped
        return [case for case in cases if case.wanted or case.category == ABSTENTION]


def abstention_metrics(asked: Sequence[AbstentionResult]) -> Metrics:
    """`abstained` is the share of the unanswerable questions that came back empty, `silenced` that
    of the answerable ones: what the silence costs."""
    answerable = [each for each in asked if each.answerable]
    unanswerable = [each for each in asked if not each.answerable]
    return {
        "unanswerable": len(unanswerable),
        **with_interval("abstained", [(float(each.empty), 1.0) for each in unanswerable]),
        "answerable": len(answerable),
        **with_interval("silenced", [(float(each.empty), 1.0) for each in answerable]),
        "silenced_questions": sum(each.empty for each in answerable),
    }


def abstention_failures(asked: Sequence[AbstentionResult]) -> list[Failure]:
    """The unanswerable questions that were answered, and the answerable ones that were not; those
    that are held back are told by number alone."""
    return [
        Failure(each.id, each.category, _fault(each), each.held_back)
        for each in asked
        if each.answerable == each.empty
    ]


def _fault(each: AbstentionResult) -> str:
    return "answerable, and came back empty" if each.answerable else "nothing answers it"


def _by_category(asked: Sequence[AbstentionResult]) -> dict[str, Metrics]:
    """The categories of the open cases, under names of their own."""
    names = sorted({each.category for each in asked})
    return {
        f"open: {name}": abstention_metrics([each for each in asked if each.category == name])
        for name in names
    }
