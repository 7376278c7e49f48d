from __future__ import annotations

import pytest

from eval.bench.years import points_lost

HELD, LOST, GAINED, MISSED = (True, True), (True, False), (False, True), (False, False)


@pytest.mark.parametrize("held", [288, 276, 12])
def test_six_questions_of_three_hundred_are_two_points_however_many_are_answered(
    held: int,
) -> None:
    hits = [HELD] * held + [LOST] * 6 + [MISSED] * (294 - held)
    assert points_lost(hits) == 0.02


def test_what_is_gained_is_taken_off() -> None:
    assert points_lost([LOST, LOST, GAINED, HELD]) == 0.25
