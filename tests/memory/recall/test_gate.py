from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.cache import NullCache, RateLimiter
from memory.retrieval.service import RecallGate
from memory.store.database import Access
from memory.types import MemoryQueryRequest, MemoryQueryResponse

ASKED = MemoryQueryRequest(user_id="ada", query="tea")


@dataclass
class Scripted:
    """A recall that notes what was asked of it."""

    off: bool = False
    calls: list[str] = field(default_factory=list)

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        self.calls.append("recall")
        return MemoryQueryResponse(total_count=7)

    async def is_off(self, request: MemoryQueryRequest) -> bool:
        self.calls.append("is_off")
        return self.off

    def refuse(
        self, request: MemoryQueryRequest, *, correlation_id: UUID | None = None
    ) -> MemoryQueryResponse:
        self.calls.append("refuse")
        return MemoryQueryResponse(rate_limited=True)


class Spent(RateLimiter):
    """Of a user who has asked too often."""

    def __init__(self) -> None:
        super().__init__(NullCache(), 1)

    async def allow(self, user_id: str) -> bool:
        return False


async def through(
    recalls: Scripted, access: Access = "write", limiter: RateLimiter | None = None
) -> MemoryQueryResponse:
    gate = RecallGate(recalls, access, limiter or RateLimiter(NullCache(), 0), MemoryQueryResponse)
    return await gate.recall(ASKED, correlation_id=None, now=None, token_budget=None)


async def test_what_may_be_asked_is_answered() -> None:
    recalls = Scripted()
    assert (await through(recalls)).total_count == 7
    assert recalls.calls == ["is_off", "recall"]


async def test_where_memory_is_off_nothing_is_recalled() -> None:
    recalls = Scripted(off=True)
    assert await through(recalls) == MemoryQueryResponse(off=True)
    assert recalls.calls == ["is_off"]


async def test_where_nothing_may_be_read_not_even_the_mode_is() -> None:
    recalls = Scripted()
    assert await through(recalls, "none") == MemoryQueryResponse(off=True)
    assert recalls.calls == []


async def test_above_the_limit_the_recall_is_refused() -> None:
    recalls = Scripted()
    assert (await through(recalls, limiter=Spent())).rate_limited
    assert recalls.calls == ["is_off", "refuse"]
