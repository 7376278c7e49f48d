"""A recall whose figures are those of the embedding model of now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Generic
from uuid import UUID

from memory.embedders.protocol import Embedder
from memory.recall.failing_closed import Response
from memory.recall.gate import Recalls, Request


class PerModel(Generic[Request, Response]):
    """One recall for each embedding model, made with its calibration when that is first the one of
    now."""

    def __init__(self, embedder: Embedder, make: Callable[[], Recalls[Request, Response]]) -> None:
        self._embedder = embedder
        self._make = make
        self._made = {embedder.model: make()}

    async def recall(
        self,
        request: Request,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> Response:
        return await self._of_now().recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )

    async def is_off(self, request: Request) -> bool:
        return await self._of_now().is_off(request)

    def refuse(self, request: Request, *, correlation_id: UUID | None = None) -> Response:
        return self._of_now().refuse(request, correlation_id=correlation_id)

    def _of_now(self) -> Recalls[Request, Response]:
        model = self._embedder.model
        if model not in self._made:
            self._made[model] = self._make()
        return self._made[model]
