"""Fits what tells a question about what was true before from others, and measures it on each writer
by what was learned from the rest.

Beside the labelled questions, of which those that want nothing of the past are near misses, others
of everyday are taken for such, with less weight: those that the vectors of the embedding model do
not take for the contrary either.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from eval.training.data import LabelledPastQuestion
from memory.understanding.encoded_text import sigmoid
from memory.understanding.linear_models import Buckets, LinearHead, quantise, save_heads
from memory.understanding.past_questions import (
    PAST_BUCKETS,
    PAST_FILE,
    PAST_FROM,
    past_features,
)
from memory.understanding.sentence_encoder import QUERY, load_sentence_encoder

# The inverse of the ridge penalty, that of the vectors' fit, and the most steps of both.
_STRENGTH, _STRENGTH_OF_VECTORS, _MOST_STEPS = 3, 5, 1000
# What an everyday question counts beside a labelled one.
_OF_EVERYDAY = 0.3


class PastQuestionSet:
    """Labelled questions and everyday ones, with the features of each."""

    def __init__(self, labelled: Sequence[LabelledPastQuestion], everyday: Sequence[str]) -> None:
        encoder = load_sentence_encoder()
        texts = [each.text for each in labelled]
        self.labelled = labelled
        self.features = [past_features(each) for each in texts]
        self.everyday = [past_features(each) for each in everyday]
        self.past = np.array([each.past for each in labelled])
        self._vectors = encoder.embed([QUERY + each for each in texts])
        self._of_everyday = encoder.embed([QUERY + each for each in everyday])

    def fit(self, chosen: npt.NDArray[np.bool_]) -> LinearHead:
        """Logistic regression (L-BFGS) on those that are chosen; a feature counts by how rare it
        is, ln((n + 1) / (k + 1)), so that what stands in every question is learned last."""
        by_vector = LogisticRegression(C=_STRENGTH_OF_VECTORS, max_iter=_MOST_STEPS)
        by_vector.fit(self._vectors[chosen], self.past[chosen])
        taken = ~by_vector.predict(self._of_everyday)
        own = _matrix([self.features[at] for at in np.flatnonzero(chosen)])
        others = _matrix([self.everyday[at] for at in np.flatnonzero(taken)])
        seen = vstack([own, others]).tocsr()
        count = seen.shape[0]
        rare = np.log((1 + count) / (1 + np.asarray((seen > 0).sum(axis=0)).ravel()))
        labels = np.concatenate([self.past[chosen], np.zeros(others.shape[0], bool)])
        weights = np.repeat([1.0, _OF_EVERYDAY], [own.shape[0], others.shape[0]])
        model = LogisticRegression(C=_STRENGTH, max_iter=_MOST_STEPS)
        model.fit(seen.multiply(rare).tocsr(), labels, sample_weight=weights)
        return quantise(model.coef_ * rare, model.intercept_)


def _matrix(features: Sequence[Buckets]) -> csr_matrix:
    ends = np.cumsum([0, *map(len, features)])
    values = np.concatenate([np.full(len(each), len(each) ** -0.5) for each in features])
    return csr_matrix((values, np.concatenate(features), ends), shape=(len(features), PAST_BUCKETS))


def train_past(questions: PastQuestionSet, path: Path = PAST_FILE) -> None:
    """Fits the head on all of them and writes it."""
    save_heads({"past": questions.fit(np.ones(len(questions.labelled), bool))}, path)


def figures_of_past(questions: PastQuestionSet) -> list[dict[str, Any]]:
    """By language, of each writer by what was learned from the others: how well both kinds are told
    apart, and of each how many are taken for one that wants what was before."""
    shares, past = _held_out(questions), questions.past
    languages = np.array([each.language for each in questions.labelled])
    rows = []
    for language in ("all", *sorted(set(languages.tolist()))):
        some = (languages == language) | (language == "all")
        told = shares[some] >= PAST_FROM
        rows.append(
            {
                "language": language,
                "questions": int(some.sum()),
                "AUC": f"{roc_auc_score(past[some], shares[some]):.3f}",
                "heard": f"{told[past[some]].mean():.3f}",
                "near misses": f"{told[~past[some]].mean():.3f}",
            }
        )
    return rows


def _held_out(questions: PastQuestionSet) -> npt.NDArray[np.float64]:
    writers = np.array([each.writer for each in questions.labelled])
    shares = np.zeros(len(writers))
    for writer in set(writers.tolist()):
        head = questions.fit(writers != writer)
        for at in np.flatnonzero(writers == writer):
            shares[at] = sigmoid(head.logits(questions.features[at]))[0]
    return shares
