"""The memory as the rest of Keepsake sees it: one façade over recall, write, store and upkeep."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.cache.rate_limit import RateLimiter
from memory.models import KeptItem, MemoryQueryRequest, MemoryQueryResponse, NewItem
from memory.recall.retriever import Retriever
from memory.store.conversations import Conversations
from memory.store.items import Items
from memory.upkeep.backfill import Backfill
from memory.write.remember import Remember


class Memory:
    """Every method names its user; nothing crosses from one to another."""

    def __init__(
        self,
        *,
        conversations: Conversations,
        items: Items,
        retriever: Retriever,
        remember: Remember,
        backfill: Backfill,
        rate_limiter: RateLimiter,
    ) -> None:
        self.conversations = conversations
        self._items = items
        self._retriever = retriever
        self._remember = remember
        self._backfill = backfill
        self._rate_limiter = rate_limiter

    async def recall(
        self,
        request: MemoryQueryRequest,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> MemoryQueryResponse:
        """What the user's memory holds for a query; empty and flagged above the rate limit."""
        if not await self._rate_limiter.allow(request.user_id):
            return self._retriever.refuse(request, correlation_id=correlation_id)
        return await self._retriever.recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )

    async def remember(self, user_id: str, item: NewItem) -> KeptItem:
        """Keeps one memory; raises where it cannot be kept."""
        return await self._remember.keep(user_id, item)

    async def remember_all(self, user_id: str, items: Sequence[NewItem]) -> list[KeptItem]:
        """Keeps all of the memories or none."""
        return await self._remember.keep_all(user_id, items)

    async def list_recent(self, user_id: str, limit: int = 50) -> list[KeptItem]:
        """What is remembered, the newest first."""
        return await self._items.list_recent(user_id, limit)

    async def embed_waiting(self, user_id: str | None) -> int:
        """Fills missing vectors; see `Backfill.run`."""
        return await self._backfill.run(user_id)
