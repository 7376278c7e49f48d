"""Fits what reads messages, and measures it on writers that it has not read."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from eval.training.data import (
    LabelledMessage,
    LabelledSegment,
    LabelledSentence,
    common_words,
    load_labelled_sentences,
    type_message,
)
from memory.understanding import STATEMENTS
from memory.understanding.linear_models import (
    BUCKETS,
    FILE,
    HEADS,
    NOT_FIRST,
    Buckets,
    LinearHead,
    gap_features,
    quantise,
    save_heads,
    segment_features,
    tokenize,
)

# Each message is typed in this many ways.
TIMES = 2
# The inverse of the ridge penalty, and the most steps of the fit.
STRENGTH: Mapping[str, float] = {"kind": 30, "boundary": 1, "alone": 10}
_OTHER_STRENGTH, _MOST_STEPS = 10, 300
Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HeadExample:
    """What one head is to answer for these features."""

    buckets: Buckets
    label: str
    writer: str
    language: str


def message_examples(messages: Sequence[LabelledMessage], head: str) -> list[HeadExample]:
    """What the head of this name learns from."""
    draw = _gaps if head == "boundary" else _segments(head)
    common, rng = common_words(messages), random.Random(1)  # noqa: S311 - no secret
    found = []
    for message in [*messages] * TIMES:
        words = type_message(message, common, rng)
        found += [
            HeadExample(buckets, label, message.writer, message.language)
            for buckets, label in draw(message, words.text, words.starts)
        ]
    return found


Draw = Callable[[LabelledMessage, str, Sequence[int]], Iterator[tuple[Buckets, str]]]


def _gaps(
    message: LabelledMessage, text: str, starts: Sequence[int]
) -> Iterator[tuple[Buckets, str]]:
    tokens = tokenize(text)
    for gap in range(1, len(tokens)):
        yield gap_features(tokens, gap), "yes" if tokens[gap].start in starts else "no"


def _segments(head: str) -> Draw:
    def draw(
        message: LabelledMessage, text: str, starts: Sequence[int]
    ) -> Iterator[tuple[Buckets, str]]:
        ends = (*starts[1:], len(text))
        last = len(starts) - 1
        for index, segment in enumerate(message.segments):
            label = _label(segment, head, index)
            if label is not None:
                words = text[starts[index] : ends[index]].strip()
                place = NOT_FIRST if head == "alone" else index
                yield segment_features(words, place, last - index), label

    return draw


def _label(segment: LabelledSegment, head: str, index: int) -> str | None:
    """None where the segment says nothing of it."""
    if head == "alone":
        return ("yes" if segment.alone else "no") if segment.kind in STATEMENTS else None
    label: str | None = getattr(segment, head)
    return label


def fit_linear_head(
    examples: Sequence[HeadExample], labels: Sequence[str], strength: float
) -> LinearHead:
    """Multinomial logistic regression (L-BFGS), its weights rounded to int8."""
    number = {label: at for at, label in enumerate(labels)}
    answers = np.array([number[each.label] for each in examples])
    model = LogisticRegression(C=strength, max_iter=_MOST_STEPS).fit(_matrix(examples), answers)
    weights, intercept = np.zeros((len(labels), BUCKETS)), np.full(len(labels), -30.0)
    if len(model.classes_) == 2:  # noqa: PLR2004 - one row, for the second of two
        weights[model.classes_] = np.vstack([-model.coef_ / 2, model.coef_ / 2])
        intercept[model.classes_] = np.array([-1, 1]) * model.intercept_[0] / 2
    else:
        weights[model.classes_], intercept[model.classes_] = model.coef_, model.intercept_
    return quantise(weights, intercept)


def _matrix(examples: Sequence[HeadExample]) -> csr_matrix:
    sizes = [len(each.buckets) for each in examples]
    values = np.repeat([1 / np.sqrt(max(size, 1)) for size in sizes], sizes)
    columns = np.concatenate([each.buckets for each in examples])
    return csr_matrix(
        (values, columns, np.concatenate([[0], np.cumsum(sizes)])), shape=(len(examples), BUCKETS)
    )


def head_examples(messages: Sequence[LabelledMessage], head: str) -> list[HeadExample]:
    """All that this head learns from; whether something points back, from those sentences alone
    that ask to be left out of memory."""
    if head == "points_back":
        return [_whole(each) for each in load_labelled_sentences() if each.label != "other"]
    return message_examples(_looked_at(messages) if head == "alone" else messages, head)


def _looked_at(messages: Sequence[LabelledMessage]) -> list[LabelledMessage]:
    """Not every writer's segments were looked at for whether they can be understood alone, but
    what a message begins with can."""
    done = {each.writer for each in messages if not all(one.alone for one in each.segments)}
    return [
        each if each.writer in done else each.model_copy(update={"segments": each.segments[:1]})
        for each in messages
    ]


def _whole(sentence: LabelledSentence) -> HeadExample:
    label = "yes" if sentence.label == "points_back" else "no"
    return HeadExample(
        segment_features(sentence.text, 0, 0), label, sentence.writer, sentence.language
    )


def fit_head(messages: Sequence[LabelledMessage], name: str) -> LinearHead:
    examples = head_examples(messages, name)
    return fit_linear_head(examples, HEADS[name], STRENGTH.get(name, _OTHER_STRENGTH))


@dataclass(frozen=True)
class HeldOutHead:
    """Each example with the probabilities of a head that was fitted without its writer."""

    examples: Sequence[HeadExample]
    shares: npt.NDArray[np.float64]
    labels: Sequence[str]

    def of(self, **wanted: str) -> Chosen:
        return np.array(
            [all(getattr(each, k) == v for k, v in wanted.items()) for each in self.examples]
        )

    @property
    def right(self) -> Chosen:
        answers = self.shares.argmax(axis=1)
        return np.array(
            [self.labels[at] == each.label for at, each in zip(answers, self.examples, strict=True)]
        )


def hold_out_head(messages: Sequence[LabelledMessage], name: str) -> HeldOutHead:
    """Each writer's segments as they are read by what learned from all other writers."""
    examples, labels = head_examples(messages, name), HEADS[name]
    shares = np.zeros((len(examples), len(labels)))
    for writer in dict.fromkeys(each.writer for each in examples):
        head = fit_linear_head(
            [each for each in examples if each.writer != writer],
            labels,
            STRENGTH.get(name, _OTHER_STRENGTH),
        )
        for at, each in enumerate(examples):
            if each.writer == writer:
                shares[at] = head.probabilities(each.buckets)
    return HeldOutHead(examples, shares, labels)


def train_reader(messages: Sequence[LabelledMessage], path: Path = FILE) -> dict[str, LinearHead]:
    """Fits all heads on all messages and writes them."""
    heads = {name: fit_head(messages, name) for name in HEADS}
    save_heads(heads, path)
    return heads


def metrics_by_kind(held_out: HeldOutHead) -> list[dict[str, Any]]:
    """A row for each kind: how many, how many of them are heard as it, and how many of those that
    are heard as it are of it."""
    heard = [held_out.labels[at] for at in held_out.shares.argmax(axis=1)]
    rows = []
    for kind in held_out.labels:
        of = held_out.of(label=kind)
        as_it = np.array([each == kind for each in heard])
        both = float((of & as_it).sum())
        rows.append(
            {
                "kind": kind,
                "segments": int(of.sum()) // TIMES,
                "recall": round(both / max(of.sum(), 1), 3),
                "precision": round(both / max(as_it.sum(), 1), 3),
            }
        )
    return rows
