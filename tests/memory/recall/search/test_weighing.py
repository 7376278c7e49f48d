from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.relevance import collect_evidence
from memory.store.search import KeywordHit, SearchCandidate, VectorHit

WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def row(number: int, cosine: float | None, content: str = "I prefer uv") -> SearchCandidate:
    return SearchCandidate(UUID(int=number), content, "fact", 0.5, WHEN, None, cosine)


def found(keyword: list[KeywordHit] | None) -> SearchResults:
    return SearchResults(keyword, [VectorHit(UUID(int=1), 0.5)], None, 0.0)


def test_each_candidate_gets_what_its_own_legs_say() -> None:
    hits = [KeywordHit(UUID(int=2), 0.4, 0.9), KeywordHit(UUID(int=1), 0.1, 1.0)]
    rows = [row(1, 0.5), row(2, 0.2), row(3, 0.8)]
    weighed = collect_evidence("What is my editor?", found(hits), rows)
    assert [each for each, _ in weighed] == rows
    why = [evidence for _, evidence in weighed]
    assert [(each.cosine, each.bm25, each.coverage) for each in why] == [
        (0.5, 0.1, 1.0),
        (0.2, 0.4, 0.9),
        (0.8, 0.0, 0.0),
    ]
    assert {(each.best_cosine, each.best_bm25, each.best_coverage) for each in why} == {
        (0.8, 0.4, 1.0)
    }
    assert all(each.personal and each.pool == 3 for each in why)


def test_a_leg_that_did_not_answer_is_told_from_one_that_found_nothing() -> None:
    [(_, silent)] = collect_evidence("editor", found(None), [row(1, 0.5)])
    [(_, empty)] = collect_evidence("editor", found([]), [row(1, 0.5)])
    assert (silent.bm25, silent.best_bm25, silent.coverage, silent.best_coverage) == (None,) * 4
    assert (empty.bm25, empty.best_bm25, empty.coverage, empty.best_coverage) == (0.0,) * 4


def test_a_memory_without_a_vector_has_no_cosine() -> None:
    weighed = collect_evidence("editor", found([]), [row(1, None), row(2, 0.3)])
    assert [evidence.cosine for _, evidence in weighed] == [None, 0.3]
    assert [evidence.best_cosine for _, evidence in weighed] == [0.3, 0.3]


@pytest.mark.parametrize(
    ("query", "content", "missing"),
    [
        ("When is the party?", "The party is in May", False),
        ("When is the party?", "Nobody planned the party", True),
        ("Who plans the party?", "Nobody planned the party", False),
    ],
)
def test_a_number_that_is_asked_for_and_not_there(query: str, content: str, missing: bool) -> None:
    [(_, why)] = collect_evidence(query, found([]), [row(1, 0.5, content)])
    assert why.number_missing is missing


@given(st.lists(st.none() | st.floats(-1, 1), max_size=8), st.data())
def test_the_best_of_the_pool_is_nobodys_less(
    cosines: list[float | None], data: st.DataObject
) -> None:
    rows = [row(number, cosine) for number, cosine in enumerate(cosines)]
    shares = st.floats(0, 1)
    hits = [
        KeywordHit(each.id, data.draw(shares), data.draw(shares))
        for each in rows
        if data.draw(st.booleans())
    ]
    for _, why in collect_evidence("uv", found(hits), rows):
        assert why.cosine is None or why.cosine <= (why.best_cosine or 0.0) or why.cosine <= 0.0
        assert (why.bm25 or 0.0) <= (why.best_bm25 or 0.0)
        assert (why.coverage or 0.0) <= (why.best_coverage or 0.0)


def test_no_candidates() -> None:
    assert collect_evidence("uv", found([]), []) == []
