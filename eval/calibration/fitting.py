"""Coefficients from labelled candidates, and what they are worth on a fold that they never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.calibration.logistic import Array, fit
from eval.calibration.training import Asked, Candidate
from eval.measures.metrics import (
    area_under_curve,
    expected_calibration_error,
    log_loss,
    mean,
    precision_at,
    recall_at,
    share,
)
from eval.measures.summary import Figures
from memory.recall.search.relevance import sigmoid

INTERCEPT = "intercept"
DIGITS = 4
TOP = 10


@dataclass(frozen=True)
class Judged:
    """A question with the probability of each candidate under coefficients fitted without it."""

    asked: Asked
    probabilities: tuple[float, ...]

    def above(self, score: float, most: int) -> list[frozenset[str]]:
        """What the best `most` of at least this probability cover, best first."""
        pairs = zip(self.probabilities, self.asked.candidates, strict=True)
        ranked = sorted(pairs, key=lambda pair: -pair[0])[:most]
        return [candidate.covers for probability, candidate in ranked if probability >= score]


def fit_weights(asked: Sequence[Asked]) -> dict[str, float]:
    """The intercept and the weight of each feature, by its name, under which these candidates'
    labels are likeliest; none where there is no candidate."""
    candidates = [candidate for each in asked for candidate in each.candidates]
    if not candidates:
        return {INTERCEPT: 0.0}
    names = list(candidates[0].features)
    labels = np.array([float(candidate.helps) for candidate in candidates])
    beta = fit(_matrix(candidates, names), labels)
    rounded = [round(float(value), DIGITS) + 0.0 for value in beta]
    return dict(zip([INTERCEPT, *names], rounded, strict=True))


def probability(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """σ(intercept + Σ weight · feature); a feature without a weight does not count."""
    return sigmoid(weights[INTERCEPT] + sum(weights.get(k, 0.0) * x for k, x in features.items()))


def judge_held_out(asked: Sequence[Asked]) -> list[Judged]:
    """Each question, in its order, judged by what is fitted on all the other folds."""
    by = {
        fold: fit_weights([each for each in asked if each.fold != fold])
        for fold in dict.fromkeys(each.fold for each in asked)
    }
    return [
        Judged(each, tuple(probability(c.features, by[each.fold]) for c in each.candidates))
        for each in asked
    ]


def held_out_figures(judged: Sequence[Judged], score: float) -> Figures:
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
        "no_answer_accuracy": share(not cut for wanted, cut in kept if not wanted),
        "recall_at_5_uncut": mean(recall_at(5, ranking, wanted) for wanted, ranking in ranked),
    }


def _matrix(candidates: Sequence[Candidate], names: Sequence[str]) -> Array:
    """One column for each feature that the relevance model weighs, by its own names."""
    rows = (candidate.features for candidate in candidates)
    return np.array([[features[name] for name in names] for features in rows], dtype=float)
