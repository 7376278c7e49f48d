"""Fits the relevance model and keeps its coefficients where the recall reads them.

It learns from the own pairs alone: the golden set and the public sets are for
measuring.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import memory.recall
from eval.calibration.fitting import fit_weights, held_out_figures, judge_held_out
from eval.calibration.pairs import load_pairs
from eval.calibration.training import Gatherer, Training
from eval.errors import ReportNotWritten
from eval.evidence.corpus import Corpus
from eval.measures.summary import Figures
from eval.report.tables import shown
from eval.system import System, open_system
from memory.settings import Settings

FOLDER = Path(memory.recall.__file__).parent / "calibration"


async def calibrate(
    settings: Settings, console: Console, progress: Progress, folder: Path = FOLDER
) -> Path:
    """Writes `<model>.json` into the folder and returns its path.

    Raises DatasetUnreadable, ReportNotWritten.
    """
    corpora = load_pairs()
    async with open_system(settings, console.print) as system:
        with progress:
            training = await Gatherer(system).gather(corpora, progress)
        return keep_fit(system, corpora, training, noun="memories", console=console, folder=folder)


def keep_fit(
    system: System,
    corpora: Sequence[Corpus],
    training: Training,
    *,
    noun: Literal["memories", "messages"],
    console: Console,
    folder: Path,
) -> Path:
    """Fits, shows what the fit is worth, and writes it; the path. Raises ReportNotWritten."""
    score = system.settings.min_relevance
    told = fit_all(training, score)
    console.print(_table(noun, told["held_out"], score))
    path = folder / f"{system.model.name.replace('/', '_')}.json"
    _write(path, {**_provenance(system, noun, corpora), **told})
    console.print(f"kept in {path}", soft_wrap=True)
    return path


def fit_all(training: Training, score: float) -> dict[str, Any]:
    """The coefficients for each combination of legs, and their figures on held-out folds."""
    return {
        "coefficients": {legs: fit_weights(asked) for legs, asked in training.items()},
        "held_out": {
            legs: held_out_figures(judge_held_out(asked), score) for legs, asked in training.items()
        },
    }


def _provenance(system: System, noun: str, corpora: Sequence[Corpus]) -> dict[str, Any]:
    return {
        "model": system.model.name,
        "fitted_on": datetime.now(UTC).date().isoformat(),
        "stores": [corpus.name for corpus in corpora],
        noun: sum(len(corpus.pieces) for corpus in corpora),
        "questions": sum(len(corpus.questions) for corpus in corpora),
    }


def _write(path: Path, told: Mapping[str, Any]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise ReportNotWritten(path=path, reason=error.strerror or str(error)) from error


def _table(noun: str, held_out: Mapping[str, Figures], score: float) -> Table:
    title = f"each store judged by a fit on the others; cut at {score:g} and ten {noun}"
    table = Table(title=title, title_justify="left")
    table.add_column("legs")
    for name in next(iter(held_out.values())):
        table.add_column(name.replace("_", " "), justify="right")
    for row, figures in held_out.items():
        table.add_row(row, *(shown(value) for value in figures.values()))
    return table
