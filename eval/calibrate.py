"""Fits the relevance model and keeps its coefficients where the recall reads them.

It learns from the own pairs, and from LoCoMo where its folder is named; never
from the golden set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import memory.recall
from eval.corpus import Corpus
from eval.errors import ReportNotWritten
from eval.fitting import fit_coefficients, held_out_figures, judge_held_out
from eval.locomo import ADVERSARIAL, load_locomo
from eval.pairs import load_pairs
from eval.summary import Figures
from eval.system import System, open_system
from eval.tables import shown
from eval.training import Gatherer, Training
from memory.settings import Settings

FOLDER = Path(memory.recall.__file__).parent / "calibration"
PAIRS = "pairs"


async def calibrate(
    settings: Settings,
    locomo: Path | None,
    console: Console,
    progress: Progress,
    folder: Path = FOLDER,
) -> Path:
    """Writes `<model>.json` into the folder and returns its path.

    Raises DatasetUnreadable, ReportNotWritten.
    """
    sources = load_sources(locomo)
    async with open_system(settings, console.print) as system:
        with progress:
            training = await Gatherer(system).gather(sources, progress)
        told = fit_all(training, settings.min_relevance)
        console.print(_table(told["held_out"], settings.min_relevance))
        path = folder / f"{system.model.name.replace('/', '_')}.json"
        _write(path, {**_provenance(system, sources), **told})
    console.print(f"kept in {path}", soft_wrap=True)
    return path


def load_sources(locomo: Path | None) -> dict[str, list[Corpus]]:
    """Corpora by source. LoCoMo's adversarial questions are left out: they ask about the wrong
    person."""
    sources = {PAIRS: load_pairs()}
    if locomo is not None:
        sources |= {view: _answerable(corpora) for view, corpora in load_locomo(locomo).items()}
    return sources


def fit_all(training: Training, score: float) -> dict[str, Any]:
    """The coefficients for each combination of legs, and their figures on held-out folds."""
    coefficients, held_out = {}, {}
    for legs, asked in training.items():
        coefficients[legs] = fit_coefficients(asked).model_dump()
        judged = judge_held_out(asked)
        for source in dict.fromkeys(each.source for each in asked):
            of_source = [each for each in judged if each.asked.source == source]
            held_out[f"{legs}, {source}"] = held_out_figures(of_source, score)
    return {"coefficients": coefficients, "held_out": held_out}


def _answerable(corpora: Sequence[Corpus]) -> list[Corpus]:
    return [
        Corpus(
            corpus.name,
            corpus.pieces,
            tuple(each for each in corpus.questions if each.category != ADVERSARIAL),
            corpus.now,
        )
        for corpus in corpora
    ]


def _provenance(system: System, sources: Mapping[str, Sequence[Corpus]]) -> dict[str, Any]:
    return {
        "model": system.model.name,
        "fitted_on": datetime.now(UTC).date().isoformat(),
        "sources": {
            name: {
                "stores": [corpus.name for corpus in corpora],
                "memories": sum(len(corpus.pieces) for corpus in corpora),
                "questions": sum(len(corpus.questions) for corpus in corpora),
            }
            for name, corpora in sources.items()
        },
    }


def _write(path: Path, told: Mapping[str, Any]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise ReportNotWritten(path=path, reason=error.strerror or str(error)) from error


def _table(held_out: Mapping[str, Figures], score: float) -> Table:
    title = f"each store judged by a fit on the others; cut at {score:g} and ten memories"
    table = Table(title=title, title_justify="left")
    table.add_column("legs, source")
    for name in next(iter(held_out.values())):
        table.add_column(name.replace("_", " "), justify="right")
    for row, figures in held_out.items():
        table.add_row(row, *(shown(value) for value in figures.values()))
    return table
