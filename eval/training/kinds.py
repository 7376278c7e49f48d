"""Fits what tells of what kind a segment of a message is, by its words alone, and measures it on
writers that it has not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from eval.training.encoder import Weights, save_trained
from eval.training.fine_tune import Recipe, as_shipped, fine_tune, rows_of
from eval.training.sentences import LabelledMessage
from memory.understanding import STATEMENTS, Kind
from memory.understanding.fine_tuned import FineTuned
from memory.understanding.offline import KINDS_FILE
from memory.understanding.reading import KINDS

# Measured on these two; every other writer is read.
HELD_OUT = frozenset({"w3", "w11"})
RECIPE = Recipe(epochs=2)
# So much of what is told may be lost where the rest is left out.
_LOST = 0.05


@dataclass(frozen=True)
class Segment:
    text: str
    kind: Kind
    writer: str


def segments_of(messages: Sequence[LabelledMessage]) -> list[Segment]:
    """As they were written, each by itself."""
    return [
        Segment(each.text, each.kind, message.writer)
        for message in messages
        for each in message.segments
    ]


def fit(segments: Sequence[Segment]) -> Weights:
    """A quarter of an hour on one core."""
    labels = [KINDS.index(each.kind) for each in segments]
    rows = rows_of([each.text for each in segments], labels)
    return fine_tune([rows] * RECIPE.epochs, len(KINDS), RECIPE)


def train_kinds(segments: Sequence[Segment], path: Path = KINDS_FILE) -> None:
    """Fits the model on all segments and writes it."""
    save_trained(fit(segments), path)


def hold_out(segments: Sequence[Segment]) -> list[dict[str, Any]]:
    """A row for each writer of HELD_OUT, as heard by what read all others."""
    model = as_shipped(fit([each for each in segments if each.writer not in HELD_OUT]))
    return [
        {"writer": writer, **figures(model, [each for each in segments if each.writer == writer])}
        for writer in sorted(HELD_OUT)
    ]


def figures(model: FineTuned, segments: Sequence[Segment]) -> dict[str, Any]:
    """How often the kind is right; how well what is told is known from all else; and how much of
    that is left out where all but a twentieth of what is told is kept."""
    shares = model.probabilities([each.text for each in segments])
    kinds = np.array([each.kind for each in segments])
    told = np.isin(kinds, list(STATEMENTS))
    score = shares[:, [kind in STATEMENTS for kind in KINDS]].sum(axis=1)
    left_out = score[~told] < np.quantile(score[told], _LOST)
    right = np.array(KINDS)[shares.argmax(axis=1)] == kinds
    values = {
        "all thirteen": right.mean(),
        "AUC told": roc_auc_score(told, score),
        "rest left out": left_out.mean(),
    }
    return {"segments": len(segments), **{name: f"{each:.3f}" for name, each in values.items()}}
