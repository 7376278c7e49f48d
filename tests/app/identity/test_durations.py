from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ops.api_keys import LONGEST, parse_duration
from memory.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("12h", timedelta(hours=12)),
        ("90d", timedelta(days=90)),
        ("4w", timedelta(weeks=4)),
        ("3650d", LONGEST),
        ("never", None),
    ],
)
def test_reads_what_a_person_writes(text: str, duration: timedelta | None) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize(
    "text", ["", "90", "d", "0d", "-1d", "1.5d", "90 d", "90D", "3651d", "9999999d", "٩d", "Never"]
)
def test_says_what_it_does_not_read(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_duration(text)


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
