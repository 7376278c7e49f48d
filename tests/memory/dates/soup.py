"""Texts made of the words of time in any order, for the property tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from tests.memory.dates.sentences import OSLO

_FIRST = datetime(1950, 1, 1, 9, 30, tzinfo=UTC)
_WORDS = (
    "I we moved will saw is was the a on in by since until for to from at of and or but . , ! ' \" "
    "- ( ) last next this coming past early mid late end yesterday today tomorrow tonight night "
    "morning evening day week weekend month year ago before after two 3 12 31 2019 2026 9am 14:30 "
    "noon couple few Monday friday Fridays Mon May may March june December 3rd 12th summer winter "
    "every never always now second birthday meeting 's don't going ate quit In On Yesterday Next "
    "LAST 2026-02-30 06/07/2026 half an hour minutes years decade fortnight 90s 1990s weekend."
)
WORDS = _WORDS.split()
soups = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([" "] * 8 + ["", ", ", "\n", ". "])),
    max_size=16,
).map(lambda pairs: "".join(word + gap for word, gap in pairs))
_years = st.datetimes() | st.integers(0, 47_000).map(lambda days: _FIRST + timedelta(days=days))
moments = st.builds(
    lambda moment, zone: moment.replace(tzinfo=zone), _years, st.sampled_from([UTC, OSLO])
)
