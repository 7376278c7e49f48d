"""The data sets that can be run by name, and what each makes of its results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from rich.progress import Progress

from eval import checks
from eval.beam import ABSTENTION, count_cut, load_beam
from eval.commands_set import CommandsSet
from eval.errors import WrongUsage
from eval.evidence_run import AMPLE_TOKENS, NO_CUT_OFF, EvidenceRun
from eval.golden import FOLDER, NOW, load_golden
from eval.golden_run import GoldenRun
from eval.locomo import ADVERSARIAL, VIEWS, load_locomo
from eval.report import Report, both_ways, describe
from eval.results import CaseResult
from eval.summary import (
    Figures,
    all_evidence_figures,
    answer_figures,
    by_category,
    cut_figures,
    golden_figures,
    ranking_figures,
    speed_figures,
)
from eval.system import System
from eval.writing_set import WritingSet


class Dataset(Protocol):
    """A set that was read: a fault in it shows before any service is started."""

    async def run(self, system: System, progress: Progress) -> Report: ...


class MemorySet:
    """The golden set, cut as shipped, against the thresholds of specification 001."""

    def __init__(self, folder: Path | None) -> None:
        self._golden = load_golden(folder or FOLDER)

    async def run(self, system: System, progress: Progress) -> Report:
        results = await GoldenRun(system, self._golden).run(progress)
        metrics = golden_figures(results)
        return Report(
            dataset="memory",
            settings=describe(system, now=NOW.isoformat(), version=self._golden.version),
            metrics=metrics,
            by_category=by_category(results, answer_figures),
            checks=checks.check(metrics, checks.GOLDEN),
            cases=results,
        )


class LocomoSet:
    """Turns and observations apart. A turn is right if it is evidence, an observation if it rests
    on some. Recall is the share of the question's evidence (turn ids) that what was returned is,
    or rests on, among the evidence that any stored memory is or rests on: a fifth of the
    evidence is in no observation, and no recall could bring it back. With that fifth counted
    as missed, the figures end in `_all_evidence`; on turns the two are the same."""

    def __init__(self, folder: Path | None) -> None:
        self._views = load_locomo(_given(folder, "locomo"))

    async def run(self, system: System, progress: Progress) -> Report:
        results = {
            view: await EvidenceRun(system, view, self._views[view]).run(progress) for view in VIEWS
        }
        every = [case for view in VIEWS for case in results[view]]
        score = system.settings.min_relevance
        figures = {view: _evidence_figures(results[view], score, ADVERSARIAL) for view in VIEWS}
        metrics = {**both_ways(figures), **speed_figures(every)}
        return Report(
            dataset="locomo",
            settings=_ranking_settings(system, score),
            metrics=metrics,
            by_category=_by_view(results),
            checks=checks.check(metrics, checks.LOCOMO),
            cases=every,
        )


class BeamSet:
    """Evidence recall over the messages; abstention apart, where nothing is the right answer."""

    def __init__(self, folder: Path | None) -> None:
        folder = _given(folder, "beam")
        self._corpora = load_beam(folder)
        self._cut = count_cut(folder)

    async def run(self, system: System, progress: Progress) -> Report:
        results = await EvidenceRun(system, "messages", self._corpora).run(progress)
        score = system.settings.min_relevance
        unanswerable = [case for case in results if case.category == ABSTENTION]
        metrics = {
            **_evidence_figures(results, score, ABSTENTION),
            "no_answer_accuracy": cut_figures(unanswerable, score)["empty"],
            **speed_figures(results),
        }
        return Report(
            dataset="beam",
            settings=_ranking_settings(system, score, messages_cut=self._cut),
            metrics=metrics,
            by_category=by_category(results, _ranking_of_category),
            checks=checks.check(metrics, checks.BEAM),
            cases=results,
        )


DATASETS: dict[str, type[MemorySet | LocomoSet | BeamSet | CommandsSet | WritingSet]] = {
    "memory": MemorySet,
    "locomo": LocomoSet,
    "beam": BeamSet,
    "commands": CommandsSet,
    "writing": WritingSet,
}


def load_dataset(name: str, folder: Path | None) -> Dataset | CommandsSet:
    """Raises WrongUsage for a name that is none and for a path that is missing, and
    DatasetUnreadable."""
    if name not in DATASETS:
        raise WrongUsage(reason=f"There is no data set {name}; take {' or '.join(DATASETS)}.")
    return DATASETS[name](folder)


def _given(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise WrongUsage(reason=f"--dataset {name} needs --path, the folder that holds the set.")
    return folder


def _evidence_figures(results: Sequence[CaseResult], score: float, apart: str) -> Figures:
    """The ranking without the category that is reported apart, and what the cut-off leaves."""
    counted = [case for case in results if case.category != apart]
    cut = {f"cut_{name}": value for name, value in cut_figures(counted, score).items()}
    return {
        "cases": len(counted),
        **ranking_figures(counted),
        **all_evidence_figures(counted),
        **cut,
    }


def _ranking_of_category(results: Sequence[CaseResult]) -> Figures:
    return {"cases": len(results), **ranking_figures(results)}


def _by_view(results: dict[str, list[CaseResult]]) -> dict[str, dict[str, Any]]:
    views = {view: by_category(results[view], _ranking_of_category) for view in results}
    names = sorted({name for figures in views.values() for name in figures})
    return {
        name: both_ways({view: views[view][name] for view in views if name in views[view]})
        for name in names
    }


def _ranking_settings(system: System, score: float, **more: Any) -> dict[str, Any]:
    return describe(
        system,
        ranking_min_score=NO_CUT_OFF,
        ranking_token_budget=AMPLE_TOKENS,
        cut_min_score=score,
        **more,
    )
