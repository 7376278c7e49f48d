"""Which of the weighed messages come back, in which order, and which step left the others out.
Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import structlog

from memory.recall.choice.screening import find_order
from memory.recall.messages.evidence import MessageEvidence, Weighed
from memory.recall.messages.relevance import MessageCalibration, relevance
from memory.recalls import Cut, LeftOut
from memory.store.conversations.message_search import MessageRow, Neighbour

_WORD = re.compile(r"[^\W_]+")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Scored:
    row: MessageRow
    why: MessageEvidence
    score: float

    def left_out(self, why: Cut) -> LeftOut:
        return LeftOut(id=str(self.row.id), content=self.row.content, relevance=self.score, why=why)


@dataclass(frozen=True)
class Chosen:
    kept: tuple[Scored, ...]
    left_out: tuple[LeftOut, ...]


def choose(weighed: Iterable[Weighed], calibration: MessageCalibration, min_score: float) -> Chosen:
    """The harmless messages of at least `min_score`, each wording once: what was told first, then
    replies that only repeat it, then what only asks; the most relevant first in each part."""
    scored = [Scored(row, why, relevance(why, calibration)) for row, why in weighed]
    scored.sort(key=lambda each: (_standing(each.why), -each.score))
    kept: list[Scored] = []
    left_out: list[LeftOut] = []
    said: set[tuple[str, ...]] = set()
    for each in scored:
        cut = _cut(each, min_score, said)
        if cut is not None:
            left_out.append(each.left_out(cut))
            continue
        said.add(_wording(each.row))
        kept.append(replace(each, row=_with_harmless_neighbours(each.row)))
    return Chosen(tuple(kept), tuple(left_out))


def _standing(why: MessageEvidence) -> int:
    """A question outranks no answer, and no reply that quotes a memory outranks who said it."""
    if why.asks:
        return 2
    return 1 if why.repeats else 0


def _cut(each: Scored, min_score: float, said: set[tuple[str, ...]]) -> Cut | None:
    if each.score < min_score:
        return "score"
    if _wording(each.row) in said:
        return "similar"
    order = find_order(each.row.content)
    if order is not None:
        _log.warning("message_kept_out", message_id=str(each.row.id), reason=order)
        return "order"
    return None


def _wording(row: MessageRow) -> tuple[str, ...]:
    return (row.role, *(word.casefold() for word in _WORD.findall(row.content)))


def _with_harmless_neighbours(row: MessageRow) -> MessageRow:
    return replace(row, before=_harmless(row.before), after=_harmless(row.after))


def _harmless(neighbour: Neighbour | None) -> Neighbour | None:
    if neighbour is None or find_order(neighbour.content) is not None:
        return None
    return neighbour


def without(kept: Sequence[Scored], gone: frozenset[object]) -> tuple[Scored, ...]:
    """Without the messages of these ids, as found ones and as neighbours."""
    return tuple(
        replace(
            each,
            row=replace(
                each.row,
                before=_unless(each.row.before, gone),
                after=_unless(each.row.after, gone),
            ),
        )
        for each in kept
        if each.row.id not in gone
    )


def _unless(neighbour: Neighbour | None, gone: frozenset[object]) -> Neighbour | None:
    return None if neighbour is None or neighbour.id in gone else neighbour
