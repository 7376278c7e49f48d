"""Fits what finds the words that a command is about, from sentences in which they were marked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from eval.training.data import LabelledCommand
from memory.understanding.command_objects import (
    BUCKETS,
    FILE,
    TAGS,
    ObjectHeads,
    edge_features,
    tag_features,
)
from memory.understanding.linear_models import (
    Buckets,
    LinearHead,
    Token,
    quantise,
    save_heads,
    tokenize,
)

# The ridge penalty is 1; what is scaled up is penalised less.
_GRAMS, _STEPS = 10.0, 80
# In these only some were marked.
_PARTLY_MARKED = {"f1", *(f"w{number}" for number in range(16))}


def train_objects(commands: Sequence[LabelledCommand], path: Path = FILE) -> None:
    """Fits the heads on all of it and writes them."""
    heads = fit_objects(commands)
    save_heads({"tag": heads.tag, "begin": heads.begin, "end": heads.end}, path)


def fit_objects(commands: Sequence[LabelledCommand]) -> ObjectHeads:
    told = [each for each in commands if _is_marked(each)]
    return ObjectHeads(*(_fit_tags(told, part) for part in ("tag", "begin", "end")))


def _fit_tags(commands: Sequence[LabelledCommand], part: str) -> LinearHead:
    told = [each for sentence in commands for each in _tagged(sentence, part)]
    fitted = _softmax(_matrix([each for each, _ in told]), np.array([tag for _, tag in told]))
    return quantise(fitted[:BUCKETS].T, fitted[-1])


def _is_marked(sentence: LabelledCommand) -> bool:
    """Whether its objects were marked, or are known to be none."""
    if sentence.command == "none":
        return False
    whole = sentence.writer not in _PARTLY_MARKED
    return whole or any(getattr(sentence, tag) for tag in TAGS[1:])


def _tagged(sentence: LabelledCommand, part: str) -> list[tuple[Buckets, int]]:
    """Each word and mark with its tag, or each gap with that of what begins or ends there."""
    tokens, name = tokenize(sentence.text), sentence.command
    runs = {run: tag for tag in range(1, len(TAGS)) if (run := _run(sentence, tokens, TAGS[tag]))}
    if part == "tag":
        inside = {at: tag for run, tag in runs.items() for at in range(*run)}
        return [(tag_features(tokens, n, name), inside.get(n, 0)) for n in range(len(tokens))]
    edges = {run[part == "end"]: tag for run, tag in runs.items()}
    return [(edge_features(tokens, n, name), edges.get(n, 0)) for n in range(len(tokens) + 1)]


def _run(sentence: LabelledCommand, tokens: Sequence[Token], tag: str) -> tuple[int, int] | None:
    """The tokens of what was marked so, without a mark that ends it."""
    words = getattr(sentence, tag)
    start = sentence.text.rfind(words)
    inside = [
        at
        for at, each in enumerate(tokens)
        if words and start <= each.start and each.end <= start + len(words)
    ]
    while len(inside) > 1 and not tokens[inside[-1]].is_word:
        inside.pop()
    return (inside[0], inside[-1] + 1) if inside else None


def _matrix(buckets: Sequence[Buckets]) -> csr_matrix:
    sizes = [len(each) for each in buckets]
    values = np.repeat([1 / np.sqrt(max(size, 1)) for size in sizes], sizes).astype(np.float32)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return csr_matrix((values, np.concatenate(buckets), ends), shape=(len(buckets), BUCKETS))


def _softmax(grams: csr_matrix, answers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The weights of n-grams and the intercepts, (features, labels), by L-BFGS."""
    shape = (BUCKETS + 1, len(TAGS))
    scaled, turned = grams * _GRAMS, (grams * _GRAMS).T.tocsr()
    truth = np.zeros((grams.shape[0], len(TAGS)), np.float32)
    rows = np.arange(len(truth))
    truth[rows, answers] = 1

    def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        told = flat.reshape(shape).astype(np.float32)
        logits = scaled @ told[:-1] + told[-1]
        logits -= logits.max(axis=1, keepdims=True)
        total = np.exp(logits).sum(axis=1, keepdims=True)
        wrong = np.exp(logits) / total - truth
        gradient = np.concatenate([turned @ wrong + told[:-1], wrong.sum(axis=0)[None]])
        right = (logits - np.log(total))[rows, answers]
        ridge = 0.5 * float((told[:-1] ** 2).sum())
        return float(-right.sum()) + ridge, gradient.ravel().astype(np.float64)

    start = np.zeros(shape[0] * shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    fitted = found.x.reshape(shape)
    fitted[:-1] *= _GRAMS
    return np.asarray(fitted)
