from __future__ import annotations

import dataclasses
import json
import math
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import LOCAL_MODEL
from memory.retrieval.relevance import (
    DEFAULT_CALIBRATION,
    Calibration,
    Coefficients,
    MemoryEvidence,
    load_calibration,
    log_odds,
    relevance,
    sigmoid,
)

cosine = st.floats(-1, 1)
share = st.floats(0, 1)
evidences = st.builds(
    MemoryEvidence,
    cosine=st.none() | cosine,
    best_cosine=st.none() | cosine,
    bm25=st.none() | share,
    best_bm25=st.none() | share,
    coverage=st.none() | share,
    best_coverage=st.none() | share,
    personal=st.booleans(),
    number_missing=st.booleans(),
    pool=st.integers(0, 120),
)
# Half in every leg, and the best of its pool.
SOME = MemoryEvidence(0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
ONE_OF_EACH = Calibration(
    both=Coefficients(intercept=0),
    keyword=Coefficients(intercept=1),
    vector=Coefficients(intercept=2),
)


def shipped() -> list[str]:
    folder = files("memory.retrieval").joinpath("calibration")
    names = (entry.name for entry in folder.iterdir() if entry.is_file())
    return sorted(name.removesuffix(".json") for name in names)


@given(evidences)
def test_it_is_a_probability(evidence: MemoryEvidence) -> None:
    for model in ("none that was calibrated", LOCAL_MODEL):
        assert 0.0 <= relevance(evidence, load_calibration(model)) <= 1.0


@given(evidences, cosine, cosine)
def test_a_nearer_memory_is_more_relevant(
    evidence: MemoryEvidence, one: float, other: float
) -> None:
    best = max(one, other, evidence.best_cosine or -1.0)
    low, high = (
        relevance(dataclasses.replace(evidence, cosine=each, best_cosine=best), DEFAULT_CALIBRATION)
        for each in sorted((one, other))
    )
    assert low <= high + 1e-12


@given(evidences, share, share)
def test_more_of_the_words_are_more_relevant(
    evidence: MemoryEvidence, one: float, other: float
) -> None:
    low, high = (
        relevance(dataclasses.replace(evidence, bm25=each, coverage=each), DEFAULT_CALIBRATION)
        for each in sorted((one, other))
    )
    assert low <= high + 1e-12


@pytest.mark.parametrize(
    ("evidence", "chosen"),
    [
        (SOME, ONE_OF_EACH.both),
        (dataclasses.replace(SOME, cosine=None), ONE_OF_EACH.keyword),
        (dataclasses.replace(SOME, best_cosine=None), ONE_OF_EACH.keyword),
        (dataclasses.replace(SOME, bm25=None, coverage=None), ONE_OF_EACH.vector),
    ],
)
def test_the_legs_that_answered_choose_the_coefficients(
    evidence: MemoryEvidence, chosen: Coefficients
) -> None:
    assert relevance(evidence, ONE_OF_EACH) == sigmoid(chosen.intercept)


def test_no_leg_no_relevance() -> None:
    nothing = MemoryEvidence(None, None, None, None, None, None)
    assert relevance(nothing, ONE_OF_EACH) == 0.0


def test_default_gives_even_odds_where_it_says() -> None:
    by_vector = MemoryEvidence(0.45, 0.45, None, None, None, None)
    assert relevance(by_vector, DEFAULT_CALIBRATION) == pytest.approx(0.5)
    unrelated = MemoryEvidence(0.15, 0.15, 0.0, 0.0, 0.0, 0.0)
    assert relevance(unrelated, DEFAULT_CALIBRATION) < 0.3


def test_the_features_of_a_candidate() -> None:
    features = MemoryEvidence(
        cosine=0.5,
        best_cosine=0.7,
        bm25=0.2,
        best_bm25=0.6,
        coverage=0.4,
        best_coverage=0.9,
        personal=True,
        number_missing=True,
        pool=9,
    ).features
    expected = {
        "cosine": 0.5,
        "cosine_gap": 0.2,
        "bm25": 0.2,
        "bm25_gap": 0.4,
        "coverage": 0.4,
        "coverage_gap": 0.5,
        "personal": 1.0,
        "number_missing": 1.0,
        "log_pool": math.log(10),
    }
    assert {name: features[name] for name in expected} == pytest.approx(expected)


@given(evidences, st.data())
def test_the_log_odds_are_the_weighted_sum(evidence: MemoryEvidence, data: st.DataObject) -> None:
    weights = {name: data.draw(st.floats(-9, 9)) for name in evidence.features}
    expected = 1.5 + sum(weights[name] * x for name, x in evidence.features.items())
    assert log_odds(evidence, Coefficients(intercept=1.5, **weights)) == pytest.approx(expected)


def test_every_feature_has_a_coefficient_and_no_other() -> None:
    assert set(SOME.features) == set(Coefficients.model_fields) - {"intercept"}


@given(st.floats(-1e6, 1e6))
def test_sigmoid_is_symmetric_and_never_overflows(x: float) -> None:
    assert sigmoid(x) + sigmoid(-x) == pytest.approx(1.0)


@pytest.mark.parametrize("model", shipped())
def test_a_shipped_calibration_can_be_read(model: str) -> None:
    assert load_calibration(model) != DEFAULT_CALIBRATION


def test_the_local_model_is_calibrated() -> None:
    assert LOCAL_MODEL in shipped()


@pytest.mark.parametrize("model", ["unheard-of", "org/unheard-of", "../calibration", "", "."])
def test_a_model_without_a_file_gets_the_default(model: str) -> None:
    assert load_calibration(model) == DEFAULT_CALIBRATION


def test_a_calibration_names_only_known_features() -> None:
    raw = DEFAULT_CALIBRATION.model_dump()
    raw["both"]["charm"] = 1.0
    with pytest.raises(ValueError, match="charm"):
        Calibration(**json.loads(json.dumps(raw)))
