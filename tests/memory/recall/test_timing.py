from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.time_filter import TimeFilter, parse_time_filter, query_without_time
from memory.store.search import SearchScope
from memory.types import MemoryType

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SCOPE = SearchScope("ada", NOW)


@dataclass(frozen=True)
class Kept:
    content: str = "I bought a kettle"
    occurred_at: datetime | None = None
    created_at: datetime = NOW
    type: MemoryType = "fact"


def test_a_question_without_a_time_changes_nothing() -> None:
    timing = parse_time_filter("What is my job?", NOW)
    assert timing == TimeFilter()
    assert timing.scope(SCOPE) == SCOPE
    assert (timing.words, timing.anchor, timing.is_open) == ("", None, True)
    assert timing.fit(Kept(occurred_at=NOW)) == "unknown"
    assert not timing.answers_alone(Kept(occurred_at=NOW))
    assert timing.anchored_at(NOW) == timing


@pytest.mark.parametrize(
    ("question", "everything", "words"),
    [
        ("What did I do last week?", True, "What did I do last week?"),
        ("last week", True, "last week"),
        ("What did I buy last week?", False, "What did I buy?"),
        ("What did Tom give me in May?", False, "What did Tom give me?"),
        ("What is my job?", False, "What is my job?"),
    ],
)
def test_what_is_searched_for_beside_the_time(question: str, everything: bool, words: str) -> None:
    timing = parse_time_filter(question, NOW)
    assert timing.everything is everything
    assert query_without_time(question, timing) == words


def test_what_happened_then_fits_and_what_did_not_does_not() -> None:
    timing = parse_time_filter("What did I buy last week?", NOW)
    assert timing.words == "last week"
    assert timing.fit(Kept(occurred_at=NOW - 6 * DAY)) == "in"
    assert timing.fit(Kept(occurred_at=NOW - 30 * DAY)) == "out"
    assert timing.fit(Kept()) == "unknown"


def test_what_was_told_goes_by_when_it_was_learned() -> None:
    timing = parse_time_filter("What did I tell you last week?", NOW)
    assert timing.by_learning
    assert timing.fit(Kept(created_at=NOW - 6 * DAY, occurred_at=NOW - 300 * DAY)) == "in"
    assert timing.fit(Kept(occurred_at=NOW - 6 * DAY)) == "out"


def test_a_decision_is_made_when_it_is_told() -> None:
    timing = parse_time_filter("What did I decide last week?", NOW)
    then = NOW - 6 * DAY
    assert timing.by_learning
    decided = Kept("We take the blue one", created_at=then, type="decision")
    assert timing.fit(decided) == "in"
    assert timing.answers_alone(decided)
    assert not timing.answers_alone(Kept(created_at=then))


def test_the_past_searches_what_was_replaced() -> None:
    assert parse_time_filter("What was my old job?", NOW).scope(SCOPE).past
    assert not parse_time_filter("What did I buy last week?", NOW).scope(SCOPE).past


def test_as_of_searches_what_was_known_then() -> None:
    scope = parse_time_filter("What do you know as of 1 March 2026?", NOW).scope(SCOPE)
    assert scope.as_of == datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "anchor", "kind"),
    [
        ("What did I drive before I moved to Lyon?", "I moved to Lyon", "before"),
        ("What did I eat after the surgery?", "the surgery", "after"),
    ],
)
def test_a_time_that_counts_from_an_event(question: str, anchor: str, kind: str) -> None:
    timing = parse_time_filter(question, NOW)
    assert (timing.anchor, timing.is_open) == (anchor, True)
    moment = NOW - 100 * DAY
    counted = timing.anchored_at(moment)
    assert (counted.anchor, counted.is_open) == (None, False)
    assert counted.asked is not None
    ends = (None, moment) if kind == "before" else (moment, None)
    assert (counted.asked.start, counted.asked.end) == ends
    fits = [counted.fit(Kept(occurred_at=moment + away * DAY)) for away in (-5, 5)]
    assert fits == (["in", "out"] if kind == "before" else ["out", "in"])


def test_what_lasts_is_not_all_of_its_time() -> None:
    timing = parse_time_filter("Where did I work in 2020?", NOW)
    lasted = Kept("I drove a Volvo from 2019 to 2021")
    assert timing.fit(lasted) == "in"
    assert not timing.answers_alone(lasted)


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_any_question_at_any_time(question: str, now: datetime) -> None:
    timing = parse_time_filter(question, now)
    assert timing.fit(Kept()) in ("in", "out", "unknown")
    assert timing.everything <= (timing.asked is not None)
    assert bool(query_without_time(question, timing)) == bool(question)


@given(
    st.sampled_from(["What did I do", "What did I buy", "Where did I live", "What did Tom decide"]),
    st.sampled_from(["last week", "in May", "in 2024", "yesterday", "before I moved", "as of May"]),
)
def test_a_question_keeps_words_to_search_for(rest: str, when: str) -> None:
    question = f"{rest} {when}?"
    assert query_without_time(question, parse_time_filter(question, NOW)).startswith(rest)
