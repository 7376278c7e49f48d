"""What a recall ranks by: relevance, recency and importance, weighed, times usage and form; and
that no question outranks an answer (002, step 3, adapted from messages to memories). Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field, model_validator

from memory.types import FrozenModel, MemoryType, Role, ScoreParts
from memory.understanding.sentences import is_question

T = TypeVar("T")

_FULL_LENGTH = 500
_LEAST_BY_LENGTH = 0.9
_KNOWLEDGE: frozenset[MemoryType] = frozenset(
    {"fact", "preference", "decision", "constraint", "definition"}
)
_OF_KNOWLEDGE = 1.2
_TELLING, _ASKING = 1.1, 0.9


def quality(content: str, item_type: MemoryType, role: Role) -> float:
    """length · type · role, from 0.81 to 1.32; 002's formula, changed where memories differ.

    - length: 0.9 + 0.1 · min(characters, 500) / 500. 002 has no floor, to keep snippets of
      conversations below what explains something; a memory is short because it was made to be, and
      a snippet is refused when it is written. With the floor, length decides between memories that
      are equal in the rest, and never outweighs type or role.
    - type: 1.2 for what 002 calls semantic (fact, preference, decision, constraint, definition),
      1.0 for note (its episodic and emotional) and procedure (its procedural).
    - role: 002 gives the assistant 1.1 and the user 0.9, because a user's messages mostly ask. What
      a user states is first-hand: only a user's question has 0.9.
    """
    length = min(len(content), _FULL_LENGTH) / _FULL_LENGTH
    by_length = _LEAST_BY_LENGTH + (1 - _LEAST_BY_LENGTH) * length
    by_type = _OF_KNOWLEDGE if item_type in _KNOWLEDGE else 1.0
    by_role = _ASKING if role == "user" and is_question(content) else _TELLING
    return by_length * by_type * by_role


def demote_questions(ranked: Iterable[T], content: Callable[[T], str]) -> list[T]:
    """The same, those that only ask after all that tell, each part in its order."""
    return sorted(ranked, key=lambda each: is_question(content(each)))


RecencyCurve = Literal["exponential", "half_life", "hourly"]
UsageRule = Literal["off", "penalty", "boost"]
Weight = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
HalfLife = Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)]

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_KEPT_EACH_HOUR = 0.995
_USED = 0.15
_LEAST_SALIENT = 0.55


class Ranking(FrozenModel):
    """Weights and rules of a ranking.

    `alpha`, `beta` and `gamma` weigh relevance, recency and importance, 000's names.
    `recency` is one of three curves over the age in days:

    - exponential (000): exp(-age / recency_days)
    - half_life: 0.5 ** (age / recency_days)
    - hourly (002): 0.995 ** (24 · age), whatever `recency_days` says

    `salience` multiplies the weighted sum by 0.55 + 0.45 · salience, as 004 multiplies the
    similarity. It is shown in `ScoreParts.quality`, not in `importance`: both speak of a memory's
    form, and the importance that is shown stays the stored one, which the capacity compares.
    `usage` is 004's penalty 1 / (1 + 0.15 · access_count), or its mirror image
    2 - penalty, from 1 up to 2. `quality` multiplies by 002's factors, see `quality()`.

    With `importance_half_life_days` an importance counts half after so many days since the memory
    was learned, but for what its user asked to keep; with `usage_half_life_days` the count of its
    recalls does since the last one. Nothing of that is written down: without them they count whole.
    """

    alpha: Weight = 1.0
    beta: Weight = 0.0
    gamma: Weight = 0.0
    recency: RecencyCurve = "exponential"
    recency_days: Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)] = 7.0
    salience: bool = False
    usage: UsageRule = "off"
    quality: bool = False
    importance_half_life_days: HalfLife | None = None
    usage_half_life_days: HalfLife | None = None

    @model_validator(mode="after")
    def _weighs_something(self) -> Self:
        if self.weight <= 0:
            raise ValueError("weighs nothing: give relevance, recency or importance a weight")
        return self

    @property
    def weight(self) -> float:
        """The weighted sum of a memory that is perfect in all three; a total divided by it lies in
        [0, 1] but for usage and quality."""
        return self.alpha + self.beta + self.gamma


PRESETS: dict[str, Ranking] = {
    "theoria": Ranking(beta=1.0, gamma=1.0),
    "quality": Ranking(alpha=0.5, beta=0.3, gamma=0.2, recency="hourly", quality=True),
    "rfc": Ranking(salience=True, usage="penalty"),
    "relevance": Ranking(),
}
"""000's equal weights, 002's with its factors, 004's formula, and relevance alone."""


@dataclass(frozen=True)
class RankingFacts:
    """What is known of a candidate. `relevance` is the calibrated probability; `salience` as it is
    stored, 0 to 0.85; `access_count` how often it was recalled before, the last time at
    `last_accessed_at`; `protected` is what its user pinned or saved by hand."""

    relevance: float
    created_at: datetime
    importance: float
    salience: float = 0.0
    access_count: int = 0
    content: str = ""
    type: MemoryType = "fact"
    role: Role = "user"
    last_accessed_at: datetime | None = None
    protected: bool = False


def score(facts: RankingFacts, now: datetime, by: Ranking) -> ScoreParts:
    """total = (α · relevance + β · recency + γ · importance) · usage · quality."""
    recent = recency(facts.created_at, now, by)
    important = lasting_importance(facts, now, by)
    last = facts.last_accessed_at or facts.created_at
    recalled = facts.access_count * half_life_factor(last, now, by.usage_half_life_days)
    used = usage_factor(recalled, by.usage)
    form = quality(facts.content, facts.type, facts.role) if by.quality else 1.0
    if by.salience:
        form *= _LEAST_SALIENT + (1 - _LEAST_SALIENT) * facts.salience
    weighed = by.alpha * facts.relevance + by.beta * recent + by.gamma * important
    return ScoreParts(
        relevance=facts.relevance,
        recency=recent,
        importance=important,
        usage=used,
        quality=form,
        total=weighed * used * form,
    )


def recency(created_at: datetime, now: datetime, by: Ranking) -> float:
    """1 for what is new and what lies ahead, towards 0 with age, by the curve of `Ranking`."""
    age = max(now - created_at, timedelta(0))
    if by.recency == "hourly":
        return float(_KEPT_EACH_HOUR ** (age / _HOUR))
    if by.recency == "half_life":
        return float(0.5 ** (age / _DAY / by.recency_days))
    return math.exp(-(age / _DAY / by.recency_days))


def lasting_importance(facts: RankingFacts, now: datetime, by: Ranking) -> float:
    """The stored importance, or what the half-life of the ranking leaves of it."""
    if facts.protected:
        return facts.importance
    return facts.importance * half_life_factor(facts.created_at, now, by.importance_half_life_days)


def half_life_factor(since: datetime, now: datetime, days: float | None) -> float:
    """0.5 ** (age / days): what is left of 1 since then; all of it without a half-life."""
    return 1.0 if days is None else float(0.5 ** (max(now - since, timedelta(0)) / _DAY / days))


def usage_factor(access_count: float, rule: UsageRule) -> float:
    """What having been recalled so often does to a total; 1 for a memory that never was."""
    if rule == "off":
        return 1.0
    penalty = 1.0 / (1.0 + _USED * access_count)
    return penalty if rule == "penalty" else 2.0 - penalty
