from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.time_question import parse_asked_time
from tests.memory.dates.sentences import OSLO
from tests.memory.dates.soup import moments, soups
from tests.memory.recall.time.questions import ANCHORED, NOW, SOUGHT, TIMELESS, WINDOWS


def day(date: str) -> datetime | None:
    return datetime.fromisoformat(date).replace(tzinfo=OSLO) if date else None


def time_asked(question: str) -> tuple[object, ...] | None:
    """Its kind, start, end, words and the event that it counts from."""
    asked = parse_asked_time(question, NOW)
    if asked is None:
        return None
    return asked.kind, asked.start, asked.end, asked.words, asked.anchor


def test_a_question_gives_a_time() -> None:
    assert [
        (question, got)
        for question, kind, start, end, words in WINDOWS
        if (got := time_asked(question)) != (kind, day(start), day(end), words, None)
    ] == []


def test_a_question_counts_from_an_event() -> None:
    assert [
        (question, got)
        for question, kind, anchor, words in ANCHORED
        if (got := time_asked(question)) != (kind, None, None, words, anchor)
    ] == []


def test_in_doubt_there_is_no_time() -> None:
    assert [(each, got) for each in TIMELESS if (got := time_asked(each)) is not None] == []


def test_the_time_belongs_to_something() -> None:
    wrong = [
        (question, asked)
        for question, sought in SOUGHT
        if (asked := parse_asked_time(question, NOW)) is None or asked.sought != sought
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("now", "start"),
    [("2026-01-10", "2025-06-01"), ("2026-06-01", "2026-06-01"), ("2026-11-22", "2026-06-01")],
)
def test_a_summer_that_is_looked_back_on_has_begun(now: str, start: str) -> None:
    for question in ("what did I do this summer", "what did I do in the summer"):
        asked = parse_asked_time(question, datetime.fromisoformat(now).replace(tzinfo=UTC))
        assert asked is not None
        assert asked.start == datetime.fromisoformat(start).replace(tzinfo=UTC)


def test_the_offset_is_that_of_the_moment() -> None:
    for zone in (UTC, OSLO):
        asked = parse_asked_time("what did I do yesterday", NOW.astimezone(zone))
        assert asked is not None
        assert asked.start is not None
        assert asked.start.utcoffset() == NOW.astimezone(zone).utcoffset()


def test_a_long_text_is_no_question_of_a_time() -> None:
    assert parse_asked_time("I told you. " * 60 + "what did I do last week", NOW) is None


@given(soups | st.text(max_size=80) | st.sampled_from([each[0] for each in WINDOWS]), moments)
def test_any_text_at_any_moment_gives_a_window_or_none(text: str, now: datetime) -> None:
    asked = parse_asked_time(text, now)
    if asked is None:
        return
    assert asked.words
    assert asked.words in text
    for moment in (asked.start, asked.end):
        assert moment is None or moment.tzinfo is not None
    if asked.start is not None and asked.end is not None:
        assert asked.start < asked.end
    if asked.anchor is not None:
        assert (asked.start, asked.end) == (None, None)
        assert asked.anchor in asked.words
    else:
        assert asked.start is not None or asked.end is not None
    if asked.kind == "as_of":
        assert asked.start is None
        assert asked.end is not None
        assert asked.end <= now


@given(st.integers(-7_000, 25_000).map(lambda days: NOW + timedelta(days=days)))
def test_what_was_done_is_never_all_ahead(now: datetime) -> None:
    """And what will be done never all behind."""
    for words in ("in May", "in the summer", "at Easter", "on Friday", "this winter", "on 3 March"):
        done = parse_asked_time(f"what did I do {words}", now)
        assert done is not None
        assert done.start is not None
        assert done.start <= now
        coming = parse_asked_time(f"what will I do {words}", now)
        assert coming is not None
        assert coming.end is not None
        assert coming.end > now - timedelta(days=1)
