from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.diversity import diversify, similarity_function, tag_overlap

share = st.floats(0, 1)


@dataclass(frozen=True)
class Candidate:
    id: UUID
    value: float = 1.0
    tags: tuple[str, ...] = ()


def candidate(number: int, value: float = 1.0, *tags: str) -> Candidate:
    return Candidate(UUID(int=number), value, tags)


def take(
    ranked: list[Candidate],
    lambda_: float,
    k: int = 100,
    cosines: dict[tuple[UUID, UUID], float] | None = None,
) -> list[int]:
    taken = diversify(
        ranked,
        similarity_function(cosines or {}),
        lambda_,
        k,
        value=lambda each: each.value,
        tags=lambda each: each.tags,
    )
    return [each.id.int for each in taken]


def cosines(*pairs: tuple[int, int, float]) -> dict[tuple[UUID, UUID], float]:
    return {(UUID(int=one), UUID(int=other)): cosine for one, other, cosine in pairs}


tag = st.lists(st.sampled_from("abcde"), max_size=3, unique=True)
pool = st.lists(st.tuples(share, tag), max_size=12).map(
    lambda drawn: [
        candidate(number, value, *tags)
        for number, (value, tags) in enumerate(sorted(drawn, key=lambda pair: -pair[0]))
    ]
)


def test_the_second_of_the_same_comes_after_something_else() -> None:
    ranked = [candidate(1, 0.9), candidate(2, 0.88), candidate(3, 0.5)]
    near = cosines((1, 2, 0.99), (1, 3, 0.1), (2, 3, 0.1))
    assert take(ranked, 0.5, cosines=near) == [1, 3, 2]
    assert take(ranked, 0.9, cosines=near) == [1, 2, 3]
    assert take(ranked, 0.5, k=2, cosines=near) == [1, 3]


def test_the_formula_takes_the_nearest_of_all_that_were_taken() -> None:
    ranked = [candidate(1, 1.0), candidate(2, 0.9), candidate(3, 0.8), candidate(4, 0.7)]
    near = cosines((1, 2, 0.0), (1, 3, 0.9), (2, 3, 0.0), (1, 4, 0.0), (2, 4, 0.7), (3, 4, 0.0))
    # after 1 and 2: 3 has 0.4 - 0.45, 4 has 0.35 - 0.35
    assert take(ranked, 0.5, cosines=near) == [1, 2, 4, 3]


def test_tags_stand_in_where_a_vector_is_missing() -> None:
    ranked = [candidate(1, 0.9, "tea"), candidate(2, 0.88, "tea"), candidate(3, 0.5, "rome")]
    assert take(ranked, 0.5) == [1, 3, 2]


def test_of_equal_ones_the_one_with_fewer_shared_tags() -> None:
    ranked = [candidate(1, 0.9, "tea"), candidate(2, 0.5, "tea"), candidate(3, 0.5, "rome")]
    near = cosines((1, 2, 0.4), (1, 3, 0.4), (2, 3, 0.4))
    assert take(ranked, 0.5, cosines=near) == [1, 3, 2]


def test_opposite_vectors_are_no_better_than_unrelated_ones() -> None:
    ranked = [candidate(1, 0.9), candidate(2, 0.5), candidate(3, 0.49)]
    near = cosines((1, 2, 0.0), (1, 3, -1.0), (2, 3, 0.0))
    assert take(ranked, 0.5, cosines=near) == [1, 2, 3]


@given(pool, st.integers(0, 12))
def test_lambda_one_leaves_the_order(ranked: list[Candidate], k: int) -> None:
    assert take(ranked, 1.0, k) == [each.id.int for each in ranked[:k]]


@given(pool, share, st.integers(0, 12))
def test_each_at_most_once_and_as_many_as_asked(
    ranked: list[Candidate], lambda_: float, k: int
) -> None:
    taken = take(ranked, lambda_, k)
    assert len(taken) == len(set(taken)) == min(k, len(ranked))
    assert taken == take(ranked, lambda_)[:k]


@given(pool, st.floats(0.01, 1))
def test_the_best_comes_first_and_what_is_like_nothing_keeps_its_order(
    ranked: list[Candidate], lambda_: float
) -> None:
    if ranked:
        best = max(each.value for each in ranked)
        assert ranked[take(ranked, lambda_)[0]].value == pytest.approx(best)
    apart = [candidate(each.id.int, each.value) for each in ranked]
    values = [apart[number].value for number in take(apart, lambda_)]
    assert values == pytest.approx(sorted(values, reverse=True))


@given(tag, tag)
def test_overlap_is_jaccard(one: list[str], other: list[str]) -> None:
    assert tag_overlap(one, other) == tag_overlap(other, one)
    assert 0 <= tag_overlap(one, other) <= 1
    assert tag_overlap(one, one) == (1 if one else 0)
    assert tag_overlap(["a", "b"], ["b", "c"]) == pytest.approx(1 / 3)
