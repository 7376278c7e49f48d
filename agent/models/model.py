"""Which model answers: OpenAI's or a compatible server's, or the offline one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from agents import (
    Model,
    ModelRetrySettings,
    ModelSettings,
    set_tracing_disabled,
    set_tracing_export_api_key,
)
from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
from agents.models.openai_responses import OpenAIResponsesModel

from agent.models.coalescing import Coalescing
from agent.models.connection import ModelClient
from agent.models.cut_off import refuse_cut_off
from agent.models.offline_model import OfflineModel
from agent.models.retrying import retry_soon
from agent.models.verbatim_client import VerbatimClient
from memory.settings import OPENAI_URL, Settings

MAX_RETRIES = 2
CONNECT_TIMEOUT = 10.0
NO_KEY = "none"


class _ResponsesModel(OpenAIResponsesModel):
    """Has a client of its own, whose connections are given back when it is closed."""

    async def close(self) -> None:
        await self._client.close()


class _ChatModel(OpenAIChatCompletionsModel):
    """The same for the other interface."""

    async def close(self) -> None:
        await self._client.close()


def choose_model(settings: Settings, transport: httpx2.AsyncBaseTransport | None = None) -> Model:
    """The model that the settings name; the offline one where there is neither key nor base URL.
    Whoever gets it closes it.

    `transport` stands in for the network. Traces leave the machine only when
    OPENAI_TRACING asks for it.
    """
    set_tracing_disabled(not settings.openai_tracing)
    if not settings.has_model:
        return OfflineModel()
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else NO_KEY
    if settings.openai_tracing:
        set_tracing_export_api_key(key)
    client = VerbatimClient(
        api_key=key,
        base_url=settings.openai_base_url or OPENAI_URL,
        max_retries=0,  # the runner retries; see `model_settings`
        http_client=ModelClient(
            transport=transport,
            follow_redirects=False,
            event_hooks={"response": [refuse_cut_off, Coalescing()]},
            timeout=httpx2.Timeout(settings.openai_timeout_seconds, connect=CONNECT_TIMEOUT),
        ),
    )
    if settings.openai_api == "responses":
        return _ResponsesModel(settings.openai_model, client)
    return _ChatModel(settings.openai_model, client)


@asynccontextmanager
async def opened_model(settings: Settings) -> AsyncIterator[Model]:
    """The model that the settings name, closed in the end."""
    model = choose_model(settings)
    try:
        yield model
    finally:
        await model.close()


def model_settings(settings: Settings) -> ModelSettings:
    """Timeouts and retries of model calls; a stream that has begun is not repeated."""
    return ModelSettings(
        timeout=settings.openai_timeout_seconds,
        retry=ModelRetrySettings(
            max_retries=MAX_RETRIES,
            backoff={"initial_delay": 0.5, "max_delay": 8.0, "multiplier": 2.0, "jitter": True},
            policy=retry_soon(),
        ),
    )
