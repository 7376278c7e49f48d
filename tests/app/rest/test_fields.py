from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from app.schemas.fields import Flag, Importance, SearchText, TagName, Timestamp
from memory.types import EARLIEST_TIME, LATEST_TIME

MOMENT = TypeAdapter[datetime](Timestamp)


@given(st.text(min_size=1, max_size=60))
def test_plain_words_have_no_nul_and_no_half_of_a_pair(text: str) -> None:
    refused = "\x00" in text or any(0xD800 <= ord(each) <= 0xDFFF for each in text)
    try:
        TypeAdapter(SearchText).validate_python(text)
    except ValidationError:
        assert refused
    else:
        assert not refused


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "x\udfff"])
def test_what_no_store_takes_is_refused(text: str) -> None:
    for kind in (SearchText, TagName):
        with pytest.raises(ValidationError):
            TypeAdapter(kind).validate_python(text)


@given(st.datetimes(timezones=st.timezones() | st.none()))
def test_a_moment_is_taken_in_utc_or_refused(at: datetime) -> None:
    try:
        taken = MOMENT.validate_python(at.isoformat())
    except ValidationError:
        return
    assert taken.tzinfo is UTC
    assert EARLIEST_TIME <= taken < LATEST_TIME
    said = datetime.fromisoformat(at.isoformat())
    assert taken == (said if said.tzinfo else said.replace(tzinfo=UTC))


def test_a_moment_without_an_offset_is_of_utc() -> None:
    assert MOMENT.validate_python("2026-05-01T09:30:00") == datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
    assert MOMENT.validate_python("2026-05-01") == datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "said", ["2024", 1714555800, 1.5, True, "yesterday", "0999-12-31", "3000-01-01", "", "9999-99"]
)
def test_a_guess_is_no_moment(said: Any) -> None:
    with pytest.raises(ValidationError):
        MOMENT.validate_python(said)


@pytest.mark.parametrize("said", ["yes", "true", 1, 0, None])
def test_yes_and_no_are_truths(said: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Flag).validate_python(said)


@pytest.mark.parametrize("said", ["0.5", True, float("nan"), float("inf"), -0.1, 1.1])
def test_an_importance_is_a_share(said: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Importance).validate_python(said)
