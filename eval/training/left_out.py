"""Fits what hears that something shall be left out of memory, and measures it on writers that it
has not read."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eval.calibration.logistic import Array
from eval.training.fitting import Space
from eval.training.sentences import Labelled
from memory.understanding.left_out import FILE, Head, passages
from memory.understanding.ngrams import buckets

RIDGE = 0.1
# Of the sentences of others that may be taken for such a request. Most of them were written to look
# like one; of ordinary talk it is a fraction (docs/decisions/0023-asked-to-be-left-out.md).
MOST_WRONG = 0.05
Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HeldOut:
    """What was heard of each sentence by heads that were fitted without its writer."""

    sentences: Sequence[Labelled]
    left_out: Array
    points_back: Array

    def above(self, wrong: float) -> float:
        """The log-odds that only that share of the other sentences reaches."""
        return float(np.quantile(self.left_out[self.of(label="other")], 1 - wrong))

    def of(self, **wanted: str) -> Chosen:
        """Which sentences have this label, language or writer."""
        return np.array(
            [all(getattr(each, k) == v for k, v in wanted.items()) for each in self.sentences]
        )


def hold_out(sentences: Sequence[Labelled], space: Space) -> HeldOut:
    """Each sentence as it is heard by what learned from all other writers."""
    left_out, points_back = np.zeros(len(sentences)), np.zeros(len(sentences))
    writers = np.array([each.writer for each in sentences])
    for writer in dict.fromkeys(writers):
        heads = fit_heads(sentences, space, writers != writer)
        for index in map(int, np.flatnonzero(writers == writer)):
            text = sentences[index].text
            left_out[index] = plainest(text, heads["left_out"])
            points_back[index] = heads["points_back"].log_odds(buckets(text))
    return HeldOut(sentences, left_out, points_back)


def fit_heads(sentences: Sequence[Labelled], space: Space, chosen: Chosen) -> dict[str, Head]:
    """Both heads on the chosen sentences; the second only on those that ask for something."""
    labels = np.array([each.label for each in sentences])
    asking = labels != "other"
    return {
        "left_out": space.head(asking.astype(float), chosen, RIDGE),
        "points_back": space.head((labels == "points_back").astype(float), chosen & asking, RIDGE),
    }


def plainest(text: str, head: Head) -> float:
    """The log-odds of the sentence that asks for it most plainly, as the program takes them."""
    return max(head.log_odds(buckets(each)) for each in passages(text))


def figures(held_out: HeldOut, threshold: float) -> list[dict[str, Any]]:
    """A row for all, for each writer and for each language: the share of requests that are heard,
    of those the share whose direction is right, and the share of other sentences taken for one."""
    rows = [_row("all", held_out, threshold, {})]
    for kind in ("writer", "language"):
        names = dict.fromkeys(getattr(each, kind) for each in held_out.sentences)
        rows += [_row(f"{kind} {name}", held_out, threshold, {kind: name}) for name in names]
    return rows


def _row(
    name: str, held_out: HeldOut, threshold: float, wanted: Mapping[str, str]
) -> dict[str, Any]:
    heard, back = held_out.left_out >= threshold, held_out.points_back > 0
    told = {label: held_out.of(label=label, **wanted) for label in _LABELS}
    asked, before, other = (told[label] for label in _LABELS)
    return {
        "of": name,
        "sentences": int(sum(each.sum() for each in told.values())),
        "do_not_remember": _share(heard[asked]),
        "points_back": _share(heard[before]),
        "direction": _share(np.concatenate([~back[asked & heard], back[before & heard]])),
        "other": _share(heard[other]),
    }


_LABELS = ("do_not_remember", "points_back", "other")


def _share(heard: Chosen) -> float:
    return round(float(heard.mean()), 3) if len(heard) else float("nan")


def train(sentences: Sequence[Labelled], path: Path = FILE) -> list[dict[str, Any]]:
    """Writes the model, and returns its figures on writers that were held out."""
    space = Space.of([each.text for each in sentences])
    held_out = hold_out(sentences, space)
    threshold = held_out.above(MOST_WRONG)
    rows = figures(held_out, threshold)
    heads = fit_heads(sentences, space, np.ones(len(sentences), dtype=bool))
    told = {
        "heads": {name: _as_json(head) for name, head in heads.items()},
        "threshold": round(threshold, 4),
        "held_out": rows,
    }
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return rows


def _as_json(head: Head) -> dict[str, str | float]:
    weights = base64.b64encode(head.weights.astype("<f2").tobytes()).decode()
    return {"intercept": head.intercept, "weights": weights}
