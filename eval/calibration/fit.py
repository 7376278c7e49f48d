"""Fits the relevance models of memories and of past messages, tells what they are worth on a fold
that they never saw, and keeps their coefficients where the recall reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import memory.retrieval
from eval.calibration.candidates import (
    LabelledCandidate,
    LabelledQuestion,
    MemoryCandidateCollector,
    MessageCandidateCollector,
    TrainingData,
)
from eval.calibration.data import (
    load_calibration_pairs,
    load_calibration_stores,
    load_dialogues,
)
from eval.corpus import Corpus
from eval.errors import ReportNotWritten
from eval.metrics import (
    Metrics,
    area_under_curve,
    expected_calibration_error,
    log_loss,
    mean,
    precision_at,
    proportion,
    recall_at,
)
from eval.report import format_value
from eval.statistics import Array, fit_logistic
from eval.system import System, open_system
from memory.config import Settings
from memory.retrieval.answers import MOST_READ
from memory.retrieval.query import prepare_query
from memory.retrieval.relevance import sigmoid
from memory.retrieval.selection import WORTH_ASKING
from memory.understanding.cross_encoder import CrossEncoder, PairLogits, load_cross_encoder

INTERCEPT = "intercept"
DIGITS = 4
TOP = 10


@dataclass(frozen=True)
class HeldOutQuestion:
    """A question with the probability of each candidate under coefficients fitted without it."""

    asked: LabelledQuestion
    probabilities: tuple[float, ...]

    def above(self, score: float, most: int) -> list[frozenset[str]]:
        """What the best `most` of at least this probability cover, best first."""
        pairs = zip(self.probabilities, self.asked.candidates, strict=True)
        ranked = sorted(pairs, key=lambda pair: -pair[0])[:most]
        return [candidate.covers for probability, candidate in ranked if probability >= score]


def fit_weights(asked: Sequence[LabelledQuestion]) -> dict[str, float]:
    """The intercept and the weight of each feature, by its name, under which these candidates'
    labels are likeliest; none where there is no candidate."""
    candidates = [candidate for each in asked for candidate in each.candidates]
    if not candidates:
        return {INTERCEPT: 0.0}
    names = list(candidates[0].features)
    labels = np.array([float(candidate.helps) for candidate in candidates])
    beta = fit_logistic(_matrix(candidates, names), labels)
    rounded = [round(float(value), DIGITS) + 0.0 for value in beta]
    return dict(zip([INTERCEPT, *names], rounded, strict=True))


def predict_probability(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """σ(intercept + Σ weight · feature); a feature without a weight does not count."""
    return sigmoid(weights[INTERCEPT] + sum(weights.get(k, 0.0) * x for k, x in features.items()))


def predict_held_out(asked: Sequence[LabelledQuestion]) -> list[HeldOutQuestion]:
    """Each question, in its order, judged by what is fitted on all the other folds."""
    by = {
        fold: fit_weights([each for each in asked if each.fold != fold])
        for fold in dict.fromkeys(each.fold for each in asked)
    }
    return [
        HeldOutQuestion(
            each, tuple(predict_probability(c.features, by[each.fold]) for c in each.candidates)
        )
        for each in asked
    ]


def held_out_metrics(judged: Sequence[HeldOutQuestion], score: float) -> Metrics:
    """How good the probabilities are, and what a cut at `score` and at ten memories keeps."""
    labels = [c.helps for each in judged for c in each.asked.candidates]
    probabilities = [p for each in judged for p in each.probabilities]
    kept = [(each.asked.wanted, each.above(score, TOP)) for each in judged]
    ranked = [(each.asked.wanted, each.above(0.0, TOP)) for each in judged]
    return {
        "questions": len(judged),
        "candidates": len(labels),
        "hits": sum(labels),
        "log_loss": log_loss(labels, probabilities),
        "auc": area_under_curve(labels, probabilities),
        "calibration_error": expected_calibration_error(labels, probabilities),
        "precision": mean(precision_at(TOP, cut) for wanted, cut in kept if wanted),
        "recall": mean(recall_at(TOP, cut, wanted) for wanted, cut in kept),
        "no_answer_accuracy": proportion(not cut for wanted, cut in kept if not wanted),
        "recall_at_5_uncut": mean(recall_at(5, ranking, wanted) for wanted, ranking in ranked),
    }


def _matrix(candidates: Sequence[LabelledCandidate], names: Sequence[str]) -> Array:
    """One column for each feature that the relevance model weighs, by its own names."""
    rows = (candidate.features for candidate in candidates)
    return np.array([[features[name] for name in names] for features in rows], dtype=float)


COEFFICIENTS_FOLDER = Path(memory.retrieval.__file__).parent / "calibration"


async def calibrate_memories(
    settings: Settings, console: Console, progress: Progress, folder: Path = COEFFICIENTS_FOLDER
) -> Path:
    """Writes `<model>.json` into the folder and returns its path: how relevant a memory is from the
    pairs, and whether it answers, from the stores that no model learned from.

    Raises DatasetUnreadable, ReportNotWritten.
    """
    corpora = load_calibration_pairs()
    async with open_system(settings, console.print) as system:
        collector = MemoryCandidateCollector(system)
        with progress:
            training = await collector.gather(corpora, progress)
            asked = await collector.gather(load_calibration_stores(), progress)
            training |= answer_candidates(asked, training, load_cross_encoder())
        return save_fit(system, corpora, training, noun="memories", console=console, folder=folder)


def save_fit(
    system: System,
    corpora: Sequence[Corpus],
    training: TrainingData,
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


def fit_all(training: TrainingData, score: float) -> dict[str, Any]:
    """The coefficients for each combination of legs, those under a dotted name within its first
    part, and their figures on held-out folds."""
    coefficients: dict[str, Any] = {}
    for name, asked in training.items():
        kind, _, legs = name.rpartition(".")
        part = coefficients.setdefault(kind, {}) if kind else coefficients
        part[legs] = fit_weights(asked)
    return {
        "coefficients": coefficients,
        "held_out": {
            legs: held_out_metrics(predict_held_out(asked), score)
            for legs, asked in training.items()
        },
    }


def answer_candidates(
    asked: TrainingData, training: TrainingData, encoder: CrossEncoder
) -> TrainingData:
    """What tells an answer from what is merely relevant, by the legs that answer: `read` of the
    memories that a fit on the `training` finds likeliest, with what reading them together with the
    question says; `unread` of all."""
    made: TrainingData = {f"unread.{legs}": questions for legs, questions in asked.items()}
    known: list[dict[str, PairLogits | None]] = [{} for _ in asked["both"]]
    for legs, questions in asked.items():
        weights = fit_weights(training[legs])
        made[f"read.{legs}"] = [
            _read_together(each, weights, encoder, told)
            for each, told in zip(questions, known, strict=True)
        ]
    return made


def _read_together(
    asked: LabelledQuestion,
    weights: Mapping[str, float],
    encoder: CrossEncoder,
    known: dict[str, PairLogits | None],
) -> LabelledQuestion:
    """`known` keeps what was read, by the memory's text, for the other legs."""
    likely = sorted(
        ((predict_probability(each.features, weights), each) for each in asked.candidates),
        key=lambda pair: -pair[0],
    )[:MOST_READ]
    chosen = [each for probability, each in likely if probability >= WORTH_ASKING]
    new = [each.text for each in chosen if each.text not in known]
    known |= dict(zip(new, encoder.read(prepare_query(asked.text), new), strict=True))
    read = tuple(
        replace(each, features={**each.features, **told._asdict()})
        for each in chosen
        if (told := known[each.text]) is not None
    )
    return replace(asked, candidates=read)


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


def _table(noun: str, held_out: Mapping[str, Metrics], score: float) -> Table:
    title = f"each store judged by a fit on the others; cut at {score:g} and ten {noun}"
    table = Table(title=title, title_justify="left")
    table.add_column("legs")
    for name in next(iter(held_out.values())):
        table.add_column(name.replace("_", " "), justify="right")
    for row, figures in held_out.items():
        table.add_row(row, *(format_value(value) for value in figures.values()))
    return table


async def calibrate_messages(
    settings: Settings,
    console: Console,
    progress: Progress,
    folder: Path = COEFFICIENTS_FOLDER / "messages",
) -> Path:
    """Writes `<model>.json` into the folder and returns its path.

    Raises DatasetUnreadable, ReportNotWritten, VectorsMissing, RecallIncomplete.
    """
    corpora = load_dialogues()
    async with open_system(settings, console.print) as system:
        with progress:
            training = await MessageCandidateCollector(system).gather(corpora, progress)
        return save_fit(system, corpora, training, noun="messages", console=console, folder=folder)
