"""Fits what finds the values of secrets in sentences, and measures it on writers that it has not
read."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from eval.training.data import LabelledMessage, MarkedSentence, common_words, type_message
from memory.understanding.linear_models import Buckets, LinearHead, quantise, save_heads
from memory.understanding.secret_values import (
    AROUND_WEIGHT,
    BUCKETS,
    FILE,
    REMOVED,
    SURELY,
    value_features,
    value_log_odds,
    value_words,
)

# The inverse of the ridge penalty, and the most steps of the fit.
_STRENGTH, _MOST_STEPS = 30, 500
_MARKED = re.compile("⟦([^⟧]*)⟧")
_TAKEN_OUT = re.compile(r"\[[a-z ]+ removed\]")
_MARKS = (". ", "\n", "! ", ", ")
Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class SecretValueExample:
    """A word that may be a secret's value; `origin` tells a marked sentence from a message."""

    near: Buckets
    around: Buckets
    secret: bool
    origin: str
    writer: str


def secret_value_examples(
    sentences: Sequence[MarkedSentence], messages: Sequence[LabelledMessage]
) -> list[SecretValueExample]:
    """Each marked sentence as it is, with its secrets taken out, and beside a message; and each
    message, in which no secret stands."""
    rng, common = random.Random(1), common_words(messages)  # noqa: S311 - no secret
    told = [
        (each.language, each.writer, _TAKEN_OUT.sub(REMOVED, type_message(each, common, rng).text))
        for each in messages
    ]
    found = [each for _, writer, text in told for each in _examples(text, "message", writer)]
    for each in sentences:
        found += _examples(each.text, "sentence", each.writer)
        if "⟦" in each.text:
            found += _examples(_MARKED.sub(REMOVED, each.text), "removed", each.writer)
        others = [text for language, _, text in told if language == each.language]
        beside = _beside(each.text, rng.choice(others or [told[0][2]]), rng)
        found += _examples(beside, "beside", each.writer)
    return found


def _beside(sentence: str, other: str, rng: random.Random) -> str:
    first, second = (sentence, other) if rng.random() < 0.5 else (other, sentence)  # noqa: PLR2004
    return first.rstrip(".") + rng.choice(_MARKS) + second


def _examples(marked: str, origin: str, writer: str) -> Iterator[SecretValueExample]:
    text = marked.replace("⟦", "").replace("⟧", "")
    secrets = list(_secrets(marked))
    words = value_words(text)
    for at, word in enumerate(words):
        if word.may_be_one:
            secret = any(word.start < end and word.end > start for start, end in secrets)
            yield SecretValueExample(*value_features(words, at), secret, origin, writer)


def _secrets(marked: str) -> Iterator[tuple[int, int]]:
    """Where they stand in the text without the marks."""
    for number, each in enumerate(_MARKED.finditer(marked)):
        start = each.start() - 2 * number
        yield start, start + len(each[1])


def fit_secret_values(examples: Sequence[SecretValueExample]) -> LinearHead:
    """Logistic regression (L-BFGS), its weights rounded to int8."""
    secret = np.array([each.secret for each in examples])
    model = LogisticRegression(C=_STRENGTH, max_iter=_MOST_STEPS).fit(_matrix(examples), secret)
    return quantise(model.coef_, model.intercept_)


def _matrix(examples: Sequence[SecretValueExample]) -> csr_matrix:
    columns, values, ends = [], [], [0]
    for each in examples:
        weights = np.repeat([1.0, AROUND_WEIGHT], [len(each.near), len(each.around)])
        columns += [each.near, each.around]
        values.append(weights / np.sqrt((weights**2).sum()))
        ends.append(ends[-1] + len(weights))
    data = (np.concatenate(values), np.concatenate(columns), ends)
    return csr_matrix(data, shape=(len(examples), BUCKETS))


@dataclass(frozen=True)
class HeldOutSecretValues:
    """Each example with its log-odds by a head that was fitted without its writer."""

    examples: Sequence[SecretValueExample]
    odds: npt.NDArray[np.float64]

    def of(self, **wanted: object) -> Chosen:
        return np.array(
            [all(getattr(each, k) == v for k, v in wanted.items()) for each in self.examples]
        )


def hold_out_secret_values(examples: Sequence[SecretValueExample]) -> HeldOutSecretValues:
    """Each writer's words as they are read by what learned from all other writers."""
    odds = np.zeros(len(examples))
    for writer in dict.fromkeys(each.writer for each in examples):
        head = fit_secret_values([each for each in examples if each.writer != writer])
        for at, each in enumerate(examples):
            if each.writer == writer:
                odds[at] = value_log_odds(head, each.near, each.around)
    return HeldOutSecretValues(examples, odds)


def secret_value_metrics(
    held_out: HeldOutSecretValues, surely: float = SURELY
) -> list[dict[str, Any]]:
    """A row for each writer of marked sentences: the share of the words of secrets that is found,
    of the other words of their sentences, and of those of their messages."""
    found = held_out.odds >= surely
    sentences, messages = held_out.of(origin="sentence"), held_out.of(origin="message")
    rows = []
    for writer in ("all", *dict.fromkeys(each.writer for each in held_out.examples)):
        theirs = held_out.of(**({} if writer == "all" else {"writer": writer}))
        secret = held_out.of(secret=True)
        told = {
            "secrets": theirs & sentences & secret,
            "look-alikes": theirs & sentences & ~secret,
            "messages": theirs & messages,
        }
        counts = {name: f"{found[each].sum()}/{each.sum()}" for name, each in told.items()}
        rows.append({"writer": writer, **counts})
    return rows


def train_secret_values(examples: Sequence[SecretValueExample], path: Path = FILE) -> LinearHead:
    """Fits the head on all examples and writes it."""
    head = fit_secret_values(examples)
    save_heads({"secret_value": head}, path)
    return head
