from __future__ import annotations

from datetime import datetime
from uuid import UUID

import pytest

from memory.cache import NullCache, RateLimiter
from memory.metrics import MemoryMetrics
from memory.retrieval.service import MeteredRecall, RecallGate, RecallOutcome
from memory.types import MemoryQueryRequest, MemoryQueryResponse
from tests.memory.recall.test_gate import Scripted


class Answers(Scripted):
    def __init__(self, response: MemoryQueryResponse) -> None:
        super().__init__()
        self._response = response

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        return self._response


async def recalled(counters: MemoryMetrics, recalls: Scripted) -> MemoryQueryResponse:
    limiter = RateLimiter(NullCache(), 0)
    gate = RecallGate(recalls, "write", limiter, MemoryQueryResponse)
    request = MemoryQueryRequest(user_id="ada", query="tea")
    return await MeteredRecall(gate, "memories", counters).recall(
        request, correlation_id=None, now=None, token_budget=None
    )


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        (MemoryQueryResponse(token_count=7), "nothing"),
        (MemoryQueryResponse(degraded=("vector",)), "degraded"),
        (MemoryQueryResponse(error=True, degraded=("keyword", "vector")), "failed"),
    ],
)
async def test_a_recall_is_counted_by_what_came_of_it(
    response: MemoryQueryResponse, outcome: RecallOutcome
) -> None:
    counters = MemoryMetrics()
    assert await recalled(counters, Answers(response)) is response
    read = counters.registry.get_sample_value
    labels = {"kind": "memories", "outcome": outcome}
    assert read("keepsake_recalls_total", labels) == 1
    assert read("keepsake_recall_seconds_count", {"kind": "memories"}) == 1
    assert read("keepsake_recalled_tokens_total", {"kind": "memories"}) == response.token_count


async def test_what_was_held_back_is_no_recall_that_was_quick() -> None:
    counters = MemoryMetrics()
    await recalled(counters, Scripted(off=True))
    read = counters.registry.get_sample_value
    assert read("keepsake_recalls_total", {"kind": "memories", "outcome": "off"}) == 1
    assert not read("keepsake_recall_seconds_count", {"kind": "memories"})
