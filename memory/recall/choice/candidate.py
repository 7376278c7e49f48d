"""One memory on its way through a recall: what speaks for it, how it is ranked, what cuts it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from memory.recall.choice.questions import is_question
from memory.recall.choice.ranking import Facts, Ranking, score
from memory.recall.choice.screening import find_order
from memory.recall.search.relevance import Evidence
from memory.recalls import Cut, ScoreParts
from memory.store.memories.search import CandidateRow


@dataclass(frozen=True)
class Policy:
    """`diversity` is 1 - λ of MMR, 0 for none. `answers_only` leaves out memories that only ask,
    but for pinned ones, which come after all answers (002). `people` leaves out those that are
    about somebody else."""

    min_score: float
    ranking: Ranking = field(default_factory=Ranking)
    diversity: float = 0.0
    answers_only: bool = True
    people: bool = True


@dataclass(frozen=True)
class Candidate:
    """One memory with what speaks for it; `cut` names the step that left it out, and one that was
    left out has no scores."""

    row: CandidateRow
    evidence: Evidence
    relevance: float
    scores: ScoreParts
    notes: tuple[str, ...] = ()
    cut: Cut | None = None

    @property
    def id(self) -> UUID:
        return self.row.id

    @property
    def tags(self) -> tuple[str, ...]:
        return self.row.tags

    def without(self, cut: Cut) -> Candidate:
        return replace(self, cut=cut)

    def rated(self, relevance: float, policy: Policy, now: datetime) -> Candidate:
        """The same with another probability, ranked and cut by it; for one that only the score had
        left out."""
        scores = scores_of(self.row, relevance, policy, now)
        cut = cut_by_words(self.row, relevance, policy)
        return replace(self, relevance=relevance, scores=scores, cut=cut)


@dataclass(frozen=True)
class Chosen:
    """`kept` in the order of the ranking, beyond the limit too; `left_out` the most relevant
    first."""

    kept: tuple[Candidate, ...]
    left_out: tuple[Candidate, ...]


def scores_of(row: CandidateRow, relevance: float, policy: Policy, now: datetime) -> ScoreParts:
    """What a memory of this relevance is ranked by."""
    facts = Facts(
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


def cut_by_words(row: CandidateRow, probability: float, policy: Policy) -> Cut | None:
    """The step that leaves a memory out by its probability and its words, None where none does."""
    if probability < policy.min_score:
        return "score"
    if find_order(row.content) is not None:
        return "order"
    only_asks = policy.answers_only and not row.pinned and is_question(row.content)
    return "question" if only_asks else None
