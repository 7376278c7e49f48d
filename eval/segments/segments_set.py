"""Lets the product's reader read labelled messages, and holds each labelled segment against the one
that it heard there. It needs no service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from eval.errors import DatasetUnreadable
from eval.measures import checks
from eval.measures.bootstrap import with_interval
from eval.measures.summary import Figures
from eval.report.report import Report
from eval.training.examples import Pair, lives_of, unmarked
from eval.training.sentences import LIVES, LabelledMessage, LabelledSegment, load_messages
from memory.understanding import STATEMENTS, Message, OfflineReader, Segment
from memory.understanding.orders import command_of
from memory.understanding.relations import relations_of
from memory.write.extraction import KEPT_FROM
from memory.write.novelty import ASK_FROM, REPLACE_FROM

_SAID_AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
# Statements that still hold, beside which each new one is put.
_UNRELATED = 10
_OVER = frozenset({"replaces", "ends"})


@dataclass(frozen=True)
class Heard:
    """A labelled segment, and the one of those that were heard that shares most with it."""

    labelled: LabelledSegment
    language: str
    segment: Segment | None
    cut_right: bool

    @property
    def told(self) -> bool:
        return self.labelled.kind in STATEMENTS

    @property
    def kept(self) -> bool:
        return self.segment is not None and self.segment.told >= KEPT_FROM

    @property
    def command(self) -> str | None:
        return None if self.segment is None else command_of(self.segment)


@dataclass(frozen=True)
class Judged:
    pair: Pair
    over: float

    @property
    def is_over(self) -> bool:
        return self.pair.relation in _OVER


class SegmentsSet:
    """Files in the format of `eval/training/lives`; those that were learned from, where no folder
    is named, say how well they are remembered and no more."""

    def __init__(self, folder: Path | None) -> None:
        self._messages = load_messages(folder or LIVES)
        if not any(each.segments for each in self._messages):
            raise DatasetUnreadable(path=folder or LIVES, reason="it holds no segment")

    def measure(self) -> Report:
        reader = OfflineReader()
        heard = [each for message in self._messages for each in _hear(reader, message)]
        pairs = [each.pairs(Random(1), _UNRELATED) for each in lives_of(self._messages)]  # noqa: S311
        judged = [each for some in pairs for each in _judge(some)]
        metrics = {
            "messages": len(self._messages),
            **segment_figures(heard),
            **pair_figures(judged),
        }
        groups: dict[str, list[Heard]] = {}
        for each in heard:
            groups.setdefault(f"kind: {each.labelled.kind}", []).append(each)
            groups.setdefault(f"language: {each.language}", []).append(each)
        return Report(
            dataset="segments",
            settings={"reader": "offline reader"},
            metrics=metrics,
            by_category={name: segment_figures(some) for name, some in sorted(groups.items())},
            checks=checks.check(metrics, checks.SEGMENTS),
        )


def segment_figures(heard: Sequence[Heard]) -> Figures:
    """Of what is told the share that is kept, of all else the share that is left out; how often a
    segment begins and ends where its writer says, and the kind is the writer's; commands heard, and
    how many of those that are heard are one."""
    commands = [(each.labelled.command, each.command) for each in heard]
    shares = {
        "kept": [(each.kept, each.told) for each in heard],
        "left_out": [(not each.kept, not each.told) for each in heard],
        "cut_right": [(each.cut_right, True) for each in heard],
        "kind_right": [
            (each.segment is not None and each.segment.kind == each.labelled.kind, True)
            for each in heard
        ],
        "command_heard": [(told == name, told is not None) for told, name in commands],
        "command_precision": [(told == name, name is not None) for told, name in commands],
    }
    figures: Figures = {"segments": len(heard)}
    for name, counts in shares.items():
        figures |= with_interval(name, [(hit and within, within) for hit, within in counts])
    return figures


def pair_figures(judged: Sequence[Judged]) -> Figures:
    """Of what holds no more the share that is replaced at once, and that is asked about at least;
    of what still holds the share that is replaced, or asked about, in vain."""
    shares = {
        "replaced": [(each.over >= REPLACE_FROM, each.is_over) for each in judged],
        "asked_or_replaced": [(each.over >= ASK_FROM, each.is_over) for each in judged],
        "replaced_wrongly": [(each.over >= REPLACE_FROM, not each.is_over) for each in judged],
        "asked_in_vain": [(each.over >= ASK_FROM, not each.is_over) for each in judged],
    }
    figures: Figures = {"pairs": len(judged)}
    for name, counts in shares.items():
        figures |= with_interval(name, [(hit and within, within) for hit, within in counts])
    return figures


def _hear(reader: OfflineReader, message: LabelledMessage) -> list[Heard]:
    texts = [unmarked(each.text)[0] for each in message.segments]
    segments = reader.read(Message(" ".join(texts), _SAID_AT)).segments
    found, start = [], 0
    for each, text in zip(message.segments, texts, strict=True):
        end = start + len(text)
        nearest = max(segments, key=lambda one: _shared(one, start, end), default=None)
        if nearest is not None and not _shared(nearest, start, end):
            nearest = None
        right = nearest is not None and abs(nearest.start - start) + abs(nearest.end - end) <= 1
        found.append(Heard(each, message.language, nearest, right))
        start = end + 1
    return found


def _shared(segment: Segment, start: int, end: int) -> int:
    return max(0, min(segment.end, end) - max(segment.start, start))


def _judge(pairs: Sequence[Pair]) -> list[Judged]:
    olds: dict[str, list[Pair]] = {}
    for each in pairs:
        olds.setdefault(each.new, []).append(each)
    return [
        Judged(pair, relations.over)
        for new, some in olds.items()
        for pair, relations in zip(some, relations_of(new, [one.old for one in some]), strict=True)
    ]
