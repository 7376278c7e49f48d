from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.store.incognito_conversations import largest_owner


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_nobody_has_more(owners: list[str]) -> None:
    assert owners.count(largest_owner(owners)) == max(map(owners.count, owners))


def test_of_several_the_one_who_is_named_first() -> None:
    assert largest_owner(["b", "a", "a", "b", "c"]) == "b"
