"""Which candidates a recall returns, in what order, and why the others not."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from uuid import UUID

import structlog

from memory.dates.calendar import format_day
from memory.retrieval.answers import (
    MOST_READ,
    AnswerReader,
    ConfidenceBounds,
    answer_probability,
)
from memory.retrieval.candidates import CandidatePool
from memory.retrieval.diversity import diversify, similarity_function
from memory.retrieval.prompt_injection import find_prompt_injection
from memory.retrieval.ranking import Ranking, RankingFacts, demote_questions, score
from memory.retrieval.relevance import (
    Calibration,
    MemoryEvidence,
    WeighedMemory,
    log_odds_of,
    sigmoid,
)
from memory.retrieval.reranking import RatedCandidate, Reranking
from memory.retrieval.succession import put_later_first, weigh_succession
from memory.retrieval.time_filter import TimeFilter, query_without_time
from memory.retrieval.time_question import TimeFit
from memory.store.search import PairSimilarity, SearchCandidate
from memory.types import ExclusionReason, MemoryQueryRequest, ScoreParts
from memory.understanding.cross_encoder import PairLogits
from memory.understanding.sentences import is_question


@dataclass(frozen=True)
class SelectionPolicy:
    """`diversity` is 1 - λ of MMR, 0 for none. `people` leaves out memories that are about somebody
    else. What only asks is left out whatever the policy, but for what is kept on purpose, which
    comes after all answers (002)."""

    min_score: float
    ranking: Ranking = field(default_factory=Ranking)
    diversity: float = 0.0
    people: bool = True


@dataclass(frozen=True)
class RecallCandidate:
    """One memory with what speaks for it; `gained` are the log-odds of being of the time that was
    asked for, `answers` is the probability that it answers by itself, `cut` names the step that
    left it out; what was never within the cut has no scores."""

    row: SearchCandidate
    evidence: MemoryEvidence
    relevance: float
    scores: ScoreParts
    notes: tuple[str, ...] = ()
    cut: ExclusionReason | None = None
    gained: float = 0.0
    answers: float = 0.0

    @property
    def id(self) -> UUID:
        return self.row.id

    @property
    def tags(self) -> tuple[str, ...]:
        return self.row.tags

    def without(self, cut: ExclusionReason) -> RecallCandidate:
        return replace(self, cut=cut)

    def rated(self, relevance: float, policy: SelectionPolicy, now: datetime) -> RecallCandidate:
        """The same with another probability, ranked and cut by it; for one that only the score had
        left out."""
        scores = rank_scores(self.row, relevance, policy, now)
        cut = cut_by_content(self.row, relevance, policy)
        return replace(self, relevance=relevance, scores=scores, cut=cut)

    def answered(self, probability: float) -> RecallCandidate:
        return replace(self, answers=probability)

    def noted(self, note: str) -> RecallCandidate:
        return replace(self, notes=(*self.notes, note))

    def answering(
        self, probability: float, policy: SelectionPolicy, now: datetime
    ) -> RecallCandidate:
        """The same with the probability that it answers, as which it helps at least; what was asked
        for by its time or its words alone keeps its place among the others."""
        found = self.answered(max(self.answers, probability))
        if probability <= self.relevance or not self.is_open:
            return found
        return found.rated(probability, policy, now)

    @property
    def text(self) -> str:
        """As it is read together with a question: with its day, where that is known."""
        day = self.row.occurred_at
        return f"{self.row.content} ({format_day(day)})" if day else self.row.content

    @property
    def is_open(self) -> bool:
        """Whether another probability could bring it in."""
        return self.cut in {None, "score"}


@dataclass(frozen=True)
class MemorySelection:
    """`kept` in the order of the ranking, beyond the limit too; `left_out` the most relevant
    first."""

    kept: tuple[RecallCandidate, ...]
    left_out: tuple[RecallCandidate, ...]


def rank_scores(
    row: SearchCandidate, relevance: float, policy: SelectionPolicy, now: datetime
) -> ScoreParts:
    """What a memory of this relevance is ranked by."""
    facts = RankingFacts(
        relevance=relevance,
        created_at=row.created_at,
        importance=row.importance,
        salience=row.salience,
        access_count=row.access_count,
        content=row.content,
        type=row.type,
        role=row.role,
        last_accessed_at=row.last_accessed_at,
        protected=row.pinned or row.manually_saved,
    )
    return score(facts, now, policy.ranking)


def cut_by_content(
    row: SearchCandidate, probability: float, policy: SelectionPolicy
) -> ExclusionReason | None:
    """The step that leaves a memory out by its probability and its words, None where none does."""
    if probability < policy.min_score:
        return "score"
    if find_prompt_injection(row.content) is not None:
        return "order"
    on_purpose = row.pinned or row.manually_saved
    return "question" if is_question(row.content) and not on_purpose else None


# A question that names a time and no topic ("what did I do last week") is answered by all of that
# time, and one for everything about Anna by whatever names her.
AT_LEAST = 0.6
# What was asked for by its time or its words alone is told without a doubt.
_ASKED_FOR = 1.0
_ALL_WORDS = 0.999
# Log-odds that a replaced memory gains where the past is asked for: it is as near to the question
# as what took its place, and is what is wanted. Set by hand; no own pair asks for the past.
REPLACED = 2.0
# The probability below which a second opinion on a candidate is not worth its time or tokens.
WORTH_ASKING = 0.02
_UNTIMED = TimeFilter()
_UNCUT = SelectionPolicy(min_score=0.0)
_UNRANKED = ScoreParts(relevance=0.0, recency=0.0, importance=0.0, total=0.0)


def judge_candidates(
    weighed: Sequence[tuple[SearchCandidate, MemoryEvidence]],
    policy: SelectionPolicy,
    calibration: Calibration,
    *,
    now: datetime,
    timing: TimeFilter = _UNTIMED,
    whole_topic: bool = False,
) -> list[RecallCandidate]:
    """Every candidate with its relevance, its scores, and the step that leaves it out if one does,
    in the order they came in."""
    fits = _fits(weighed, policy, calibration, timing)
    read = _Judge(policy, calibration, now, timing, time_rarity(fits), whole_topic)
    return [read.judge(row, why, fit) for (row, why), fit in zip(weighed, fits, strict=True)]


def find_likeliest(judged: Sequence[RecallCandidate]) -> list[RecallCandidate]:
    """Those that are worth reading together with the question, the most relevant first; those below
    the cut too, for what only reading shows."""
    ranked = sorted(judged, key=lambda each: -each.relevance)
    return list(islice(filter(_is_worth_asking, ranked), MOST_READ))


def judge_answers(
    judged: Sequence[RecallCandidate],
    read: Mapping[UUID, PairLogits | None],
    policy: SelectionPolicy,
    calibration: Calibration,
    now: datetime,
) -> list[RecallCandidate]:
    """Every candidate with the probability that it answers, by what was read of it where it was."""
    return [
        each.answering(
            answer_probability(each.evidence, read.get(each.id), calibration, each.gained),
            policy,
            now,
        )
        for each in judged
    ]


def choose_memories(
    judged: Sequence[RecallCandidate],
    policy: SelectionPolicy,
    cosines: Mapping[tuple[UUID, UUID], float] | None = None,
    *,
    past: bool = False,
) -> MemorySelection:
    """The candidates that no step left out, by their total, spread by MMR where the policy asks
    for it, what may have been replaced after what did so, but where the `past` is asked for, and
    what only asks after what answers; `cosines` are those between them."""
    kept = [each for each in judged if each.cut is None]
    kept.sort(key=lambda each: -each.scores.total)
    if policy.diversity > 0:
        kept = _spread(kept, policy, cosines or {})
    kept = put_later_first(kept, past=past)
    kept = demote_questions(kept, lambda each: each.row.content)
    out = sorted((each for each in judged if each.cut), key=lambda each: -each.relevance)
    return MemorySelection(tuple(kept), tuple(out))


def _fits(
    weighed: Sequence[tuple[SearchCandidate, MemoryEvidence]],
    policy: SelectionPolicy,
    calibration: Calibration,
    timing: TimeFilter,
) -> list[TimeFit]:
    """How each memory lies to the time asked for. The dates in its words, which take a third of a
    millisecond to read, are read only where they can matter: not where even being alone of that
    time would leave it below the cut and not worth asking about."""
    if timing.asked is None:
        return ["unknown"] * len(weighed)
    most = math.log(len(weighed) + 1) + REPLACED * timing.past
    least = min(policy.min_score, WORTH_ASKING)
    fits: list[TimeFit] = []
    for row, why in weighed:
        odds = log_odds_of(why, calibration)
        reachable = timing.everything or odds is None or sigmoid(odds + most) >= least
        fits.append(timing.fit(row) if reachable else timing.match_by_moment(row))
    return fits


def time_rarity(fits: Sequence[TimeFit]) -> float:
    """What being of the time asked for adds to the log-odds: ln(candidates / those of that time),
    the likelihood ratio where every answer is of that time and others are by chance."""
    fitting = sum(fit == "in" for fit in fits)
    return math.log((len(fits) + 1) / (fitting + 1))


@dataclass(frozen=True)
class _Judge:
    """One question's policy, time and coefficients, applied to candidate after candidate."""

    policy: SelectionPolicy
    calibration: Calibration
    now: datetime
    timing: TimeFilter
    of_time: float
    whole_topic: bool

    def judge(self, row: SearchCandidate, why: MemoryEvidence, fit: TimeFit) -> RecallCandidate:
        in_time = fit == "in"
        gained = self.of_time * in_time + REPLACED * (row.superseded and self.timing.past)
        odds = log_odds_of(why, self.calibration)
        probability = 0.0 if odds is None else sigmoid(odds + gained)
        answers = 0.0
        if self._asked_for(row, why, in_time=in_time):
            probability, answers = max(probability, AT_LEAST), _ASKED_FOR
        notes = _notes(row, in_time, self.timing)
        found = RecallCandidate(row, why, probability, _UNRANKED, notes, None, gained, answers)
        cut = self._cut(row, why, fit, probability)
        if cut is not None:  # nine in ten are, and nobody ranks them
            return found.without(cut)
        return replace(found, scores=rank_scores(row, probability, self.policy, self.now))

    def _cut(
        self, row: SearchCandidate, why: MemoryEvidence, fit: TimeFit, probability: float
    ) -> ExclusionReason | None:
        if fit == "out":
            return "time"
        if self.policy.people and why.stranger:
            return "person"
        return cut_by_content(row, probability, self.policy)

    def _asked_for(self, row: SearchCandidate, why: MemoryEvidence, *, in_time: bool) -> bool:
        of_that_time = in_time and self.timing.answers_alone(row)
        return of_that_time or (
            self.whole_topic and why.coverage is not None and why.coverage > _ALL_WORDS
        )


