"""The model and its reading of messages behind their error guards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import openai
from agents import Model, ModelResponse
from agents.items import TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest

from agent.models.offline_model import OfflineModel
from memory.errors import LeftAlone
from memory.guard import Guard
from memory.understanding import Message, Reading, SecondReader

# What says that the server is away or overburdened. Whatever else goes wrong is about the one
# request, and must not take the model from everybody else.
SERVER_TROUBLE = (
    openai.APIConnectionError,
    openai.InternalServerError,
    openai.RateLimitError,
    asyncio.TimeoutError,
    OSError,
)


class GuardedModel(Model):
    """Raises LeftAlone where the `inner` model keeps failing, without asking it."""

    def __init__(self, inner: Model, guard: Guard) -> None:
        self.inner = inner
        self._guard = guard

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        async with self._guard.watch(is_server_trouble):
            return await self.inner.get_response(*given, **named)

    async def stream_response(
        self, *given: Any, **named: Any
    ) -> AsyncIterator[TResponseStreamEvent]:
        async with self._guard.watch(is_server_trouble) as call:
            stream: Any = self.inner.stream_response(*given, **named)
            async with aclosing(stream):
                async for event in stream:
                    call.heard()
                    yield event

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self.inner.get_retry_advice(request)

    async def close(self) -> None:
        await self.inner.close()

    async def _cleanup_on_run_end(self, owner: object) -> None:
        await self.inner._cleanup_on_run_end(owner)


class GuardedReader:
    """Raises LeftAlone where readings keep failing; the offline reading stands then."""

    def __init__(self, inner: SecondReader, guard: Guard) -> None:
        self._inner = inner
        self._guard = guard

    async def read_again(self, message: Message, first: Reading) -> Reading:
        async with self._guard.watch(is_own_trouble):
            return await self._inner.read_again(message, first)


def is_server_trouble(error: Exception) -> bool:
    return isinstance(error, SERVER_TROUBLE)


def is_own_trouble(error: Exception) -> bool:
    """That the model is left alone is no failure of the reading."""
    return not isinstance(error, LeftAlone)


def guard_model(model: Model, guard: Guard | None) -> Model:
    """The offline model calls nobody, and stays as it is."""
    if guard is None or isinstance(model, OfflineModel):
        return model
    return GuardedModel(model, guard)


def guard_reader(reader: SecondReader | None, guard: Guard | None) -> SecondReader | None:
    """None where no model reads anyway."""
    if guard is None or reader is None:
        return reader
    return GuardedReader(reader, guard)
