"""Text that a model streams in many small pieces, passed on in fewer and larger ones."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from agents import Model, ModelResponse
from agents.items import TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai.types.responses import ResponseTextDeltaEvent

# Ten pieces a second look as smooth as forty to who reads, and cost a quarter on their way there.
PIECE_SECONDS = 0.1


class CoalescingModel(Model):
    """Passes on everything of the `inner` model, but text not more often than every PIECE_SECONDS:
    the first piece at once, and what is held back before whatever else comes, the end and an error
    included. No timer lets it go: a model that stalls keeps a tenth of a second's words back."""

    def __init__(self, inner: Model, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._clock = clock

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        return await self._inner.get_response(*given, **named)

    async def stream_response(
        self, *given: Any, **named: Any
    ) -> AsyncIterator[TResponseStreamEvent]:
        pieces = Pieces()
        stream: Any = self._inner.stream_response(*given, **named)
        async with aclosing(stream):
            try:
                async for event in stream:
                    for due in pieces.take(event, self._clock()):
                        yield due
            except Exception:
                for held in pieces.rest():
                    yield held
                raise
        for held in pieces.rest():
            yield held

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self._inner.get_retry_advice(request)

    async def close(self) -> None:
        await self._inner.close()

    async def _cleanup_on_run_end(self, owner: object) -> None:
        await self._inner._cleanup_on_run_end(owner)


class Pieces:
    """The text of one answer that is held back, and when some was passed on last."""

    def __init__(self) -> None:
        self._held: ResponseTextDeltaEvent | None = None
        self._passed_at: float | None = None

    def take(self, event: TResponseStreamEvent, now: float) -> list[TResponseStreamEvent]:
        """What is due with this event, in its order; `now` in seconds."""
        if not isinstance(event, ResponseTextDeltaEvent):
            return [*self.rest(), event]
        due = []
        if self._held is not None and not _goes_on(self._held, event):
            due = self.rest()
        self._held = event if self._held is None else _joined(self._held, event)
        if self._passed_at is None or now - self._passed_at >= PIECE_SECONDS:
            self._passed_at = now
            due += self.rest()
        return due

    def rest(self) -> list[TResponseStreamEvent]:
        """What is held back, which is then held no longer."""
        held, self._held = self._held, None
        return [] if held is None else [held]


def _goes_on(one: ResponseTextDeltaEvent, other: ResponseTextDeltaEvent) -> bool:
    return (one.item_id, one.content_index) == (other.item_id, other.content_index)


def _joined(one: ResponseTextDeltaEvent, other: ResponseTextDeltaEvent) -> ResponseTextDeltaEvent:
    """Counts as the later of both."""
    changed = {"delta": one.delta + other.delta, "logprobs": [*one.logprobs, *other.logprobs]}
    return other.model_copy(update=changed)
