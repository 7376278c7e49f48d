"""What speaks for each candidate, from both legs and from the words of the question. Pure."""

from __future__ import annotations

from typing import TypedDict
from uuid import UUID

from memory.recall.names import Naming, compare_names
from memory.recall.question import asks_for_number, holds_number, is_personal
from memory.recall.search.legs import Found
from memory.recall.search.relevance import Evidence
from memory.store.memories.search import CandidateRow, KeywordHit

Weighed = tuple[CandidateRow, Evidence]
# Candidates come by fused rank: those far down hardly ever pass the cut, and to read
# the names in one takes some hundredths of a millisecond.
NAMES_READ = 40
_NOT_FOUND = KeywordHit(UUID(int=0), 0.0, 0.0)


class _Shared(TypedDict):
    best_cosine: float | None
    best_bm25: float | None
    best_coverage: float | None
    personal: bool
    words: int


def weigh(query: str, found: Found, rows: list[CandidateRow]) -> list[Weighed]:
    """The candidates in their order, each with its evidence.

    A memory without a vector can only have been found by its words, so its pool is what the
    keyword leg found: a calibration of that leg alone has seen no other.
    """
    answered = found.keyword is not None
    by_id = {hit.id: hit for hit in found.keyword or ()}
    hits = [by_id.get(row.id, _NOT_FOUND) for row in rows]
    shared = _shared(query, answered, rows, hits)
    wants_number = asks_for_number(query)
    found_by_words = sum(row.id in by_id for row in rows)
    named = compare_names(query, [row.content for row in rows[:NAMES_READ]])
    namings = [*named, *([Naming()] * (len(rows) - len(named)))]
    return [
        (
            row,
            Evidence(
                cosine=row.cosine,
                bm25=hit.bm25 if answered else None,
                coverage=hit.coverage if answered else None,
                nameless_cosine=row.nameless_cosine,
                number_missing=wants_number and not holds_number(row.content),
                pool=found_by_words if row.cosine is None else len(rows),
                stranger=naming.stranger,
                **shared,
            ),
        )
        for row, hit, naming in zip(rows, hits, namings, strict=True)
    ]


def _shared(
    query: str, answered: bool, rows: list[CandidateRow], hits: list[KeywordHit]
) -> _Shared:
    return _Shared(
        best_cosine=max((row.cosine for row in rows if row.cosine is not None), default=None),
        best_bm25=max((hit.bm25 for hit in hits), default=0.0) if answered else None,
        best_coverage=max((hit.coverage for hit in hits), default=0.0) if answered else None,
        personal=is_personal(query),
        words=len(query.split()),
    )
