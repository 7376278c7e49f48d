"""`python -m eval report`: one page with the figures and plots of a commit and its settings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from eval.calibration.fitting import judge_held_out
from eval.calibration.training import Gatherer
from eval.datasets import Dataset
from eval.evidence.evidence_sets import BeamSet, LocomoSet
from eval.golden.golden_set import MemorySet
from eval.page.files import make_folder, write_file
from eval.page.html import render
from eval.page.measured import (
    Judgements,
    Measured,
    Told,
    held_out_judgements,
    judgements,
    of_evidence_report,
)
from eval.page.sections import sections
from eval.report.mlflow_run import read_commit
from eval.report.report import Report
from eval.system import System, open_system
from eval.tuning.gathered import Gathered
from eval.tuning.gathering import GOLDEN, Gathering
from eval.tuning.judging import UNCUT, Judging, shipped
from eval.tuning.sources import Sources
from memory.settings import Settings

PAGE = "report.html"
TITLE = "Keepsake: what the recall is worth"
TOP = 100
_SETS: dict[str, type[LocomoSet | BeamSet]] = {"locomo": LocomoSet, "beam": BeamSet}


async def write_report(
    settings: Settings, sources: Sources, out: Path, console: Console, progress: Progress
) -> Path:
    """Measures the golden set and the sets that were named, and writes the page; its path. Raises
    NothingToTune, RecallIncomplete, VectorsMissing, DatasetUnreadable, ReportNotWritten."""
    make_folder(out)
    with progress:
        async with open_system(settings, console.print) as system:
            reports = await run_all(system, sources, progress)
        # On a database of its own: the golden set's people are stored in the other one.
        async with open_system(settings, console.print) as system:
            told = await tell(system, sources, reports, progress)
    about = {**_about(reports[0]), "commit": await read_commit()}
    page = await asyncio.to_thread(lambda: render(TITLE, about, sections(told)))
    write_file(out / PAGE, page.encode("utf-8"))
    console.print(f"the report is in {out / PAGE}: open it in a browser", soft_wrap=True)
    return out / PAGE


async def run_all(system: System, sources: Sources, progress: Progress) -> list[Report]:
    """Each set as the product answers it, the golden one first."""
    sets: list[Dataset] = [MemorySet(sources.golden_folder)]
    sets += [_SETS[name](folder) for name, folder in sources.folders.items()]
    return [await each.run(system, progress) for each in sets]


async def tell(
    system: System, sources: Sources, reports: Sequence[Report], progress: Progress
) -> Told:
    """What was run, beside the golden cases that may be seen without a cut-off, and judgements of
    what the relevance model was not fitted on."""
    golden, *others = reports
    seen = await Gathering(system).golden(sources.golden, progress)
    judging = Judging(shipped(system.embedder.model))
    pairs = await Gatherer(system).gather(sources.pairs, progress)
    score = system.settings.min_relevance
    return Told(
        reports=reports,
        measured=[
            Measured(GOLDEN, golden.cases, [judging.answer(each, UNCUT, TOP) for each in seen]),
            *(one for report in others for one in of_evidence_report(report, score)),
        ],
        judgements={
            "own pairs, each store held out": held_out_judgements(judge_held_out(pairs["both"])),
            "golden set, nothing of it fitted": _of_golden(judging, seen),
        },
        min_score=score,
    )


def _of_golden(judging: Judging, seen: Sequence[Gathered]) -> Judgements:
    return judgements(pair for each in seen for pair in judging.judgements(each))


def _about(report: Report) -> dict[str, object]:
    return {"made": datetime.now(UTC).isoformat(timespec="seconds"), **report.settings}
