"""The client sends what OpenAI's own would send, of whatever the SDK hands over."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from agents import (
    AgentOutputSchema,
    ModelSettings,
    ModelTracing,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    TResponseInputItem,
    function_tool,
)
from openai import AsyncOpenAI, BadRequestError
from openai.types.shared import Reasoning
from pydantic import BaseModel

from agent.models.provider import VerbatimClient
from tests.agent.wire import Api, WireServer, refused, streamed, text


class Facts(BaseModel):
    facts: list[str]


@function_tool
def query_memory(query: str) -> str:
    """Looks in memory."""
    return query


SAID: list[TResponseInputItem] = [
    {"role": "user", "content": "What colour is my bike? \u2028 Ünïcode 🚀"},
    {"role": "assistant", "content": "One moment."},
    {"type": "function_call", "call_id": "1", "name": "query_memory", "arguments": '{"query":"a"}'},
    {"type": "function_call_output", "call_id": "1", "output": '{"memories": []}'},
    {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "It is green.", "annotations": []}],
    },
    {"role": "user", "content": [{"type": "input_text", "text": "Sure?"}]},
]
SETTINGS = {
    "plain": ModelSettings(),
    "many": ModelSettings(
        temperature=0.2,
        max_tokens=50,
        tool_choice="query_memory",
        parallel_tool_calls=False,
        include_usage=True,
        reasoning=Reasoning(effort="low"),
        metadata={"a": "b"},
        extra_headers={"X-Own": "1"},
        extra_query={"version": "2"},
        extra_body={"top_k": 3},
        extra_args={"timeout": 3.0},
    ),
}
Call = Callable[[OpenAIChatCompletionsModel | OpenAIResponsesModel, ModelSettings], Awaitable[None]]


async def stream(
    model: OpenAIChatCompletionsModel | OpenAIResponsesModel, settings: ModelSettings
) -> None:
    events: Any = model.stream_response(
        "Be kind.",
        SAID,
        settings,
        [query_memory],
        None,
        [],
        ModelTracing.DISABLED,
        previous_response_id=None,
        conversation_id=None,
        prompt=None,
    )
    async for _ in events:
        pass


async def extract(
    model: OpenAIChatCompletionsModel | OpenAIResponsesModel, settings: ModelSettings
) -> None:
    """What comes back is refused: it is what is sent that counts."""
    with pytest.raises(BadRequestError):
        await model.get_response(
            "Find facts.",
            SAID,
            settings,
            [query_memory],
            AgentOutputSchema(Facts),
            [],
            ModelTracing.DISABLED,
            previous_response_id=None,
            conversation_id=None,
            prompt=None,
        )


async def request_of(
    make: type[AsyncOpenAI], api: Api, call: Call, settings: ModelSettings
) -> httpx2.Request:
    answer = refused(400) if call is extract else streamed(text(api, "Yes."))
    server = WireServer(api, [answer])
    async with make(
        api_key="sk-wire-secret",
        base_url="https://model.example/v1",
        max_retries=0,
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(server)),
    ) as client:
        of_api = OpenAIResponsesModel if api == "responses" else OpenAIChatCompletionsModel
        await call(of_api("test-model", client), settings)
    [request] = server.requests
    return request


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("call", [stream, extract], ids=["stream", "extract"])
@pytest.mark.parametrize("api", ["responses", "chat_completions"])
async def test_what_is_sent_is_what_openais_own_client_sends(
    api: Api, call: Call, settings: ModelSettings
) -> None:
    theirs = await request_of(AsyncOpenAI, api, call, settings)
    ours = await request_of(VerbatimClient, api, call, settings)
    assert ours.url == theirs.url
    assert ours.headers == theirs.headers
    assert ours.extensions["timeout"] == theirs.extensions["timeout"]
    assert json.loads(ours.content) == json.loads(theirs.content)
