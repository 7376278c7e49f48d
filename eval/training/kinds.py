"""Fits what tells of what kind a segment of a message is, by its words alone, and measures it on
writers that it has not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from eval.training.data import LabelledMessage
from eval.training.fine_tune import (
    Recipe,
    Weights,
    as_packaged,
    fine_tune,
    save_trained,
    tokenise_rows,
)
from memory.understanding import STATEMENTS, Kind
from memory.understanding.fine_tuned_encoder import FineTunedEncoder
from memory.understanding.reader import KINDS_FILE
from memory.understanding.types import KINDS

# Measured on these two; every other writer is read.
HELD_OUT = frozenset({"w3", "w11"})
RECIPE = Recipe(epochs=2)
# So much of what is told may be lost where the rest is left out.
_LOST = 0.05


@dataclass(frozen=True)
class KindExample:
    text: str
    kind: Kind
    writer: str


def kind_examples(messages: Sequence[LabelledMessage]) -> list[KindExample]:
    """As they were written, each by itself."""
    return [
        KindExample(each.text, each.kind, message.writer)
        for message in messages
        for each in message.segments
    ]


def fit_kinds(segments: Sequence[KindExample]) -> Weights:
    """A quarter of an hour on one core."""
    labels = [KINDS.index(each.kind) for each in segments]
    rows = tokenise_rows([each.text for each in segments], labels)
    return fine_tune([rows] * RECIPE.epochs, len(KINDS), RECIPE)


def train_kinds(segments: Sequence[KindExample], path: Path = KINDS_FILE) -> None:
    """Fits the model on all segments and writes it."""
    save_trained(fit_kinds(segments), path)


def hold_out_kinds(segments: Sequence[KindExample]) -> list[dict[str, Any]]:
    """A row for each writer of HELD_OUT, as heard by what read all others."""
    model = as_packaged(fit_kinds([each for each in segments if each.writer not in HELD_OUT]))
    return [
        {
            "writer": writer,
            **kind_metrics(model, [each for each in segments if each.writer == writer]),
        }
        for writer in sorted(HELD_OUT)
    ]


def kind_metrics(model: FineTunedEncoder, segments: Sequence[KindExample]) -> dict[str, Any]:
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
