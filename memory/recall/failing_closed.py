"""A recall fails closed: empty and flagged, never an exception, and with one log line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

import structlog

from memory.recall.question import as_logged
from memory.recall.search.legs import Found
from memory.recall.shown.budget import Fitted
from memory.recalls import LeftOut, QueryResponse

Fingerprint = Callable[[str], str | None]
Response = TypeVar("Response", bound=QueryResponse[Any])
_log = structlog.get_logger(__name__)


class Asked(Protocol):
    """What every request of a recall has."""

    @property
    def user_id(self) -> str: ...

    @property
    def query(self) -> str: ...


class FailingClosed(Generic[Response]):
    """Around a recall that answers with `response` and is logged as `event`.

    `fingerprint` makes of a question what the log may hold of it. `timeout` is of a search, in
    seconds.
    """

    def __init__(
        self,
        event: str,
        response: type[Response],
        fingerprint: Fingerprint,
        timeout: float,
    ) -> None:
        self._event = event
        self._response = response
        self._fingerprint = fingerprint
        self._timeout = timeout

    async def run(
        self, request: Asked, answering: Awaitable[Response], correlation_id: UUID | None
    ) -> Response:
        """The answer, or what says that there is none."""
        began = time.perf_counter()
        try:
            response = await answering
        except Exception as error:  # whatever went wrong in it
            _log.error(f"{self._event}_failed", reason=type(error).__name__)
            response = self._response(error=True, degraded=("keyword", "vector"))
        self._report(request, response, correlation_id, time.perf_counter() - began)
        return response

    async def is_off(self, reading: Awaitable[bool]) -> bool:
        """Whether memory is off, so that nothing of the question is embedded, cached or logged.
        False where the database does not answer: the recall itself then says so."""
        try:
            async with asyncio.timeout(self._timeout):
                return await reading
        except Exception as error:
            _log.warning("mode_not_read", reason=type(error).__name__)
            return False

    def refuse(self, request: Asked, correlation_id: UUID | None) -> Response:
        """The empty answer to a user who asks more often than the limit, logged like any other."""
        response = self._response(rate_limited=True)
        self._report(request, response, correlation_id, 0.0)
        return response

    def empty(self) -> Response:
        """The answer to a question without words."""
        return self._response()

    def unanswered(self, found: Found) -> Response:
        """Where neither leg did."""
        return self._response(error=True, degraded=found.failed)

    def answer(
        self,
        fitted: Fitted[Any],
        found: Found,
        *,
        total: int,
        began: float,
        left_out: tuple[LeftOut, ...],
    ) -> Response:
        """What fits of `total`, with its figures; `began` is by the performance counter."""
        elapsed = time.perf_counter() - began
        return self._response(
            items=list(fitted.items),
            total_count=total,
            query_embedding_ms=round(found.embedding_seconds * 1000),
            retrieval_ms=round(max(elapsed - found.embedding_seconds, 0.0) * 1000),
            token_count=fitted.token_count,
            truncated=fitted.truncated,
            degraded=found.failed,
            left_out=left_out,
        )

    def _report(
        self,
        request: Asked,
        response: Response,
        correlation_id: UUID | None,
        seconds: float,
    ) -> None:
        _log.info(
            self._event,
            user_id=request.user_id,
            correlation_id=str(correlation_id) if correlation_id else None,
            query_hash=self._fingerprint(as_logged(request.query)),
            result_count=len(response.items),
            total_count=response.total_count,
            latency_ms=round(seconds * 1000, 1),
            embedding_ms=response.query_embedding_ms,
            token_count=response.token_count,
            truncated=response.truncated,
            degraded=response.degraded,
            error=response.error,
            rate_limited=response.rate_limited,
        )
