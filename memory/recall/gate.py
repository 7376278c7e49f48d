"""What stands before a recall: whether memory may be read, and the rate limit."""

from __future__ import annotations

from datetime import datetime
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from memory.cache.rate_limit import RateLimiter
from memory.database import Access
from memory.recall.failing_closed import Asked, Response

Request = TypeVar("Request", bound=Asked)
Request_contra = TypeVar("Request_contra", bound=Asked, contravariant=True)
Response_co = TypeVar("Response_co", covariant=True)


class Recalls(Protocol[Request_contra, Response_co]):
    """`memory.recall.retriever.Retriever` is one for memories."""

    async def recall(
        self,
        request: Request_contra,
        *,
        correlation_id: UUID | None = None,
        now: datetime | None = None,
        token_budget: int | None = None,
    ) -> Response_co: ...

    async def is_off(self, request: Request_contra) -> bool: ...

    def refuse(
        self, request: Request_contra, *, correlation_id: UUID | None = None
    ) -> Response_co: ...


class Gate(Generic[Request, Response]):
    """Where memory is off, or where an incognito conversation may not read it, nothing of the
    question is looked at."""

    def __init__(
        self,
        recalls: Recalls[Request, Response],
        access: Access,
        rate_limiter: RateLimiter,
        response: type[Response],
    ) -> None:
        self._recalls = recalls
        self._access = access
        self._rate_limiter = rate_limiter
        self._response = response

    async def recall(
        self,
        request: Request,
        *,
        correlation_id: UUID | None,
        now: datetime | None,
        token_budget: int | None,
    ) -> Response:
        """Empty and flagged above the rate limit and where memory is off."""
        if self._access == "none" or await self._recalls.is_off(request):
            return self._response(off=True)
        if not await self._rate_limiter.allow(request.user_id):
            return self._recalls.refuse(request, correlation_id=correlation_id)
        return await self._recalls.recall(
            request, correlation_id=correlation_id, now=now, token_budget=token_budget
        )
