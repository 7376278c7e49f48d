"""Fits heads anew on what the shipped encoder gives, by logistic regressions: the shared training
leaves those that few lines teach unfinished, and new lines for them need no new encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.progress import track
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from eval.training.examples import UNKNOWN, TextExample
from memory.understanding.encoded_text import PLACES, TOKEN_LABELS, pooled
from memory.understanding.multilingual_encoder import WORDS_FILE, MultilingualEncoder, text_input

QUESTIONS = ("category", "bank", "lifetime", "alone", "command")
MARKED = ("object", "old", "new")
# The inverse of the ridge penalty of words and of answers, and the most steps of a fit.
_STRENGTH, _WEAK, _MOST_STEPS = 1.0, 0.003, 300
_CHUNK = 256
Heads = dict[str, npt.NDArray[Any]]


def fit_answers(encoder: MultilingualEncoder, texts: Sequence[TextExample]) -> Heads:
    """The heads with those of QUESTIONS and of the words of a command fitted anew."""
    heads: Heads = {name: values.copy() for name, values in encoder.heads.items()}
    vectors, words = _seen(encoder, texts)
    for question in QUESTIONS:
        labels, known = _labels(texts, question)
        weights, bias, answers = _regression(vectors[known], labels[known])
        columns = PLACES[question].start + answers
        heads["segment.kernel"][:, columns] = weights
        heads["segment.bias"][columns] = bias
    _fit_words(heads, words, [each for each in texts if _has_words(each)])
    return heads


def accuracy(
    heads: Heads, encoder: MultilingualEncoder, texts: Sequence[TextExample]
) -> dict[str, str]:
    """Of each question the share of texts that were not learned from that is answered rightly."""
    vectors, _ = _seen(encoder, texts)
    logits = vectors @ heads["segment.kernel"] + heads["segment.bias"]
    found = {}
    for question in QUESTIONS:
        labels, known = _labels(texts, question)
        told = logits[known][:, PLACES[question]]
        chosen = told.argmax(axis=1) if told.shape[1] > 1 else told[:, 0] > 0
        found[question] = f"{(chosen == labels[known]).mean():.3f}" if known.any() else "-"
    return found


def save_answers(heads: Heads, path: Path = WORDS_FILE) -> None:
    """Puts them in the place of those that are there."""
    with np.load(path) as stored:
        parts: dict[str, Any] = {name: stored[name] for name in stored.files}
    for name, values in heads.items():
        kept = parts[f"head.{name}"].dtype
        parts[f"head.{name}"] = values.astype(kept)
    np.savez_compressed(path, allow_pickle=False, **parts)


def _seen(
    encoder: MultilingualEncoder, texts: Sequence[TextExample]
) -> tuple[npt.NDArray[np.float32], list[npt.NDArray[np.float32]]]:
    """What stands for each segment of all texts, and for each token of those with a marked word."""
    vectors, words = [], []
    for at in track(range(0, len(texts), _CHUNK), description="reading"):
        some = texts[at : at + _CHUNK]
        for text, hidden in zip(some, encoder.run([text_input(e.ids) for e in some]), strict=True):
            if text.spans:
                vectors.append(pooled(hidden, text.spans))
            if _has_words(text):
                words.append(hidden[1 : len(text.ids) + 1])
    return np.concatenate(vectors), words


def _regression(
    vectors: npt.NDArray[np.float32], labels: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Kernel and bias, for vectors as they are, and of which labels; of two there is one column."""
    scale = StandardScaler().fit(vectors)
    model = LogisticRegression(C=_WEAK, max_iter=_MOST_STEPS)
    model.fit(scale.transform(vectors), labels)
    weights = model.coef_ / scale.scale_
    answers = model.classes_ if len(weights) > 1 else np.zeros(1, int)
    return weights.T, model.intercept_ - weights @ scale.mean_, answers


def _fit_words(
    heads: Heads, words: Sequence[npt.NDArray[np.float32]], texts: Sequence[TextExample]
) -> None:
    hidden = np.concatenate(words)
    for name in MARKED:
        labels = np.concatenate([np.array(each.token_labels[name]) for each in texts])
        known = labels != UNKNOWN
        model = LogisticRegression(C=_STRENGTH, max_iter=_MOST_STEPS)
        model.fit(hidden[known], labels[known])
        at = TOKEN_LABELS.index(name)
        heads["token.kernel"][:, at] = model.coef_[0]
        heads["token.bias"][at] = model.intercept_[0]


def _labels(
    texts: Sequence[TextExample], question: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    labels = np.array([one.labels[question] for each in texts for one in each.segments])
    return labels, labels != UNKNOWN


def _has_words(text: TextExample) -> bool:
    return any(1 in text.token_labels[name] for name in MARKED)
