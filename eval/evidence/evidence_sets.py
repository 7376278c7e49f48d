"""The sets that measure the ranking by the evidence that it brings back: LoCoMo and BEAM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.progress import Progress

from eval.errors import WrongUsage
from eval.evidence.asking import AMPLE_TOKENS, NO_CUT_OFF, AsMemories, AsMessages
from eval.evidence.beam import ABSTENTION, load_beam
from eval.evidence.figures import abstention_figures, categories, evidence_figures
from eval.evidence.locomo import ADVERSARIAL, load_locomo
from eval.evidence.run import Compared, EvidenceRun
from eval.measures import checks
from eval.measures.summary import speed_figures
from eval.report.report import Report, both_ways, describe
from eval.system import System


class LocomoSet:
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
        views: dict[str, Compared] = {}
        for view, asking in (("turns", AsMessages), ("observations", AsMemories)):
            corpora, how = self._views[view], asking(system)
            run = EvidenceRun(system, view, corpora, how, untaught=ADVERSARIAL)
            views[view] = await run.run(progress)
        every = [case for compared in views.values() for case in compared.shipped]
        figures = {view: evidence_figures(views[view], score, ADVERSARIAL) for view in views}
        metrics = {**both_ways(figures), **speed_figures(every)}
        return Report(
            dataset="locomo",
            settings=_ranking_settings(system, score),
            metrics=metrics,
            by_category=_by_view(views),
            checks=checks.check(metrics, checks.LOCOMO),
            cases=every,
        )


class BeamSet:
    """Evidence recall over the messages of a chat; abstention apart, where nothing is the right
    answer. The figures of `loco_` are those of coefficients that were fitted on the other
    chats."""

    def __init__(self, folder: Path | None) -> None:
        self._corpora = load_beam(_given(folder, "beam"))

    async def run(self, system: System, progress: Progress) -> Report:
        score = system.settings.min_relevance
        run = EvidenceRun(system, "messages", self._corpora, AsMessages(system))
        compared = await run.run(progress)
        metrics = {
            **evidence_figures(compared, score, ABSTENTION),
            **abstention_figures(compared, score, ABSTENTION),
            **speed_figures(compared.shipped),
        }
        return Report(
            dataset="beam",
            settings=_ranking_settings(system, score),
            metrics=metrics,
            by_category=categories(compared),
            checks=checks.check(metrics, checks.BEAM),
            cases=list(compared.shipped),
        )


def _given(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise WrongUsage(reason=f"--dataset {name} needs --path, the folder that holds the set.")
    return folder


def _by_view(views: dict[str, Compared]) -> dict[str, dict[str, Any]]:
    told = {view: categories(compared) for view, compared in views.items()}
    names = sorted({name for figures in told.values() for name in figures})
    return {
        name: both_ways({view: told[view][name] for view in told if name in told[view]})
        for name in names
    }


def _ranking_settings(system: System, score: float) -> dict[str, Any]:
    return describe(
        system,
        ranking_min_score=NO_CUT_OFF,
        ranking_token_budget=AMPLE_TOKENS,
        cut_min_score=score,
    )
