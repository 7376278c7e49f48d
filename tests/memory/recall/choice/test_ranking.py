from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.retrieval.ranking import (
    PRESETS,
    Ranking,
    RankingFacts,
    RecencyCurve,
    UsageRule,
    quality,
    recency,
    score,
    usage_factor,
)

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
share = st.floats(0, 1)
age = st.timedeltas(timedelta(0), timedelta(days=40_000))
curve: st.SearchStrategy[RecencyCurve] = st.sampled_from(["exponential", "half_life", "hourly"])
rule: st.SearchStrategy[UsageRule] = st.sampled_from(["off", "penalty", "boost"])
weight = st.floats(0, 10)
ranking = st.builds(
    Ranking,
    alpha=st.floats(0.1, 10),
    beta=weight,
    gamma=weight,
    recency=curve,
    recency_days=st.floats(0.01, 36_500),
    salience=st.booleans(),
    usage=rule,
    quality=st.booleans(),
)
facts = st.builds(
    RankingFacts,
    relevance=share,
    created_at=age.map(lambda each: NOW - each),
    importance=share,
    salience=st.floats(0, 0.85),
    access_count=st.integers(0, 10_000),
    content=st.sampled_from(["", "Ada plays the cello", "Who is Ada?", "long " * 200]),
    type=st.sampled_from(["fact", "note", "procedure"]),
    role=st.sampled_from(["user", "assistant"]),
)


def known(**fields: float | int | str | datetime) -> RankingFacts:
    return replace(RankingFacts(relevance=0.8, created_at=NOW, importance=0.4), **fields)  # type: ignore[arg-type]


def ago(**age: float) -> datetime:
    return NOW - timedelta(**age)


def test_000_weighs_all_three_alike_with_a_week_of_tau() -> None:
    parts = score(known(created_at=ago(days=7)), NOW, PRESETS["theoria"])
    assert parts.recency == pytest.approx(math.exp(-1))
    assert parts.total == pytest.approx(0.8 + math.exp(-1) + 0.4)
    assert (parts.relevance, parts.importance, parts.usage, parts.quality) == (0.8, 0.4, 1, 1)


def test_002_weighs_half_three_tenths_and_two_with_its_factors() -> None:
    asked = known(created_at=ago(hours=10), content="Ada plays the cello")
    parts = score(asked, NOW, PRESETS["quality"])
    assert parts.recency == pytest.approx(0.995**10)
    assert parts.quality == quality("Ada plays the cello", "fact", "user")
    base = 0.5 * 0.8 + 0.3 * 0.995**10 + 0.2 * 0.4
    assert parts.total == pytest.approx(base * parts.quality)


def test_004_is_similarity_times_salience_times_the_penalty() -> None:
    asked = known(salience=0.4, access_count=3, created_at=ago(days=300))
    parts = score(asked, NOW, PRESETS["rfc"])
    assert parts.total == pytest.approx(0.8 * (0.55 + 0.45 * 0.4) * (1 / (1 + 0.15 * 3)))
    assert parts.importance == 0.4


def test_relevance_alone_knows_nothing_else() -> None:
    asked = known(created_at=ago(days=900), importance=0.0, access_count=50, content="Who?")
    assert score(asked, NOW, PRESETS["relevance"]).total == 0.8


def test_a_half_life_halves() -> None:
    by = Ranking(recency="half_life", recency_days=30)
    assert recency(ago(days=60), NOW, by) == pytest.approx(0.25)


@pytest.mark.parametrize("curve", ["exponential", "half_life", "hourly"])
def test_what_lies_ahead_counts_as_now(curve: RecencyCurve) -> None:
    assert recency(ago(days=-400), NOW, Ranking(recency=curve)) == 1.0


@given(age, age, ranking)
def test_older_is_never_more_recent(one: timedelta, other: timedelta, by: Ranking) -> None:
    newer, older = recency(NOW - min(one, other), NOW, by), recency(NOW - max(one, other), NOW, by)
    assert 0 <= older <= newer <= 1


@given(st.integers(0, 10_000))
def test_the_boost_mirrors_the_penalty(count: int) -> None:
    assert 0 < usage_factor(count + 1, "penalty") < usage_factor(count, "penalty") <= 1
    assert 1 <= usage_factor(count, "boost") < usage_factor(count + 1, "boost") < 2
    assert usage_factor(count, "boost") + usage_factor(count, "penalty") == pytest.approx(2)
    assert usage_factor(0, "boost") == usage_factor(0, "penalty") == usage_factor(count, "off") == 1


@given(facts, ranking)
def test_the_total_is_the_weighted_sum_times_usage_and_quality(
    asked: RankingFacts, by: Ranking
) -> None:
    parts = score(asked, NOW, by)
    weighed = by.alpha * parts.relevance + by.beta * parts.recency + by.gamma * parts.importance
    assert parts.total == pytest.approx(weighed * parts.usage * parts.quality)
    assert 0 <= weighed <= by.weight + 1e-9


@given(facts, ranking, share)
def test_more_relevant_is_never_ranked_lower(
    asked: RankingFacts, by: Ranking, other: float
) -> None:
    low, high = sorted((asked.relevance, other))
    scored = [score(replace(asked, relevance=each), NOW, by).total for each in (low, high)]
    assert scored == sorted(scored)


def test_weights_that_weigh_nothing_are_refused() -> None:
    with pytest.raises(ValidationError, match="weighs nothing"):
        Ranking(alpha=0)


@pytest.mark.parametrize("days", [0, -1, math.inf, math.nan])
def test_a_decay_takes_some_time(days: float) -> None:
    with pytest.raises(ValidationError):
        Ranking(recency_days=days)


def test_importance_fades_by_its_half_life() -> None:
    by = Ranking(gamma=1, importance_half_life_days=30)
    old = known(created_at=ago(days=60))
    assert score(old, NOW, by).importance == pytest.approx(0.1)
    assert score(old, NOW, by).total == pytest.approx(0.8 + 0.1)
    assert score(old, NOW, Ranking(gamma=1)).importance == 0.4
    assert score(replace(old, protected=True), NOW, by).importance == 0.4


def test_the_count_of_recalls_fades_since_the_last_one() -> None:
    by = Ranking(usage="penalty", usage_half_life_days=10)
    used = known(access_count=8, created_at=ago(days=99), last_accessed_at=ago(days=20))
    assert score(used, NOW, by).usage == pytest.approx(usage_factor(2, "penalty"))
    assert score(used, NOW, Ranking(usage="penalty")).usage == usage_factor(8, "penalty")


@given(facts, st.floats(0.1, 1000), age)
def test_what_fades_never_counts_for_more(
    known: RankingFacts, days: float, later: timedelta
) -> None:
    by = Ranking(gamma=1, importance_half_life_days=days)
    sooner, later_on = score(known, NOW, by), score(known, NOW + later, by)
    assert later_on.importance <= sooner.importance <= known.importance
