from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.dates import find_dates, resolve_dates
from tests.memory.dates.sentences import (
    AHEAD,
    AUTUMN,
    BACK,
    MONDAY,
    RESOLVED,
    UNTOUCHED,
    WEDNESDAY,
)
from tests.memory.dates.soup import moments, soups


def resolved_on(text: str) -> tuple[str, str | None]:
    """How it reads when resolved, and the day that it happened on."""
    out, happened = resolve_dates(text, WEDNESDAY)
    return out, None if happened is None else happened.date().isoformat()


def test_relative_dates_are_put_into_words_that_stay_true() -> None:
    wrong = [
        (text, got) for text, *wanted in RESOLVED if (got := resolved_on(text)) != tuple(wanted)
    ]
    assert wrong == []


def test_what_is_absolute_or_a_habit_or_no_date_stays() -> None:
    assert [
        (text, got) for text, day in UNTOUCHED if (got := resolved_on(text)) != (text, day)
    ] == []


def test_what_has_not_begun_has_a_day_ahead() -> None:
    wrong = [(text, got) for text, to in AHEAD if (got := resolve_dates(text, AUTUMN)[0]) != to]
    assert wrong == []


def test_what_was_done_has_a_day_behind() -> None:
    wrong = [(text, got) for text, to in BACK if (got := resolve_dates(text, AUTUMN)[0]) != to]
    assert wrong == []


EXAMPLES = [
    ("I moved to Bergen last Friday", "I moved to Bergen on 12 June 2026"),
    ("The exam is in two weeks", "The exam is on 29 June 2026"),
    ("I start next month", "I start in July 2026"),
    ("I was in Rome last week", "I was in Rome in the week of 8 June 2026"),
    ("I divorced two years ago", "I divorced in 2024"),
    ("I quit today", "I quit on 15 June 2026"),
]


def test_the_examples_of_the_design() -> None:
    assert [
        (text, got)
        for text, resolved in EXAMPLES
        if (got := resolve_dates(text, MONDAY)[0]) != resolved
    ] == []


def test_the_moment_carries_the_offset_it_was_said_in() -> None:
    _, happened = resolve_dates("I quit today", MONDAY)
    assert happened == MONDAY.replace(hour=0)
    assert happened.utcoffset() == MONDAY.utcoffset()


def test_a_date_that_stays_open_has_no_moment_but_is_found() -> None:
    text = "My birthday is on 3 March"
    assert resolve_dates(text, WEDNESDAY) == (text, None)
    assert len(find_dates(text, WEDNESDAY)) == 1


def test_two_dates_give_the_first_moment() -> None:
    out, happened = resolve_dates("Between last Monday and yesterday I slept badly", WEDNESDAY)
    assert out == "Between 15 June 2026 and 16 June 2026 I slept badly"
    assert happened is not None
    assert happened.day == 15


@profile(deadline=None)
@given(soups | st.text(max_size=80), moments)
def test_what_was_resolved_once_stays_as_it_is(text: str, said_at: datetime) -> None:
    once = resolve_dates(text, said_at)
    assert resolve_dates(once[0], said_at) == once


@profile(deadline=None)
@given(st.sampled_from([*RESOLVED]), moments, moments)
def test_a_resolved_sentence_reads_the_same_at_any_time(
    sentence: tuple[str, str, str], said_at: datetime, later: datetime
) -> None:
    out, happened = resolve_dates(sentence[0], said_at)
    if happened is not None and sentence[0] != out:
        assert resolve_dates(out, later)[0] == out
