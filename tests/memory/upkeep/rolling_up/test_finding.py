from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.maintenance.clusters import SpaceVectors, centroid
from memory.store.lifecycle import RollUpSource
from tests.memory.fakes import unit
from tests.memory.upkeep.rolling_up.sources import source


def at(number: int, *degrees: float) -> RollUpSource:
    """A memory whose vector lies at so many degrees from two of three axes."""
    first, second = (np.radians(angle) for angle in (*degrees, 0.0)[:2])
    vector = [np.cos(first) * np.cos(second), np.sin(first) * np.cos(second), np.sin(second)]
    return source(number, "x", embedding=np.array(vector, dtype=np.float32))


def around(*sources: RollUpSource) -> SpaceVectors:
    return SpaceVectors({each.id: each.embedding for each in sources})


def test_what_is_nearest_to_its_centre_stays_together() -> None:
    cluster = (at(1, 0), at(2, 10), at(3, 20))
    assert around(*cluster, at(4, 60)).together(cluster, 0.6) == cluster


def test_one_that_something_else_is_nearer_to_is_left_out() -> None:
    cluster = (at(1, 0), at(2, 10), at(3, 40))
    near = at(4, 45)
    assert around(*cluster, near).together(cluster, 0.6) == cluster[:2]
    assert around(*cluster, near).together(cluster, 0.6, gone=[near]) == cluster


def test_one_that_is_left_out_is_outside_from_then_on() -> None:
    """The second is nearer to the third, which the fourth drew out, than to its centre."""
    cluster = (at(1, 0), at(2, 31), at(3, 45))
    assert around(*cluster, at(4, 46)).together(cluster, 0.6) == cluster[:1]


def test_one_below_the_floor_is_left_out() -> None:
    cluster = (at(1, 0), at(2, 10), at(3, 50))
    assert around(*cluster).together(cluster, 0.9) == cluster[:2]


def test_what_was_put_together_counts_by_its_roll_up_alone() -> None:
    cluster, gone = (at(1, 0), at(2, 20)), (at(3, 21), at(4, 22))
    there = around(*cluster, *gone)
    assert there.together(cluster, 0.6) == cluster[:1]
    there.exchange(gone, at(9, 90).embedding)
    assert there.together(cluster, 0.6) == cluster
    there.exchange((), at(8, 1).embedding)
    assert there.together(cluster, 0.6) == cluster[1:]


angles = st.lists(st.tuples(st.floats(-90, 90), st.floats(-90, 90)), min_size=2, max_size=12)


@given(angles, st.integers(1, 6), st.floats(0, 1))
def test_for_each_of_what_is_left_nothing_outside_is_nearer(
    drawn: list[tuple[float, float]], size: int, floor: float
) -> None:
    members = tuple(at(number, *angle) for number, angle in enumerate(drawn))
    left = around(*members).together(members[:size], floor)
    outside = [each for each in members if each not in left]
    for each in left:
        found = float(each.embedding @ centroid(left))
        assert found >= floor - 1e-5
        assert all(found >= float(each.embedding @ other.embedding) - 1e-5 for other in outside)


def test_the_centre_has_the_length_of_one() -> None:
    centre = centroid([at(1, 0), at(2, 60)])
    assert centre == pytest.approx(unit(at(3, 30).embedding), abs=1e-6)
