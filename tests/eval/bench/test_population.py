from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eval.bench.recall import LARGE, SMALL, SMALL_ITEMS, TABLE_ROWS, bench_users
from eval.bench.workload import Sentences


@given(st.integers(100, 100_000))
def test_the_table_is_full_and_the_two_have_their_rows(large_items: int) -> None:
    everyone = dict(bench_users(large_items))
    assert everyone[LARGE] == large_items
    assert everyone[SMALL] == SMALL_ITEMS
    assert sum(everyone.values()) == max(TABLE_ROWS, large_items + SMALL_ITEMS)
    assert min(everyone.values()) > 0


def test_the_same_seed_says_the_same() -> None:
    assert Sentences(1).memories(20) == Sentences(1).memories(20)
    assert Sentences(1).memories(20) != Sentences(2).memories(20)
    assert len(set(Sentences(3).questions(200))) == 200
    assert "{" not in "".join(Sentences(4).memories(500) + Sentences(4).questions(200))


def test_few_words_are_common_and_most_are_rare() -> None:
    people = [text for text in Sentences(5).memories(4_000) if "My " in text]
    named = sum("Anna" in text for text in people) / len(people)
    rare = sum("Jasper" in text for text in people) / len(people)
    assert named > 5 * rare
