"""Which candidates a recall returns, in what order, and why the others not. The pure core.

Relevance, a probability, decides whether a memory comes back at all; the ranking decides before
which others. Each step that leaves a candidate out says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.recall.choice.candidate import Candidate, Chosen, Policy, cut_by_words, scores_of
from memory.recall.choice.diversity import diversify, similarity_by
from memory.recall.choice.quality import demote_questions
from memory.recall.search.relevance import Calibration, Evidence, log_odds_of, sigmoid
from memory.recall.time import Fit
from memory.recall.timing import Timing
from memory.recalls import Cut, ScoreParts
from memory.store.memories.search import CandidateRow

# A question that names a time and no topic ("what did I do last week") is answered by all of that
# time, and one for everything about Anna by whatever names her.
AT_LEAST = 0.6
_ALL_WORDS = 0.999
# Log-odds that a replaced memory gains where the past is asked for: it is as near to the question
# as what took its place, and is what is wanted. Set by hand; no own pair asks for the past.
REPLACED = 2.0
_UNTIMED = Timing()
_UNRANKED = ScoreParts(relevance=0.0, recency=0.0, importance=0.0, total=0.0)


def judge(
    weighed: Sequence[tuple[CandidateRow, Evidence]],
    policy: Policy,
    calibration: Calibration,
    *,
    now: datetime,
    timing: Timing = _UNTIMED,
    whole_topic: bool = False,
) -> list[Candidate]:
    """Every candidate with its relevance, its scores, and the step that leaves it out if one does,
    in the order they came in."""
    fits = _fits(weighed, policy, calibration, timing)
    read = _Reading(policy, calibration, now, timing, rarity(fits), whole_topic)
    return [read.judge(row, why, fit) for (row, why), fit in zip(weighed, fits, strict=True)]


def choose(
    judged: Sequence[Candidate],
    policy: Policy,
    cosines: Mapping[tuple[UUID, UUID], float] | None = None,
) -> Chosen:
    """The candidates that no step left out, by their total, spread by MMR where the policy asks
    for it, and what only asks after what answers; `cosines` are those between them."""
    kept = [each for each in judged if each.cut is None]
    kept.sort(key=lambda each: -each.scores.total)
    if policy.diversity > 0:
        kept = _spread(kept, policy, cosines or {})
    if policy.answers_only:
        kept = demote_questions(kept, lambda each: each.row.content)
    out = sorted((each for each in judged if each.cut), key=lambda each: -each.relevance)
    return Chosen(tuple(kept), tuple(out))


def _fits(
    weighed: Sequence[tuple[CandidateRow, Evidence]],
    policy: Policy,
    calibration: Calibration,
    timing: Timing,
) -> list[Fit]:
    """How each memory lies to the time asked for. The dates in its words, which take a third of a
    millisecond to read, are read only where they can matter: not where even being alone of that
    time would leave it below the cut."""
    if timing.asked is None:
        return ["unknown"] * len(weighed)
    most = math.log(len(weighed) + 1) + REPLACED * timing.past
    fits: list[Fit] = []
    for row, why in weighed:
        odds = log_odds_of(why, calibration)
        reachable = timing.everything or odds is None or sigmoid(odds + most) >= policy.min_score
        fits.append(timing.fit(row) if reachable else timing.fit_by_moment(row))
    return fits


def rarity(fits: Sequence[Fit]) -> float:
    """What being of the time asked for adds to the log-odds: ln(candidates / those of that time),
    the likelihood ratio where every answer is of that time and others are by chance."""
    fitting = sum(fit == "in" for fit in fits)
    return math.log((len(fits) + 1) / (fitting + 1))


@dataclass(frozen=True)
class _Reading:
    """One question's policy, time and coefficients, applied to candidate after candidate."""

    policy: Policy
    calibration: Calibration
    now: datetime
    timing: Timing
    of_time: float
    whole_topic: bool

    def judge(self, row: CandidateRow, why: Evidence, fit: Fit) -> Candidate:
        probability = self._probability(row, why, in_time=fit == "in")
        cut = self._cut(row, why, fit, probability)
        if cut is not None:  # nine in ten are, and nobody ranks them
            return Candidate(row, why, probability, _UNRANKED, cut=cut)
        scores = scores_of(row, probability, self.policy, self.now)
        return Candidate(row, why, probability, scores, _notes(row, fit == "in", self.timing))

    def _cut(self, row: CandidateRow, why: Evidence, fit: Fit, probability: float) -> Cut | None:
        if fit == "out":
            return "time"
        if self.policy.people and why.stranger:
            return "person"
        return cut_by_words(row, probability, self.policy)

    def _probability(self, row: CandidateRow, why: Evidence, *, in_time: bool) -> float:
        of_that_time = in_time and self.timing.answers_alone(row)
        of_that_topic = self.whole_topic and why.coverage is not None and why.coverage > _ALL_WORDS
        floor = AT_LEAST if of_that_time or of_that_topic else 0.0
        odds = log_odds_of(why, self.calibration)
        if odds is None:
            return floor
        replaced = row.superseded and self.timing.past
        return max(sigmoid(odds + self.of_time * in_time + REPLACED * replaced), floor)


def _notes(row: CandidateRow, in_time: bool, timing: Timing) -> tuple[str, ...]:
    notes = []
    if in_time and timing.words:
        notes.append(f"of the time asked for ({timing.words})")
    if row.superseded:
        notes.append("no longer true")
    return tuple(notes)


def _spread(
    kept: list[Candidate], policy: Policy, cosines: Mapping[tuple[UUID, UUID], float]
) -> list[Candidate]:
    return diversify(
        kept,
        similarity_by(cosines),
        1 - policy.diversity,
        len(kept),
        value=lambda each: min(each.scores.total / policy.ranking.weight, 1.0),
        tags=lambda each: each.row.tags,
    )
