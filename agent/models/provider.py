"""Which model answers, the client that reaches its server, and which failed calls are made
again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

import httpx2
from agents import (
    Model,
    ModelRetrySettings,
    ModelSettings,
    RetryPolicy,
    RetryPolicyContext,
    retry_policies,
    set_tracing_disabled,
    set_tracing_export_api_key,
)
from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
from agents.models.openai_responses import OpenAIResponsesModel
from openai import AsyncOpenAI, AsyncStream, DefaultAioHttpClient, NotGiven, Omit
from openai.resources.chat import AsyncChat, AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent

from agent.models.offline import OfflineModel
from agent.models.streams import TextCoalescer, refuse_cut_off
from memory.config import OPENAI_URL, Settings


class ModelHttpClient(DefaultAioHttpClient):
    """Reads a stream by aiohttp, for less of the processor's time (docs/decisions/0020).

    Its transport calls a server that is not there, or hangs up, a slow one. The person is told what
    to do about it, so the two are kept apart here.
    """

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            return await super().send(request, **options)
        except httpx2.ConnectTimeout as error:
            cause = error.__cause__
            if cause is None or isinstance(cause, TimeoutError):
                raise
            raise httpx2.ConnectError(str(error), request=request) from cause


# What `create` takes beside the request's own fields, None for nothing, by the names that `post`
# has for them.
_OPTIONS = {
    "extra_headers": "headers",
    "extra_query": "params",
    "extra_body": "extra_json",
}


class VerbatimClient(AsyncOpenAI):
    """Sends what the SDK wrote as it is, for the two interfaces that the SDK talks through; the
    others are OpenAI's own. `create` takes what theirs takes, and leaves it to the server to refuse
    what it does not know."""

    @cached_property
    def chat(self) -> AsyncChat:
        return _Chat(self)

    @cached_property
    def responses(self) -> AsyncResponses:
        return _Responses(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(self, **asked: Any) -> Any:
        return await self._client.post(
            "/chat/completions",
            cast_to=ChatCompletion,
            stream_cls=AsyncStream[ChatCompletionChunk],
            **_as_posted(asked),
        )


class _Responses(AsyncResponses):
    async def create(self, **asked: Any) -> Any:
        return await self._client.post(
            "/responses",
            cast_to=Response,
            stream_cls=AsyncStream[ResponseStreamEvent],
            **_as_posted(asked),
        )


def _as_posted(asked: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in asked.items() if not isinstance(value, NotGiven | Omit)}
    options: dict[str, Any] = {"security": {"bearer_auth": True}}
    if "timeout" in given:
        options["timeout"] = given.pop("timeout")
    for name, posted in _OPTIONS.items():
        if (value := given.pop(name, None)) is not None:
            options[posted] = value
    return {"body": given, "stream": bool(given.get("stream")), "options": options}


RETRIED_STATUSES = (408, 409, 429, 500, 502, 503, 504)
# A server may say how long it wants to be left alone (Retry-After), which the SDK keeps to however
# long it is: an hour of a spent quota would be an hour without an answer.
LONGEST_PAUSE_SECONDS = 10.0


def make_retry_policy() -> RetryPolicy:
    """Again where the network failed or the status passes by itself, unless the server asks for a
    longer pause than somebody would wait: then the call has failed."""
    return retry_policies.all(
        _is_soon,
        retry_policies.any(
            retry_policies.network_error(), retry_policies.http_status(RETRIED_STATUSES)
        ),
    )


def _is_soon(context: RetryPolicyContext) -> bool:
    asked = context.normalized.retry_after
    return asked is None or asked <= LONGEST_PAUSE_SECONDS


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
        http_client=ModelHttpClient(
            transport=transport,
            follow_redirects=False,
            event_hooks={"response": [refuse_cut_off, TextCoalescer()]},
            timeout=httpx2.Timeout(settings.openai_timeout_seconds, connect=CONNECT_TIMEOUT),
        ),
    )
    if settings.openai_api == "responses":
        return _ResponsesModel(settings.openai_model, client)
    return _ChatModel(settings.openai_model, client)


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[Model]:
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
            policy=make_retry_policy(),
        ),
    )