def _notes(row: SearchCandidate, in_time: bool, timing: TimeFilter) -> tuple[str, ...]:
    notes = []
    if in_time and timing.words:
        notes.append(f"of the time asked for ({timing.words})")
    if row.superseded:
        notes.append("no longer true")
    return tuple(notes)


def _spread(
    kept: list[RecallCandidate], policy: SelectionPolicy, cosines: Mapping[tuple[UUID, UUID], float]
) -> list[RecallCandidate]:
    return diversify(
        kept,
        similarity_function(cosines),
        1 - policy.diversity,
        len(kept),
        value=lambda each: min(each.scores.total / policy.ranking.weight, 1.0),
        tags=lambda each: each.row.tags,
    )


LIKENESS_TIMEOUT = 1.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class SelectionOptions:
    """How candidates are ranked: the weights, `diversity` (1 - λ of MMR), from when an answer is
    sure, and what is optional: without a `reader` an answer is as probable as its relevance lets
    expect."""

    ranking: Ranking = field(default_factory=Ranking)
    diversity: float = 0.0
    bounds: ConfidenceBounds = field(default_factory=ConfidenceBounds)
    likeness: PairSimilarity | None = None
    reader: AnswerReader | None = None
    reranking: Reranking | None = None


DEFAULT_OPTIONS = SelectionOptions()


