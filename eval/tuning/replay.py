"""What a recall would have returned, by the product's own pure functions and without a database.

The token budget is left out: it cuts what is ranked already, and the sets are judged with ample
room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from eval.results import CaseResult, Returned
from eval.tuning.recorder import (
    WHOLE,
    RecordedMemoryQuestion,
    RecordedMessageQuestion,
    RecordedQuestion,
    View,
)
from memory.retrieval import message_retriever as messages
from memory.retrieval import selection
from memory.retrieval.hybrid_search import RRF_K, fuse
from memory.retrieval.message_relevance import (
    MessageCalibration,
    WeighedMessage,
    load_message_calibration,
)
from memory.retrieval.message_relevance import message_probability as message_relevance
from memory.retrieval.query import prepare_query
from memory.retrieval.relevance import Calibration, WeighedMemory, load_calibration
from memory.retrieval.selection import RecallCandidate, SelectionPolicy
from memory.retrieval.time_filter import TimeFilter, query_without_time
from memory.understanding.cross_encoder import PairLogits, load_cross_encoder

UNCUT = SelectionPolicy(min_score=0.0)
# To read a hundred long messages takes a tenth of a second, and none so far down is returned.
LOOKED_AT = 40
_NOTHING: frozenset[str] = frozenset()


class _RowWithContent(Protocol):
    @property
    def id(self) -> UUID: ...
    @property
    def content(self) -> str: ...


@dataclass(frozen=True)
class Calibrations:
    memories: Calibration
    messages: MessageCalibration


def shipped_calibrations(embedding_model: str) -> Calibrations:
    """What the product would load for the model."""
    return Calibrations(
        load_calibration(embedding_model), load_message_calibration(embedding_model)
    )


class RecallReplay:
    """Answers questions with one calibration. No policy changes a relevance, so that it is worked
    out once for each question, and what a cut-off would leave out anyway is not looked at again."""

    def __init__(self, calibrations: Calibrations, view: View = WHOLE) -> None:
        self._calibrations = calibrations
        self._view = view
        self._memories: dict[tuple[str, str], list[tuple[float, WeighedMemory]]] = {}
        self._messages: dict[tuple[str, str], list[tuple[float, WeighedMessage]]] = {}

    def answer(
        self, asked: RecordedQuestion, policy: SelectionPolicy, limit: int, k: int = RRF_K
    ) -> CaseResult:
        """What comes back, at most `limit` where the question has none of its own; that it took no
        time is not worth telling."""
        most = asked.limit or limit
        if isinstance(asked, RecordedMemoryQuestion):
            returned = self._of_memories(asked, policy, k)[:most]
        elif isinstance(asked, RecordedMessageQuestion):
            returned = self._of_messages(asked, policy)[:most]
        else:
            raise TypeError(type(asked).__name__)
        return CaseResult(
            id=asked.id,
            category=asked.category,
            query=asked.query,
            wanted=asked.wanted,
            returned=tuple(returned),
            latency_ms=0.0,
        )

    def judgements(self, asked: RecordedQuestion) -> list[tuple[bool, float]]:
        """Of every candidate whether it helps, and the probability that it does."""
        told = (
            self._relevant(asked)
            if isinstance(asked, RecordedMemoryQuestion)
            else self._relevant_messages(asked)
            if isinstance(asked, RecordedMessageQuestion)
            else []
        )
        return [
            (bool(asked.covers.get(str(row.id), _NOTHING) & asked.wanted), relevance)
            for relevance, (row, _) in told
        ]

    def _of_memories(
        self, asked: RecordedMemoryQuestion, policy: SelectionPolicy, k: int
    ) -> list[Returned]:
        told = self._relevant(asked)
        # How rare the time asked for is among the candidates counts: then none may be away.
        timed = asked.views[self._view].timing.asked is not None
        likely = [each for relevance, each in told if timed or relevance >= policy.min_score]
        candidates = self._judge(asked, self._in_order(likely, asked, k), policy)
        kept = selection.choose_memories(candidates, policy, asked.cosines).kept
        return [_returned(each.row, each.relevance, asked) for each in kept]

    def _of_messages(
        self, asked: RecordedMessageQuestion, policy: SelectionPolicy
    ) -> list[Returned]:
        told = sorted(self._relevant_messages(asked), key=lambda pair: -pair[0])[:LOOKED_AT]
        likely = [each for relevance, each in told if relevance >= policy.min_score]
        kept = messages.choose_messages(likely, self._calibrations.messages, policy.min_score).kept
        return [_returned(each.row, each.score, asked) for each in kept]

    def _relevant(self, asked: RecordedMemoryQuestion) -> list[tuple[float, WeighedMemory]]:
        key = (asked.group, asked.id)
        if key not in self._memories:
            judged = self._judge(asked, asked.views[self._view].weighed, UNCUT)
            self._memories[key] = [(each.relevance, (each.row, each.evidence)) for each in judged]
        return self._memories[key]

    def _relevant_messages(
        self, asked: RecordedMessageQuestion
    ) -> list[tuple[float, WeighedMessage]]:
        key = (asked.group, asked.id)
        if key not in self._messages:
            by = self._calibrations.messages
            weighed = asked.views.get(self._view, asked.views[WHOLE])
            self._messages[key] = [(message_relevance(why, by), (row, why)) for row, why in weighed]
        return self._messages[key]

    def _judge(
        self,
        asked: RecordedMemoryQuestion,
        weighed: Sequence[WeighedMemory],
        policy: SelectionPolicy,
    ) -> list[RecallCandidate]:
        seen = asked.views[self._view]
        by = self._calibrations.memories
        judged = selection.judge_candidates(
            weighed,
            policy,
            by,
            now=asked.now,
            timing=seen.timing,
            whole_topic=seen.whole_topic,
        )
        read = self._read(asked, seen.timing, selection.find_likeliest(judged))
        return selection.judge_answers(judged, read, policy, by, asked.now)

    def _read(
        self,
        asked: RecordedMemoryQuestion,
        timing: TimeFilter,
        likeliest: Sequence[RecallCandidate],
    ) -> dict[UUID, PairLogits | None]:
        query = query_without_time(prepare_query(asked.query), timing)
        known = asked.reads.setdefault(query, {})
        new = [each for each in likeliest if each.id not in known]
        told = load_cross_encoder().read(query, [each.text for each in new])
        known.update(zip([each.id for each in new], told, strict=True))
        return {each.id: known[each.id] for each in likeliest}

    def _in_order(
        self, weighed: Sequence[WeighedMemory], asked: RecordedMemoryQuestion, k: int
    ) -> list[WeighedMemory]:
        """By the fused rank; what neither leg ranked comes last, in its order."""
        rankings = asked.views[self._view].rankings
        place = {key: rank for rank, (key, _) in enumerate(fuse(rankings, k))}
        return sorted(weighed, key=lambda each: place.get(each[0].id, len(place)))


def _returned(row: _RowWithContent, relevance: float, asked: RecordedQuestion) -> Returned:
    key = str(row.id)
    return Returned(key, row.content, relevance, asked.covers.get(key, _NOTHING))
