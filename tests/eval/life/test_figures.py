from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from eval.datasets.life import matches_group, missing_groups, violated_groups
from eval.datasets.life_scores import wilson_interval


def test_the_interval_is_that_of_the_textbook() -> None:
    """Newcombe 1998, table I: 81 of 263, and 0 of 20."""
    low, high = wilson_interval(81, 263) or (0, 0)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    low, high = wilson_interval(0, 20) or (1, 1)
    assert (low, round(high, 4)) == (0.0, 0.1611)
    assert wilson_interval(0, 0) is None


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_interval_holds_the_share_and_mirrors_it(count: tuple[int, int]) -> None:
    hits, of = count
    low, high = wilson_interval(hits, of) or (1, 0)
    assert 0 <= low <= hits / of + 1e-12
    assert hits / of - 1e-12 <= high <= 1
    mirrored = wilson_interval(of - hits, of) or (1, 0)
    assert isclose(low, 1 - mirrored[1], abs_tol=1e-9)


def test_the_words_of_a_group_stand_together_in_one_memory() -> None:
    memories = ["My sister Maeve is in Galway", "Sinead is a midwife"]
    assert matches_group(memories[0], ("maeve", "galway"))
    assert missing_groups((("maeve", "midwife"), ("sinead",)), memories) == (("maeve", "midwife"),)
    assert violated_groups((("maeve", "midwife"), ("sinead",)), memories) == [
        (("sinead",), memories[1])
    ]
