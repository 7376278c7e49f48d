from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.time_question import AskedTime, TimeFit, match_time, parse_asked_time
from tests.memory.dates.soup import moments, soups
from tests.memory.recall.time.questions import NOW, WINDOWS

LEARNED = datetime(2026, 6, 11, 8, 0, tzinfo=UTC)
LAST_WEEK, MAY, IN_2020 = (
    "what did I do last week",
    "what happened in May",
    "where did I live in 2020",
)

# What is asked, what a memory that was learned on 11 June 2026 says, and on which day it happened.
FITS: list[tuple[str, str, str, TimeFit]] = [
    (LAST_WEEK, "I saw Ann", "2026-06-10", "in"),
    (LAST_WEEK, "I saw Ann", "2026-06-08", "in"),
    (LAST_WEEK, "I saw Ann", "2026-06-15", "out"),
    (LAST_WEEK, "I saw Ann", "2025-06-10", "out"),
    (LAST_WEEK, "I like tea", "", "unknown"),
    (LAST_WEEK, "I saw Ann on 9 June 2026", "", "in"),
    (LAST_WEEK, "I saw Ann on 9 May 2026", "", "out"),
    (LAST_WEEK, "I saw Ann yesterday", "", "in"),
    (LAST_WEEK, "I graduated in 2010", "", "out"),
    (LAST_WEEK, "I was in Rome in June 2026", "2026-06-01", "unknown"),
    (LAST_WEEK, "Ann's birthday is on 12 May", "", "unknown"),
    (LAST_WEEK, "I play tennis on Fridays", "", "unknown"),
    (LAST_WEEK, "On 3 May I booked a flight for 10 June 2026", "2026-05-03", "in"),
    (MAY, "We were in Rome in May 2026", "2026-05-01", "in"),
    (MAY, "We were in Rome in 2026", "2026-01-01", "unknown"),
    (MAY, "We were in Rome in 2025", "2025-01-01", "out"),
    ("what happened in 2026", "We were in Rome in May 2026", "", "in"),
    ("what happened in 2024", "I have worked at Equinor since 2015", "2015-01-01", "unknown"),
    ("what happened in 2014", "I have worked at Equinor since 2015", "2015-01-01", "out"),
    ("what happened in 2024", "I lived in Oslo until 2019", "", "out"),
    ("what happened in 2014", "I lived in Oslo until 2019", "", "unknown"),
    (IN_2020, "I have worked at Equinor since 2015", "2015-01-01", "in"),
    (IN_2020, "I moved to Bergen in 2015", "2015-01-01", "unknown"),
    (IN_2020, "I moved to Oslo in 2023", "2023-01-01", "out"),
    (IN_2020, "I moved to Oslo in 2020", "2020-01-01", "in"),
    (IN_2020, "I lived in Oslo until 2019", "", "unknown"),
    ("what did I tell you last week", "I moved to Oslo in 2023", "2023-01-01", "in"),
    ("what did I tell you yesterday", "I saw Ann yesterday", "2026-06-16", "out"),
    ("what do you know as of 1 June 2026", "I like tea", "", "out"),
    ("what do you know as of 12 June 2026", "I like tea", "", "in"),
    ("what did I pay for the flight on 3 March", "I paid 90 on 5 January 2026", "", "unknown"),
    ("what did I pay for the flight on 3 March", "I flew on 3 March 2026", "", "in"),
    ("what has happened since Easter", "I saw Ann", "2026-05-05", "in"),
    ("what has happened since Easter", "I saw Ann", "2026-03-05", "out"),
    ("what did I do before May", "I saw Ann", "2026-03-05", "in"),
    ("what's due by Friday", "The report is due on 18 June 2026", "", "in"),
    ("what's due by Friday", "The report is due on 30 June 2026", "", "out"),
    ("where did I live before I moved", "I moved in 2015", "2015-01-01", "unknown"),
]  # fmt: skip


def fit_of(question: str, content: str, happened: str) -> TimeFit | None:
    asked = parse_asked_time(question, NOW)
    occurred_at = datetime.fromisoformat(f"{happened}T00:00+02:00") if happened else None
    if asked is None:
        return None
    return match_time(asked, content=content, occurred_at=occurred_at, created_at=LEARNED)


def test_a_memory_belongs_to_a_time() -> None:
    assert [
        (question, content, got)
        for question, content, happened, fit in FITS
        if (got := fit_of(question, content, happened)) != fit
    ] == []


def test_a_date_is_read_in_the_offset_of_who_asks() -> None:
    """Midnight in Oslo is the evening before in Greenwich, and the day is the same."""
    asked = AskedTime(
        datetime(2026, 6, 2, tzinfo=UTC), datetime(2026, 6, 3, tzinfo=UTC), "yesterday"
    )
    midnight = datetime.fromisoformat("2026-06-03T00:00+02:00")
    content = "I saw Ann on 3 June 2026"
    assert match_time(asked, content=content, occurred_at=midnight, created_at=LEARNED) == "out"


instants = st.integers(-20_000_000, 25_000_000).map(
    lambda minutes: NOW + timedelta(minutes=minutes)
)


@given(st.sampled_from([each[0] for each in WINDOWS]), soups, st.none() | moments, instants)
def test_any_memory_has_a_fit(
    question: str, content: str, occurred_at: datetime | None, created_at: datetime
) -> None:
    asked = parse_asked_time(question, NOW)
    assert asked is not None
    fit = match_time(asked, content=content, occurred_at=occurred_at, created_at=created_at)
    assert fit in ("in", "out", "unknown")


@given(instants, instants, instants)
def test_a_bare_moment_is_in_the_window_or_out_of_it(
    one: datetime, other: datetime, moment: datetime
) -> None:
    start, end = sorted((one, other + timedelta(seconds=1)))
    asked = AskedTime(start, end, "then")
    fit = match_time(asked, content="tea", occurred_at=moment, created_at=start)
    assert fit == ("in" if start <= moment < end else "out")
