from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.fairness import with_the_most


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_nobody_has_more(owners: list[str]) -> None:
    assert owners.count(with_the_most(owners)) == max(map(owners.count, owners))


def test_of_several_the_one_who_is_named_first() -> None:
    assert with_the_most(["b", "a", "a", "b", "c"]) == "b"
