from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.types import EPISODE_MIDPOINT, MIN_EPISODE_VALUE, episode_value

SHARES = st.floats(0, 1)


@pytest.mark.parametrize(("outcome", "value"), [(0.65, 1.0), (1.0, 0.65), (0.0, 0.35), (0.3, 0.65)])
def test_the_value_is_one_less_the_distance_from_the_midpoint(outcome: float, value: float) -> None:
    assert episode_value(outcome) == pytest.approx(value)


@given(SHARES, SHARES)
def test_a_value_is_a_share_and_highest_at_the_midpoint(outcome: float, midpoint: float) -> None:
    assert 0 <= episode_value(outcome, midpoint) <= 1 == episode_value(midpoint, midpoint)


@given(SHARES)
def test_what_is_nearer_to_the_midpoint_is_worth_more(outcome: float) -> None:
    nearer = (outcome + EPISODE_MIDPOINT) / 2
    assert episode_value(nearer) >= episode_value(outcome)


@given(SHARES)
def test_with_the_threshold_of_the_specification_every_outcome_is_worth_keeping(
    outcome: float,
) -> None:
    assert episode_value(outcome) >= MIN_EPISODE_VALUE
