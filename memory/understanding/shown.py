"""Whether a piece of a message is said or shown: pasted, quoted, or brought for something to be
done with it. Its own words say little of that, what stands around it more: a line is shown where
its block is, and where the message asks for something beside it.

Two logistic regressions, the second of which also sees what the first one says of the others;
weights by `python -m eval.training shown` (docs/decisions/0025-offline-reader.md). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.understanding.encoded_text import PLACES, SEGMENT_LABELS, sigmoid, softmax
from memory.understanding.segmentation import SegmentSpan
from memory.understanding.types import KINDS, SENTENCE_ENDS, STATEMENTS, Kind

# Found on messages that were held out: as much of what is told is kept as before there was this.
SHOWN_FROM = 0.8
SHOWN_FILE = Path(__file__).parent / "shown.npz"
_GROUPS: Sequence[frozenset[Kind]] = (
    STATEMENTS,
    frozenset({"quotation"}),
    frozenset({"question"}),
    frozenset({"request"}),
    frozenset({"small_talk", "passing"}),
    frozenset({"remember"}),
)
_ASKING = slice(2, 4)
_SURELY = 0.998
_SIGNS = re.compile(r"[^\w\s.,!?'’-]")
Array = npt.NDArray[np.floating]


def shown_shares(text: str, spans: Sequence[SegmentSpan], logits: Sequence[Array]) -> Array:
    """Of each segment of a readable text how probable it is that it is shown."""
    first = first_view(text, spans, logits)
    return _share("second", second_view(text, spans, first, _share("first", first)))


def first_view(text: str, spans: Sequence[SegmentSpan], logits: Sequence[Array]) -> Array:
    """(segments, what the first regression sees): what each is heard as and what those around it
    are, how it looks, and whether it looks like what asks for something."""
    kinds = softmax(np.array([each[PLACES["kind"]] for each in logits]))
    commands = softmax(np.array([each[PLACES["command"]] for each in logits]))
    heard = np.column_stack(
        [
            *(kinds[:, [kind in group for kind in KINDS]].sum(axis=1) for group in _GROUPS),
            commands[:, SEGMENT_LABELS["command"].index("edit")],
        ]
    )
    looks = np.array([_looks(text[each.start : each.end], each) for each in spans])
    asks = heard[:, _ASKING].sum(axis=1)
    return np.hstack(
        [_around(_odds(heard), text, spans), looks, _places(text, spans), _like(looks, asks)]
    )


def second_view(text: str, spans: Sequence[SegmentSpan], first: Array, shares: Array) -> Array:
    return np.hstack([first, _around(_odds(shares[:, None]), text, spans)])


def _around(signals: Array, text: str, spans: Sequence[SegmentSpan]) -> Array:
    """Each signal of a segment, of those beside it, of the others on its line and in its paragraph
    and of all, and the strongest before and behind it."""
    line, paragraph = (_numbers(text, spans, mark) for mark in ("\n", "\n\n"))
    none = np.zeros((2, signals.shape[1]))
    padded = np.vstack([none, signals, none])
    beside = [padded[at : at + len(signals)] for at in (1, 3, 0, 4)]
    everywhere = np.broadcast_to(signals.mean(axis=0), signals.shape)
    return np.hstack(
        [
            signals,
            *beside,
            *_of_others(signals, line),
            *_of_others(signals, paragraph),
            everywhere,
            *_strongest(signals),
        ]
    )


def _of_others(signals: Array, group: Array) -> tuple[Array, Array]:
    """Their mean and their strongest in each group; 0 where a group has no others."""
    mean, most = np.zeros_like(signals), np.zeros_like(signals)
    for some in np.split(np.arange(len(group)), np.flatnonzero(np.diff(group)) + 1):
        if len(some) > 1:
            own = signals[some]
            mean[some] = (own.sum(axis=0) - own) / (len(some) - 1)
            most[some] = np.maximum(*_strongest(own))
    return mean, most


def _strongest(signals: Array) -> tuple[Array, Array]:
    """Before each segment, and behind it."""
    least = np.full((1, signals.shape[1]), _odds(np.zeros(1))[0])
    before = np.maximum.accumulate(np.vstack([least, signals]))[:-1]
    behind = np.maximum.accumulate(np.vstack([signals, least])[::-1])[::-1][1:]
    return before, behind


def _looks(words: str, span: SegmentSpan) -> list[float]:
    letters = [each for each in words if each.isalpha()]
    return [
        float(bool(letters) and letters[0].isupper()),
        float(words[-1:] in SENTENCE_ENDS),
        float(words[-1:] == ":"),
        float(span.quoted),
        min(len(_SIGNS.findall(words)) / len(words), 0.2) * 5,
        min(sum(each.isdigit() for each in words) / len(words), 0.4) * 3,
        float(np.log1p(len(words.split()))),
    ]


def _places(text: str, spans: Sequence[SegmentSpan]) -> Array:
    """First or last, on a line or in a paragraph with those beside it, and of how many lines."""
    line, paragraph = (_numbers(text, spans, mark) for mark in ("\n", "\n\n"))
    ends = np.array([True])
    found = [np.arange(len(spans)) == 0, np.arange(len(spans)) == len(spans) - 1]
    for group in (line, paragraph):
        breaks = np.concatenate([ends, group[1:] != group[:-1], ends])
        found += [breaks[:-1], breaks[1:]]
    found += [line == line[0], line == line[-1]]
    lines = np.full(len(spans), np.log1p(text.count("\n")))
    return np.column_stack([*found, lines]).astype(float)


def _like(looks: Array, asks: Array) -> Array:
    """How far a segment begins and ends as what asks for something does."""
    weights = (asks + 1e-3) / (asks + 1e-3).sum()
    marks = looks[:, :2]
    same = (marks[:, None] == marks[None]).transpose(0, 2, 1) @ weights
    return np.asarray((same - 0.5) * asks.max())


def _numbers(text: str, spans: Sequence[SegmentSpan], mark: str) -> Array:
    return np.array([text.count(mark, 0, each.start) for each in spans])


def _odds(shares: Array) -> Array:
    kept = np.clip(shares, 1 - _SURELY, _SURELY)
    return np.asarray(np.log(kept / (1 - kept)))


def _share(name: str, seen: Array) -> Array:
    weights = _load()
    logits = seen @ weights[f"{name}.kernel"] + weights[f"{name}.bias"]
    return sigmoid(logits.astype(np.float32))


@cache
def _load() -> Mapping[str, Array]:
    with np.load(SHOWN_FILE) as stored:
        return {name: stored[name] for name in stored.files}
