"""Which candidates a recall returns, in what order, and why the others not."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol, TypeVar
from uuid import UUID

import structlog

from memory.retrieval.candidates import CandidatePool
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
from memory.retrieval.time_filter import TimeFilter
from memory.retrieval.time_question import TimeFit
from memory.store.search import PairSimilarity, SearchCandidate
from memory.types import ExclusionReason, MemoryQueryRequest, ScoreParts
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
    """One memory with what speaks for it; `cut` names the step that left it out, and one that was
    left out has no scores."""

    row: SearchCandidate
    evidence: MemoryEvidence
    relevance: float
    scores: ScoreParts
    notes: tuple[str, ...] = ()
    cut: ExclusionReason | None = None

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


T = TypeVar("T")


class TaggedItem(Protocol):
    """A candidate by its id and tags."""

    @property
    def id(self) -> UUID: ...

    @property
    def tags(self) -> Collection[str]: ...


def diversify(
    ranked: Sequence[T],
    similarity: Callable[[T, T], float],
    lambda_: float,
    k: int,
    *,
    value: Callable[[T], float],
    tags: Callable[[T], Collection[str]] = lambda _: (),
) -> list[T]:
    """Up to `k` of the ranked, each time the one with the highest

        λ · value - (1 - λ) · max similarity to those taken

    Carbonell and Goldstein, SIGIR 1998, with 000's value (the total, or the relevance). Value and
    similarity are to lie in [0, 1], a total divided by `Ranking.weight`, or λ means nothing. Of
    equal ones the one that shares fewer tags with those taken is taken (000), then the one that is
    ranked higher. λ = 1 leaves the ranking as it is.
    """
    if lambda_ >= 1:
        return list(ranked[:k])
    values = [value(each) for each in ranked]
    left = dict.fromkeys(range(len(ranked)), 0.0)
    taken: list[T] = []
    seen: set[str] = set()
    while left and len(taken) < k:
        best = min(
            left,
            key=lambda place: (
                -(lambda_ * values[place] - (1 - lambda_) * left[place]),
                len(seen.intersection(tags(ranked[place]))),
                place,
            ),
        )
        del left[best]
        taken.append(ranked[best])
        seen.update(tags(ranked[best]))
        left = {at: max(near, similarity(ranked[at], ranked[best])) for at, near in left.items()}
    return taken


def similarity_function(
    cosines: Mapping[tuple[UUID, UUID], float],
) -> Callable[[TaggedItem, TaggedItem], float]:
    """The similarity of two candidates, 0 to 1: their cosine where it is known (see
    `PairSimilarity.between`), else the overlap of their tags."""

    def similarity(one: TaggedItem, other: TaggedItem) -> float:
        cosine = cosines.get((min(one.id, other.id), max(one.id, other.id)))
        return tag_overlap(one.tags, other.tags) if cosine is None else max(cosine, 0.0)

    return similarity


def tag_overlap(one: Collection[str], other: Collection[str]) -> float:
    """Jaccard: the share of all their tags that both have; 0 where neither has any."""
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 0.0


# A question that names a time and no topic ("what did I do last week") is answered by all of that
# time, and one for everything about Anna by whatever names her.
AT_LEAST = 0.6
_ALL_WORDS = 0.999
# Log-odds that a replaced memory gains where the past is asked for: it is as near to the question
# as what took its place, and is what is wanted. Set by hand; no own pair asks for the past.
REPLACED = 2.0
_UNTIMED = TimeFilter()
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


def choose_memories(
    judged: Sequence[RecallCandidate],
    policy: SelectionPolicy,
    cosines: Mapping[tuple[UUID, UUID], float] | None = None,
) -> MemorySelection:
    """The candidates that no step left out, by their total, spread by MMR where the policy asks
    for it, and what only asks after what answers; `cosines` are those between them."""
    kept = [each for each in judged if each.cut is None]
    kept.sort(key=lambda each: -each.scores.total)
    if policy.diversity > 0:
        kept = _spread(kept, policy, cosines or {})
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
    time would leave it below the cut."""
    if timing.asked is None:
        return ["unknown"] * len(weighed)
    most = math.log(len(weighed) + 1) + REPLACED * timing.past
    fits: list[TimeFit] = []
    for row, why in weighed:
        odds = log_odds_of(why, calibration)
        reachable = timing.everything or odds is None or sigmoid(odds + most) >= policy.min_score
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
        probability = self._probability(row, why, in_time=fit == "in")
        cut = self._cut(row, why, fit, probability)
        if cut is not None:  # nine in ten are, and nobody ranks them
            return RecallCandidate(row, why, probability, _UNRANKED, cut=cut)
        scores = rank_scores(row, probability, self.policy, self.now)
        return RecallCandidate(row, why, probability, scores, _notes(row, fit == "in", self.timing))

    def _cut(
        self, row: SearchCandidate, why: MemoryEvidence, fit: TimeFit, probability: float
    ) -> ExclusionReason | None:
        if fit == "out":
            return "time"
        if self.policy.people and why.stranger:
            return "person"
        return cut_by_content(row, probability, self.policy)

    def _probability(self, row: SearchCandidate, why: MemoryEvidence, *, in_time: bool) -> float:
        of_that_time = in_time and self.timing.answers_alone(row)
        of_that_topic = self.whole_topic and why.coverage is not None and why.coverage > _ALL_WORDS
        floor = AT_LEAST if of_that_time or of_that_topic else 0.0
        odds = log_odds_of(why, self.calibration)
        if odds is None:
            return floor
        replaced = row.superseded and self.timing.past
        return max(sigmoid(odds + self.of_time * in_time + REPLACED * replaced), floor)


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


# The probability below which a second opinion on a candidate is not worth its tokens.
WORTH_ASKING = 0.02
LIKENESS_TIMEOUT = 1.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class SelectionOptions:
    """How candidates are ranked: the weights, `diversity` (1 - λ of MMR), and what is optional."""

    ranking: Ranking = field(default_factory=Ranking)
    diversity: float = 0.0
    likeness: PairSimilarity | None = None
    reranking: Reranking | None = None


DEFAULT_OPTIONS = SelectionOptions()


class CandidateSelector:
    """Ranks and cuts the candidates, with what that needs from outside: how alike they are, and a
    model's second opinion where one is asked for."""

    def __init__(
        self, calibration: Calibration, choice: SelectionOptions = DEFAULT_OPTIONS
    ) -> None:
        self._calibration = calibration
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
        if choice.reranking is not None:
            judged = await self._rerank(choice.reranking, query, judged, policy, now)
        for each in judged:
            if each.cut == "order":
                _log.warning("memory_kept_out", item_id=str(each.id), reason="order")
        return choose_memories(judged, policy, await self._cosines(request.user_id, judged))

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
            self._calibration,
            now=now,
            timing=pool.timing,
            whole_topic=pool.whole_topic,
        )

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
            for each in judged
            if each.cut in {None, "score"}
            and each.relevance >= WORTH_ASKING
            and find_prompt_injection(each.row.content) is None
        ]
        said = await reranking.rate(query, asked)
        return [
            each.rated(said[str(each.id)], policy, now) if str(each.id) in said else each
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


def _is_readable(row: SearchCandidate) -> bool:
    if not row.content.strip():
        _log.error("memory_skipped", item_id=str(row.id), reason="malformed")
        return False
    return True
