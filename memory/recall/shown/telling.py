"""A recall's result as it is told: the memories with their reasons, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from memory.recall.choice.candidate import Candidate
from memory.recall.choice.screening import find_order
from memory.recalls import LeftOut, MemoryItem, Why

MOST_LEFT_OUT = 20
_DIGITS = 4
Ranks = Mapping[UUID, tuple[int | None, int | None]]


def recalled(candidate: Candidate, ranks: Ranks) -> MemoryItem:
    row = candidate.row
    return MemoryItem(
        id=str(row.id),
        content=row.content,
        type=row.type,
        relevance_score=candidate.relevance,
        source=None if row.source_message_id is None else f"message:{row.source_message_id}",
        created_at=row.created_at,
        importance=row.importance,
        bank=row.bank,
        tags=tuple(row.tags),
        source_ids=tuple(row.source_ids),
        occurred_at=row.occurred_at,
        superseded=row.superseded,
        why=_why(candidate, ranks),
    )


def left_out(candidates: Sequence[Candidate]) -> tuple[LeftOut, ...]:
    """The most relevant of them, at most `MOST_LEFT_OUT`; whatever left one out, never the words of
    one that gives orders, which are kept from whoever reads this as well."""
    told = [each for each in candidates if each.cut is not None]
    told.sort(key=lambda each: -each.relevance)
    return tuple(
        LeftOut(
            id=str(each.id),
            content="" if find_order(each.row.content) else each.row.content,
            relevance=each.relevance,
            why=each.cut or "score",
        )
        for each in told[:MOST_LEFT_OUT]
    )


def _why(candidate: Candidate, ranks: Ranks) -> Why:
    keyword_rank, vector_rank = ranks.get(candidate.id, (None, None))
    evidence = candidate.evidence
    return Why(
        scores=candidate.scores,
        keyword_rank=keyword_rank,
        vector_rank=vector_rank,
        cosine=_rounded(evidence.cosine),
        bm25=_rounded(evidence.bm25),
        coverage=_rounded(evidence.coverage),
        notes=candidate.notes,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