class CandidateSelector:
    """Ranks and cuts the candidates, with what that needs from outside: how alike they are, what is
    read of the likeliest together with the question, and a model's second opinion where one is
    asked for."""

    def __init__(self, choice: SelectionOptions = DEFAULT_OPTIONS) -> None:
        self._choice = choice

    async def select(
        self, request: MemoryQueryRequest, query: str, pool: CandidatePool, now: datetime
    ) -> MemorySelection:
        """What is returned of the pool and what is left out."""
        choice = self._choice
        policy = SelectionPolicy(
            min_score=request.min_score, ranking=choice.ranking, diversity=choice.diversity
        )
        judged = [
            *await self._judge(pool.weighed, pool, policy, now),
            *await self._judge(pool.asking, pool, policy, now),
        ]
        judged = await self._read(query, pool, judged, policy, now)
        past, possible = pool.timing.past, choice.bounds.possible
        judged = weigh_succession(judged, policy, now, possible=possible, past=past)
        if choice.reranking is not None:
            judged = await self._rerank(choice.reranking, query, judged, policy, now)
        least = choice.bounds.least(request.min_confidence)
        judged = [
            each.without("answer") if each.cut is None and each.answers < least else each
            for each in judged
        ]
        for each in judged:
            if each.cut == "order":
                _log.warning("memory_kept_out", item_id=str(each.id), reason="order")
        cosines = await self._cosines(request.user_id, judged)
        return choose_memories(judged, policy, cosines, past=past)

    async def _judge(
        self,
        weighed: Sequence[WeighedMemory],
        pool: CandidatePool,
        policy: SelectionPolicy,
        now: datetime,
    ) -> list[RecallCandidate]:
        return await asyncio.to_thread(
            judge_candidates,
            [pair for pair in weighed if _is_readable(pair[0])],
            policy,
            pool.calibration,
            now=now,
            timing=pool.timing,
            whole_topic=pool.whole_topic,
        )

    async def _read(
        self,
        query: str,
        pool: CandidatePool,
        judged: Sequence[RecallCandidate],
        policy: SelectionPolicy,
        now: datetime,
    ) -> list[RecallCandidate]:
        reader, read = self._choice.reader, {}
        if reader is not None:
            best = await asyncio.to_thread(find_likeliest, judged)
            asked = query_without_time(query, pool.timing)
            told = await reader.read(asked, [each.text for each in best])
            read = {each.id: logits for each, logits in zip(best, told, strict=True)}
        return await asyncio.to_thread(judge_answers, judged, read, policy, pool.calibration, now)

    async def _rerank(
        self,
        reranking: Reranking,
        query: str,
        judged: Sequence[RecallCandidate],
        policy: SelectionPolicy,
        now: datetime,
    ) -> list[RecallCandidate]:
        """The candidates with the probabilities that a model gives them, those below the cut too:
        most right answers that a small embedding model misses lie just there."""
        asked = [
            RatedCandidate(str(each.id), each.row.content, each.relevance, kept=each.cut is None)
            for each in filter(_is_worth_asking, judged)
        ]
        said = await reranking.rate(query, asked)
        return [
            replace(each.rated(told, policy, now), answers=min(each.answers, told))
            if (told := said.get(str(each.id), each.relevance)) != each.relevance
            else each
            for each in judged
        ]

    async def _cosines(
        self, user_id: str, judged: Sequence[RecallCandidate]
    ) -> dict[tuple[UUID, UUID], float]:
        if self._choice.likeness is None or self._choice.diversity <= 0:
            return {}
        kept = [each.id for each in judged if each.cut is None]
        try:
            async with asyncio.timeout(LIKENESS_TIMEOUT):
                return await self._choice.likeness.between(user_id, kept)
        except Exception as error:  # tags stand in for it
            _log.warning("likeness_not_read", reason=type(error).__name__)
            return {}


def _is_worth_asking(candidate: RecallCandidate) -> bool:
    worth = candidate.is_open and candidate.relevance >= WORTH_ASKING
    return worth and cut_by_content(candidate.row, 1.0, _UNCUT) is None


def _is_readable(row: SearchCandidate) -> bool:
    if not row.content.strip():
        _log.error("memory_skipped", item_id=str(row.id), reason="malformed")
        return False
    return True
