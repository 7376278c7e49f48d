"""The choice among candidates with what it needs from outside: how alike they are, and a model's
second opinion where one is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import structlog

from memory.recall.choice.candidate import Candidate, Chosen, Policy
from memory.recall.choice.choosing import choose, judge
from memory.recall.choice.ranking import Ranking
from memory.recall.choice.reranking import Rated, Reranking
from memory.recall.choice.screening import find_order
from memory.recall.search.relevance import Calibration
from memory.recall.search.searching import Pool
from memory.recalls import MemoryQueryRequest
from memory.store.memories.likeness import Likeness
from memory.store.memories.search import CandidateRow

# The probability below which a second opinion on a candidate is not worth its tokens.
WORTH_ASKING = 0.02
LIKENESS_TIMEOUT = 1.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Choice:
    """How candidates are ranked: the weights, `diversity` (1 - λ of MMR), and what is optional."""

    ranking: Ranking = field(default_factory=Ranking)
    diversity: float = 0.0
    likeness: Likeness | None = None
    reranking: Reranking | None = None


PLAIN = Choice()


class Selection:
    def __init__(self, calibration: Calibration, choice: Choice = PLAIN) -> None:
        self._calibration = calibration
        self._choice = choice

    async def select(
        self, request: MemoryQueryRequest, query: str, pool: Pool, now: datetime
    ) -> Chosen:
        """What is returned of the pool and what is left out."""
        choice = self._choice
        policy = Policy(
            min_score=request.min_score, ranking=choice.ranking, diversity=choice.diversity
        )
        judged = await asyncio.to_thread(
            judge,
            [pair for pair in pool.weighed if _is_readable(pair[0])],
            policy,
            self._calibration,
            now=now,
            timing=pool.timing,
            whole_topic=pool.whole_topic,
        )
        if choice.reranking is not None:
            judged = await self._rerank(choice.reranking, query, judged, policy, now)
        for each in judged:
            if each.cut == "order":
                _log.warning("memory_kept_out", item_id=str(each.id), reason="order")
        return choose(judged, policy, await self._cosines(request.user_id, judged))

    async def _rerank(
        self,
        reranking: Reranking,
        query: str,
        judged: Sequence[Candidate],
        policy: Policy,
        now: datetime,
    ) -> list[Candidate]:
        """The candidates with the probabilities that a model gives them, those below the cut too:
        most right answers that a small embedding model misses lie just there."""
        asked = [
            Rated(str(each.id), each.row.content, each.relevance, kept=each.cut is None)
            for each in judged
            if each.cut in {None, "score"}
            and each.relevance >= WORTH_ASKING
            and find_order(each.row.content) is None
        ]
        said = await reranking.rate(query, asked)
        return [
            each.rated(said[str(each.id)], policy, now) if str(each.id) in said else each
            for each in judged
        ]

    async def _cosines(
        self, user_id: str, judged: Sequence[Candidate]
    ) -> dict[tuple[UUID, UUID], float]:
        if self._choice.likeness is None or self._choice.diversity <= 0:
            return {}
        kept = [each.id for each in judged if each.cut is None]
        try:
            async with asyncio.timeout(LIKENESS_TIMEOUT):
                return await self._choice.likeness.between(user_id, kept)
        except Exception as error:  # tags stand in for it
            _log.warning("likeness_not_read", reason=type(error).__name__)
            return {}


def _is_readable(row: CandidateRow) -> bool:
    if not row.content.strip():
        _log.error("memory_skipped", item_id=str(row.id), reason="malformed")
        return False
    return True
