"""A model's second opinion on what a recall found, where one is asked for (003, phase 5)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import structlog

from memory.metrics import MemoryMetrics

SKIP_ABOVE = 0.93
MOST_SENT = 20
TIMEOUT = 10.0
_log = structlog.get_logger(__name__)


class Reranker(Protocol):
    async def rerank(
        self, query: str, candidates: Sequence[tuple[str, str]]
    ) -> Mapping[str, float]:
        """How much each candidate (id, content) helps with the query, from 0 to 1, by its id; one
        that is not named keeps what it had. May raise anything."""
        ...


class RatedCandidate(NamedTuple):
    """A candidate with the probability that it helps; `kept` where the recall would return it."""

    id: str
    content: str
    probability: float
    kept: bool = True


class Reranking:
    """Asks the reranker about the best `most` candidates, unless all that would be returned are
    sure already: each at least `skip_above`. Without a reranker nothing is asked, counted or
    changed.

    `timeout` is in seconds. A reranker that fails, gives no answer in time or one that makes no
    sense costs its opinion and never the recall.
    """

    def __init__(
        self,
        reranker: Reranker | None,
        counters: MemoryMetrics,
        *,
        skip_above: float = SKIP_ABOVE,
        most: int = MOST_SENT,
        timeout: float = TIMEOUT,
    ) -> None:
        self._reranker = reranker
        self._counters = counters
        self._skip_above = skip_above
        self._most = most
        self._timeout = timeout

    async def rate(self, query: str, candidates: Sequence[RatedCandidate]) -> dict[str, float]:
        """The probability of every candidate, by its id: the reranker's where it gave one."""
        before = {each.id: each.probability for each in candidates}
        if self._reranker is None or self._is_spared(candidates):
            return before
        best = sorted(candidates, key=lambda each: -each.probability)[: self._most]
        return before | await self._ask(self._reranker, query, best)

    def _is_spared(self, candidates: Sequence[RatedCandidate]) -> bool:
        if not candidates:
            self._counters.rerank_calls_saved.labels("nothing").inc()
            return True
        kept = [each.probability for each in candidates if each.kept]
        if kept and min(kept) >= self._skip_above:
            self._counters.rerank_calls_saved.labels("sure").inc()
            return True
        return False

    async def _ask(
        self, reranker: Reranker, query: str, best: Sequence[RatedCandidate]
    ) -> dict[str, float]:
        """What the reranker says of those that it was given; nothing where it failed."""
        self._counters.rerank_calls.inc()
        try:
            async with asyncio.timeout(self._timeout):
                said = await reranker.rerank(query, [(each.id, each.content) for each in best])
        except Exception as error:  # a second opinion is never worth a failed recall
            return self._failed(type(error).__name__)
        if not all(_is_probability(value) for value in said.values()):
            return self._failed("not a probability")  # then the others cannot be trusted either
        asked = {each.id for each in best}
        return {name: float(value) for name, value in said.items() if name in asked}

    def _failed(self, reason: str) -> dict[str, float]:
        self._counters.rerank_failures.inc()
        _log.warning("not_reranked", reason=reason)
        return {}


def _is_probability(value: float) -> bool:
    return math.isfinite(value) and 0.0 <= value <= 1.0
