from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.worker.queue import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MAX_ATTEMPTS,
    MAX_TAKINGS,
    PATIENCE,
    JobUnfinished,
    is_dead_letter,
    pause_before,
)
from memory.errors import EmbeddingUnavailable, MessagesGivenUp

AWAY = EmbeddingUnavailable(model="m", reason="away")
attempts = st.integers(0, 1_000_000)
chances = st.floats(0, 1)


@given(attempts, chances)
def test_a_pause_lies_between_half_of_the_first_and_the_longest(count: int, chance: float) -> None:
    assert FIRST_PAUSE / 2 <= pause_before(count, chance) <= LONGEST_PAUSE


@given(attempts, chances)
def test_pauses_grow_with_the_attempts(count: int, chance: float) -> None:
    assert pause_before(count, chance) <= pause_before(count + 1, chance)


@given(attempts)
def test_chance_takes_up_to_half_of_a_pause(count: int) -> None:
    assert pause_before(count, 1) == pause_before(count, 0) / 2


def test_pauses_double_from_a_second_to_five_minutes() -> None:
    seconds = [pause_before(count, 0).total_seconds() for count in (0, 1, 2, 8, 9, 50)]
    assert seconds == [1, 2, 4, 256, 300, 300]


@pytest.mark.parametrize(
    ("error", "count", "age", "given_up"),
    [
        (ValueError(), MAX_ATTEMPTS - 2, timedelta(0), False),
        (ValueError(), MAX_ATTEMPTS - 1, timedelta(0), True),
        (AWAY, 10_000, PATIENCE - timedelta(seconds=1), False),
        (AWAY, 0, PATIENCE, True),
        (TimeoutError(), MAX_ATTEMPTS, timedelta(0), False),
        (JobUnfinished("late", MAX_TAKINGS - 1), 10_000, timedelta(0), False),
        (JobUnfinished("late", MAX_TAKINGS), 0, timedelta(0), True),
        (MessagesGivenUp(count=1, tries=2), 0, timedelta(0), True),
    ],
    ids=[
        "not yet",
        "the last attempt",
        "away",
        "away for a day",
        "late",
        "ended, after many failures",
        "ended for the last time",
        "told once",
    ],
)
def test_what_is_away_is_waited_for_and_all_else_is_tried_so_many_times(
    error: Exception, count: int, age: timedelta, given_up: bool
) -> None:
    assert is_dead_letter(error, count, age) is given_up
