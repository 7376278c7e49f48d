from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.dates import SpokenDate, find_dates
from tests.memory.dates.questions import QUESTIONS
from tests.memory.dates.sentences import MONDAY, OSLO, PROBES, WEDNESDAY
from tests.memory.dates.soup import moments, soups


def only(text: str, said_at: datetime = WEDNESDAY) -> SpokenDate:
    [date] = find_dates(text, said_at)
    return date


def is_found(text: str, words: str | None, first: str, last: str) -> bool:
    dates = find_dates(text, MONDAY)
    if words is None or len(dates) != 1:
        return words is None and not dates
    found = text[dates[0].start : dates[0].end]
    begins = dates[0].begins.date().isoformat()
    return (words in found or found in words) and first <= begins <= last


def test_the_sentences_that_libraries_were_compared_by() -> None:
    assert [probe for probe in PROBES if not is_found(*probe)] == []


def test_questions_have_stretches_of_time() -> None:
    wrong = []
    for text, words, begins, ends, grain in QUESTIONS:
        date = only(text)
        days = (date.begins.date().isoformat(), date.ends.date().isoformat())
        if (text[date.start : date.end], *days, date.grain) != (words, begins, ends, grain):
            wrong.append((text, date))
    assert wrong == []


DATELESS = [
    "Where did I live before I moved?",
    "What do I do on Fridays?",
    "what should I do now?",
    "When is my dentist appointment?",
    "What did I do two Fridays ago?",
    "I was paid on 31 February",
    "in 9000 years",
    "I saw her 99 decades ago",
]


def test_no_date_is_made_up() -> None:
    assert [(text, got) for text in DATELESS if (got := find_dates(text, WEDNESDAY))] == []


MINUTES = [
    ("Call the bank tomorrow at 3pm", "2026-06-18T15:00"),
    ("We met at 9:30 yesterday morning", "2026-06-16T09:30"),
    ("Meet me tonight at 8", "2026-06-17T20:00"),
    ("The call is on Friday at 14:30.", "2026-06-19T14:30"),
    ("The call is on Friday at 3.", "2026-06-19T15:00"),
    ("Last Friday at noon I signed", "2026-06-12T12:00"),
    ("I woke at 12am yesterday", "2026-06-16T00:00"),
    ("Remind me in 20 minutes", "2026-06-17T21:20"),
]


def test_a_time_of_day_is_a_minute_of_its_day() -> None:
    wrong = []
    for text, moment in MINUTES:
        date = only(text)
        begins = date.begins.isoformat(timespec="minutes")
        lasts = (date.grain, date.ends - date.begins)
        if not begins.startswith(moment) or lasts != ("minute", timedelta(minutes=1)):
            wrong.append((text, date))
    assert wrong == []


def test_a_count_is_no_time_of_day() -> None:
    assert only("I ate 3 yesterday").grain == "day"
    assert only("We are staying tomorrow at 10 Downing Street").grain == "day"


RELATIVE = [
    ("I moved in May 2019", False),
    ("I moved on 2019-05-03", False),
    ("I moved on 3 May", True),
    ("I moved in May", True),
    ("I moved yesterday", True),
]


def test_relative_is_what_another_day_reads_otherwise() -> None:
    assert [text for text, relative in RELATIVE if only(text).relative is not relative] == []


def test_this_and_next_weekday_are_of_this_and_the_next_week() -> None:
    assert only("I fly next Friday", MONDAY).begins.day == 26
    assert only("I fly this Friday", MONDAY).begins.day == 19
    assert only("I fly next Friday", MONDAY - timedelta(days=1)).begins.day == 19
    assert only("I flew last Friday", MONDAY).begins.day == 12


@pytest.mark.parametrize("zone", [UTC, OSLO, ZoneInfo("America/New_York")])
def test_days_are_those_of_the_offset_that_it_was_said_in(zone: ZoneInfo) -> None:
    late = datetime(2026, 6, 15, 23, 30, tzinfo=zone)
    assert only("I quit today", late).begins == datetime(2026, 6, 15, tzinfo=zone)


def test_a_month_ahead_of_a_short_one() -> None:
    end_of_january = datetime(2026, 1, 31, 12, tzinfo=UTC)
    assert only("I start next month", end_of_january).begins == datetime(2026, 2, 1, tzinfo=UTC)


def test_a_title_in_quotes_is_no_date() -> None:
    assert find_dates("I sing 'Yesterday' and “Last Christmas”", WEDNESDAY) == []


@profile(deadline=None)
@given(soups | st.text(max_size=80), moments)
def test_dates_stand_in_the_text_in_order_and_last(text: str, said_at: datetime) -> None:
    end = 0
    for date in find_dates(text, said_at):
        assert end <= date.start < date.end <= len(text)
        assert date.begins < date.ends
        assert date.begins.tzinfo is said_at.tzinfo
        end = date.end
