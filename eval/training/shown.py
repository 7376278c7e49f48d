"""Fits what tells the pieces of a message that are shown from those that are said: messages of
several lines are put together from labelled ones, and cut as the reader cuts them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.progress import track
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from eval.training.data import LabelledMessage, LabelledSegment
from eval.training.examples import unmarked
from memory.text import to_readable
from memory.understanding import STATEMENTS, Kind
from memory.understanding.encoded_text import encode_text, label_shares
from memory.understanding.multilingual_encoder import MultilingualEncoder
from memory.understanding.segmentation import SegmentSpan, split_segments
from memory.understanding.shown import SHOWN_FILE, SHOWN_FROM, first_view, second_view
from memory.understanding.types import ASKING, KEPT_FROM

# The encoder did not learn from them: of its own writers it is surer than it is of anybody else.
UNSEEN = frozenset({"M10", "M11"})
_SEEN_COUNTS = 0.5
# Messages of several people's facts on lines of their own, most of them with a question.
_NOTES = 600
_FOLDS, _STRENGTH, _MOST_STEPS = 4, 0.1, 2000
_BLANK_LINE, _LINE = 0.5, 0.7
Array = npt.NDArray[Any]
Model = tuple[Array, Array]


@dataclass
class ShownExample:
    """A message as the reader sees it; `shown` and `told` of each segment, and how probably it is
    told by itself. What was made of one message stays in one fold."""

    writer: str
    number: int
    text: str
    spans: Sequence[SegmentSpan]
    seen: Array
    shown: Array
    told: Array
    heard: Array
    shares: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def again(self) -> Array:
        return second_view(self.text, self.spans, self.seen, self.shares)


def shown_examples(
    messages: Sequence[LabelledMessage], encoder: MultilingualEncoder
) -> list[ShownExample]:
    rng = random.Random(3)  # noqa: S311 - no secret
    composed = list(_composed(messages, rng))
    found = [
        _example(each, number, encoder, rng)
        for number, each in track(composed, description="reading")
    ]
    return [each for each in found if each]


def fit_shown(examples: Sequence[ShownExample]) -> tuple[Model, Model]:
    """The first regression, and the second on what the first says of messages it did not see."""
    for held, rest in _folds(examples):
        first = _regression(rest, [each.seen for each in rest])
        for each in held:
            each.shares = _shares(first, each.seen)
    second = _regression(examples, [each.again for each in examples])
    return _regression(examples, [each.seen for each in examples]), second


def hold_out_shown(examples: Sequence[ShownExample]) -> list[dict[str, str]]:
    """Of each writer's messages, read by what learned from the others: what is kept of what is
    told, and what is left out of what is shown."""
    found: dict[str, list[tuple[ShownExample, Array]]] = {}
    for held, rest in _folds(examples):
        first, second = fit_shown(rest)
        for each in held:
            each.shares = _shares(first, each.seen)
            kept = (_shares(second, each.again) < SHOWN_FROM) & (each.heard >= KEPT_FROM)
            found.setdefault(each.writer, []).append((each, kept))
    rows = []
    for writer, read in sorted(found.items()):
        told, shown, kept = (
            np.concatenate(each)
            for each in zip(*((one.told, one.shown, kept) for one, kept in read), strict=True)
        )
        rows.append(
            {
                "writer": writer,
                "told kept": f"{kept[told].mean():.3f}" if told.any() else "-",
                "shown left out": f"{1 - kept[shown].mean():.3f}" if shown.any() else "-",
            }
        )
    return rows


def save_shown(first: Model, second: Model, path: Path = SHOWN_FILE) -> None:
    parts = {
        f"{name}.{part}": values.astype(np.float32)
        for name, model in (("first", first), ("second", second))
        for part, values in zip(("kernel", "bias"), model, strict=True)
    }
    np.savez_compressed(path, allow_pickle=False, **parts)


def _composed(
    messages: Sequence[LabelledMessage], rng: random.Random
) -> Iterator[tuple[int, LabelledMessage]]:
    """Each message of several lines twice, once more beside what somebody else tells, and notes of
    several messages, a line for each; with the number of its fold."""
    own = [each for each in messages if not _shows(each)]
    unseen = [each for each in own if each.writer in UNSEEN]
    asking = [each for each in own if {one.kind for one in each.segments} <= ASKING]
    for number, each in enumerate(messages):
        if any("\n" in one.text for one in each.segments):
            yield from [(number, each)] * 2
            if _shows(each):
                yield number, _beside(each, rng.choice(unseen), rng)
    for number in range(_NOTES):
        some = rng.sample(unseen if number % 2 else own, rng.choice([1, 2, 3]))
        if number % 3:
            some.insert(rng.choice([0, len(some), len(some)]), rng.choice(asking))
        yield number, some[0].model_copy(update={"segments": sum(map(_lines, some), ())})


def _shows(message: LabelledMessage) -> bool:
    return any(each.kind == "quotation" for each in message.segments)


def _beside(shown: LabelledMessage, other: LabelledMessage, rng: random.Random) -> LabelledMessage:
    first = shown.segments[0].kind == "quotation" or rng.random() < _BLANK_LINE
    parts = (_lines(other), shown.segments) if first else (_lines(shown), other.segments)
    return shown.model_copy(update={"segments": sum(parts, ())})


def _lines(message: LabelledMessage) -> tuple[LabelledSegment, ...]:
    last = message.segments[-1]
    ended = last.model_copy(update={"text": last.text.rstrip("\n") + "\n"})
    return (*message.segments[:-1], ended)


def _example(
    message: LabelledMessage, number: int, encoder: MultilingualEncoder, rng: random.Random
) -> ShownExample | None:
    """None where it is of one line."""
    typed, kinds = _typed(message.segments, rng)
    text = to_readable(typed)
    letters = iter([kind for each, kind in zip(typed, kinds, strict=True) if each.isalnum()])
    kinds = [next(letters, None) if each.isalnum() else None for each in text]
    if "\n" not in text:
        return None
    encoded = encode_text(text, encoder)
    spans = split_segments(text, encoded.gaps())
    logits = encoded.segments([(each.start, each.end) for each in spans])
    found = [_most([one for one in kinds[each.start : each.end] if one]) for each in spans]
    shares = [label_shares("kind", each) for each in logits]
    return ShownExample(
        message.writer,
        number,
        text,
        spans,
        first_view(text, spans, logits),
        np.array([each == "quotation" for each in found]),
        np.array([each in STATEMENTS for each in found]),
        np.array([sum(each[kind] for kind in STATEMENTS) for each in shares]),
    )


def _typed(
    segments: Sequence[LabelledSegment], rng: random.Random
) -> tuple[str, list[Kind | None]]:
    """With the kind of each sign; often a line, or an empty one, between what is said and shown."""
    text, kinds, before = "", list[Kind | None](), segments[0].kind
    empty = rng.random() < _BLANK_LINE
    for each in segments:
        turns = (before == "quotation") != (each.kind == "quotation")
        if text and (not text.endswith("\n") or (turns and empty)):
            text += "\n" if turns and (text.endswith("\n") or rng.random() < _LINE) else " "
        kinds += [None] * (len(text) - len(kinds))
        text += unmarked(each.text)[0]
        kinds += [each.kind] * (len(text) - len(kinds))
        before = each.kind
    return text, kinds


def _most(kinds: Sequence[Kind]) -> Kind | None:
    return max(set(kinds), key=kinds.count, default=None)


def _folds(
    examples: Sequence[ShownExample],
) -> Iterator[tuple[list[ShownExample], list[ShownExample]]]:
    for fold in range(_FOLDS):
        held = [each for each in examples if each.number % _FOLDS == fold]
        yield held, [each for each in examples if each.number % _FOLDS != fold]


def _regression(examples: Sequence[ShownExample], views: Sequence[Array]) -> Model:
    """Kernel and bias, for what is seen as it is."""
    seen, labels = np.concatenate(views), np.concatenate([each.shown for each in examples])
    counts = [1 if each.writer in UNSEEN or each.shown.any() else _SEEN_COUNTS for each in examples]
    weights = np.repeat(counts, [len(each.spans) for each in examples])
    scale = StandardScaler().fit(seen)
    model = LogisticRegression(C=_STRENGTH, max_iter=_MOST_STEPS)
    model.fit(scale.transform(seen), labels, sample_weight=weights)
    kernel = model.coef_[0] / scale.scale_
    return kernel, np.array(model.intercept_[0] - kernel @ scale.mean_)


def _shares(model: Model, seen: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-(seen @ model[0] + model[1]))))
