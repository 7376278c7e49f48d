from __future__ import annotations

from itertools import islice

from app.worker import growing_pauses


def test_a_database_that_stays_away_is_asked_ever_more_rarely() -> None:
    assert list(islice(growing_pauses(5), 6)) == [5, 10, 20, 40, 60, 60]
