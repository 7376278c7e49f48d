from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.ops.api_keys import LONGEST, parse_duration
from memory.errors import InvalidInput
from tests.tables import is_refused


def test_reads_what_a_person_writes() -> None:
    durations = {
        "12h": timedelta(hours=12),
        "90d": timedelta(days=90),
        "4w": timedelta(weeks=4),
        "3650d": LONGEST,
        "never": None,
    }
    assert {text: parse_duration(text) for text in durations} == durations


def test_says_what_it_does_not_read() -> None:
    texts = ("", "90", "d", "0d", "-1d", "1.5d", "90 d", "90D", "3651d", "9999999d", "٩d", "Never")
    assert [text for text in texts if not is_refused(InvalidInput, parse_duration, text)] == []


@given(st.text(alphabet="0123456789hdw.- n", max_size=12))
def test_a_duration_is_refused_or_within_ten_years(text: str) -> None:
    try:
        duration = parse_duration(text)
    except InvalidInput:
        return
    assert duration is not None
    assert timedelta(0) < duration <= LONGEST


@given(st.integers(1, 3650))
def test_days_are_days(days: int) -> None:
    assert parse_duration(f"{days}d") == timedelta(days=days)
