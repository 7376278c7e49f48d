"""The SDK's real wire path, against a server in this process: what is sent, what is made of every
answer, and what a person is told when it goes wrong."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from agent.assistant import Assistant
from agent.models.provider import choose_model, model_settings
from agent.turn.lifecycle import AssistantSettings
from memory.cache import Cache, SessionCache
from memory.config import Settings
from memory.errors import ReplyFailed
from memory.service import MemoryService
from memory.store.database import Database
from memory.types import NewMemory
from memory.understanding import OfflineReader
from prompts import load_prompt
from tests.agent.turns import Told, read_exchange, take_turn
from tests.agent.wire import (
    PATHS,
    Answer,
    Api,
    WireServer,
    begun_text,
    refused,
    streamed,
    text,
    tool_call,
    unreachable,
)

KEY = "sk-wire-secret"
ASKED = "What colour is my bike?"


@dataclass
class Line:
    """The product's assistant over a server, and what its turns left behind."""

    api: Api
    settings: Settings
    memory: MemoryService
    cache: Cache
    database: Database
    user_id: str
    conversation: UUID = field(default_factory=uuid4)
    made: list[Assistant] = field(default_factory=list)
    base_url: str = "https://api.openai.com/v1"

    def to(self, server: WireServer) -> Assistant:
        keyed = self.settings.model_copy(
            update={
                "openai_api_key": SecretStr(KEY),
                "openai_base_url": self.base_url,
                "openai_api": self.api,
                "openai_model": "test-model",
            }
        )
        model = choose_model(keyed, httpx2.MockTransport(server))
        parts = (model_settings(keyed), self.memory, SessionCache(self.cache))
        self.made.append(Assistant(model, *parts, AssistantSettings(), OfflineReader()))
        return self.made[-1]

    async def ask(self, server: WireServer, said: str = ASKED) -> Told:
        return await take_turn(self.to(server), self.user_id, self.conversation, said)

    def of_somebody_else(self) -> Line:
        """The same server and memory, and a user and a conversation without a past."""
        return replace(self, user_id=f"user-{uuid4().hex[:12]}", conversation=uuid4())

    async def stored(self) -> list[tuple[str, str, str]]:
        return await read_exchange(self.database, self.user_id)


@pytest.fixture(params=["responses", "chat_completions"])
def api(request: pytest.FixtureRequest) -> Api:
    chosen: Api = request.param
    return chosen


@pytest.fixture
async def line(
    api: Api, settings: Settings, memory: MemoryService, cache: Cache, database: Database
) -> AsyncIterator[Line]:
    opened = Line(api, settings, memory, cache, database, f"user-{uuid4().hex[:12]}")
    yield opened
    for assistant in opened.made:
        await assistant.aclose()


def asks(api: Api, query: str = ASKED) -> Answer:
    return streamed(tool_call(api, "query_memory", json.dumps({"query": query, "types": None})))


def tools_of(api: Api, body: dict[str, Any]) -> dict[str, dict[str, Any]]:
    tools = [tool if api == "responses" else tool["function"] for tool in body["tools"]]
    return {tool["name"]: tool for tool in tools}


def tool_result_of(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    """What the tool gave, found where the interface puts it."""
    if api == "responses":
        [item] = [each for each in body["input"] if each.get("type") == "function_call_output"]
        words = item["output"]
    else:
        [item] = [each for each in body["messages"] if each["role"] == "tool"]
        words = item["content"]
    result: dict[str, Any] = json.loads(words)
    return result


async def test_a_turn_with_a_tool_call_over_the_wire(line: Line) -> None:
    await line.memory.remember(line.user_id, NewMemory(content="My bike is green"))
    server = WireServer(
        line.api, [asks(line.api), streamed(text(line.api, "It ", "is ", "green."))]
    )
    told = await line.ask(server)
    assert (told.error, told.text, told.tools) == (None, "It is green.", ["query_memory"])
    assert told.memories == ["My bike is green"]
    assert [request.url.path for request in server.requests] == [PATHS[line.api]] * 2
    result = tool_result_of(line.api, server.bodies[1])
    assert [each["content"] for each in result["memories"]] == ["My bike is green"]
    assert result["notice"] == load_prompt("recalled_notice")
    assert await line.stored() == [
        ("user", ASKED, "complete"),
        ("assistant", "It is green.", "complete"),
    ]


async def test_what_is_sent(line: Line) -> None:
    """The contract's tool, the system prompt, a stream; and nothing that names the user."""
    server = WireServer(line.api, [asks(line.api), streamed(text(line.api, "Nothing."))])
    await line.ask(server)
    for body in server.bodies:
        assert body["stream"] is True
        assert body["model"] == "test-model"
        assert line.user_id not in json.dumps(body)
        assert str(line.conversation) not in json.dumps(body)
        tool = tools_of(line.api, body)["query_memory"]
        assert tool["description"] == load_prompt("query_memory")
        parameters = tool["parameters"]["properties"]
        assert parameters["query"]["description"] == load_prompt("query_memory_query")
        assert parameters["types"]["description"] == load_prompt("query_memory_types")
        kinds = json.dumps(["fact", "preference", "decision", "note"])
        assert kinds in json.dumps(parameters["types"])
        assert parameters["include_messages"]["description"] == load_prompt("query_memory_messages")
        assert set(parameters) == {"query", "types", "include_messages"}
    first = server.bodies[0]
    if line.api == "responses":
        assert first["instructions"] == load_prompt("assistant")
        # Stored, or the reasoning of one call could not be named in the next one.
        assert first.get("store") is not False
    else:
        assert first["messages"][0] == {"role": "system", "content": load_prompt("assistant")}
    assert all(line.user_id not in str(request.headers) for request in server.requests)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_recalled_text_travels_as_a_tool_result_only(line: Line) -> None:
    await line.memory.remember(line.user_id, NewMemory(content="My bike is green"))
    server = WireServer(line.api, [asks(line.api), streamed(text(line.api, "Green."))])
    await line.ask(server)
    body = server.bodies[1]
    items = body["input"] if line.api == "responses" else body["messages"]
    carrying = [item for item in items if "My bike is green" in json.dumps(item)]
    assert len(carrying) == 1
    assert carrying[0].get("type", carrying[0].get("role")) in ("function_call_output", "tool")
    assert "My bike is green" not in str(body.get("instructions"))


async def test_the_next_turn_sends_the_history(line: Line) -> None:
    server = WireServer(
        line.api, [streamed(text(line.api, "Hello Ada.")), streamed(text(line.api, "You are Ada."))]
    )
    await line.ask(server, "I am Ada")
    await line.ask(server, "Who am I?")
    body = server.bodies[1]
    items = body["input"] if line.api == "responses" else body["messages"][1:]
    assert [item["role"] for item in items] == ["user", "assistant", "user"]
    assert [word in json.dumps(items) for word in ("I am Ada", "Hello Ada.")] == [True, True]


async def test_a_passing_refusal_is_retried(line: Line) -> None:
    for status in (429, 500, 503):
        own = line.of_somebody_else()
        server = WireServer(own.api, [refused(status), streamed(text(own.api, "Here I am."))])
        told = await own.ask(server, "Hello there")
        assert (told.error, told.text) == (None, "Here I am."), status
        assert len(server.requests) == 2, status
        assert len(await own.stored()) == 2, status


# The answers, which of them are asked for, and what the sentence names.
LASTING: dict[str, tuple[list[Answer], int, str]] = {
    "a wrong key": ([refused(401)], 1, "OPENAI_API_KEY"),
    "no such model": ([refused(404)], 1, "OPENAI_MODEL"),
    "not understood": ([refused(400)], 1, "status 400"),
    "over its limit": ([refused(429)] * 3, 3, "over its limit"),
    "over its limit for an hour": ([refused(429, again_in=3600.0)], 1, "over its limit"),
    "broken": ([refused(500)] * 3, 3, "status 500"),
    "away": ([unreachable] * 3, 3, "OPENAI_BASE_URL"),
}


async def test_a_lasting_refusal_is_one_clear_sentence(line: Line) -> None:
    """The message is kept, the reply is marked as failed, and the key is in no word or log."""
    for name, (answers, requests, sentence) in LASTING.items():
        own = line.of_somebody_else()
        server = WireServer(own.api, list(answers))
        with capture_logs() as logs:
            told = await own.ask(server)
        assert isinstance(told.error, ReplyFailed), name
        assert sentence in str(told.error), name
        assert len(server.requests) == requests, name
        assert KEY not in str(told.error) + str(logs), name
        assert told.closed.status == "failed", name
        assert await own.stored() == [
            ("user", ASKED, "complete"),
            ("assistant", "", "failed"),
        ], name


async def test_a_stream_that_breaks_off_is_stored_as_far_as_it_went(line: Line) -> None:
    """It is not asked again, since it has begun; the part is kept and marked as failed."""
    for name, breaks in (("line lost", True), ("ends too early", False)):
        own = line.of_somebody_else()
        broken = streamed(begun_text(own.api, "It is ", "gre"), breaks=breaks)
        server = WireServer(own.api, [broken])
        with capture_logs() as logs:
            told = await own.ask(server)
        assert isinstance(told.error, ReplyFailed), name
        assert told.error.fields["reason"] == "it broke off", name
        assert KEY not in str(told.error) + str(logs), name
        assert told.text == "It is gre", name
        assert (await own.stored())[1] == ("assistant", "It is gre", "failed"), name
        assert len(server.requests) == 1, name


# Which events are left out, and how the reply is marked then.
LEFT_OUT: dict[str, tuple[tuple[int, ...], str]] = {
    "nothing": ((), "complete"),
    "the reason": ((1,), "complete"),
    "the end": ((2,), "complete"),
    "both": ((1, 2), "failed"),
}


async def test_another_servers_stream_is_whole_where_either_of_its_ends_is_there(
    line: Line,
) -> None:
    """Of OpenAI's own the SDK knows; servers like it leave out one of the two."""
    line.base_url = "http://llm.example.org/v1"
    for name, (left_out, marked) in LEFT_OUT.items():
        own, status = line.of_somebody_else(), marked
        events = text(own.api, "It is green.")
        if own.api == "chat_completions":
            assert len(events) == 3
            events = [each for number, each in enumerate(events) if number not in left_out]
        elif left_out:
            events, status = events[:-1], "failed"
        server = WireServer(own.api, [streamed(events)])
        told = await own.ask(server)
        assert (told.closed.status, told.text) == (status, "It is green."), name
        assert (told.error is None) is (status == "complete"), name
        assert (await own.stored())[1] == ("assistant", "It is green.", status), name
        assert len(server.requests) == 1, name


NONSENSE: tuple[dict[str, Any] | str, ...] = (
    '{"type": "response.output_te',
    "[]",
    "null",
    {"type": "error", "code": "x", "message": KEY, "param": None, "sequence_number": 2},
    {"error": {"message": KEY, "type": "server_error"}},
    {"choices": None},
    {"choices": [{"index": 0, "delta": 5}]},
    {"type": "response.completed", "response": None},
)


async def test_nonsense_in_a_stream_is_a_failed_reply(line: Line) -> None:
    """Whatever the server says in mid-answer, the person gets one sentence and never a trace."""
    for nonsense in NONSENSE:
        own = line.of_somebody_else()
        broken = streamed([*begun_text(own.api, "It is "), nonsense])
        with capture_logs() as logs:
            told = await own.ask(WireServer(own.api, [broken]))
        assert isinstance(told.error, ReplyFailed), nonsense
        assert told.closed.status == "failed", nonsense
        assert KEY not in str(told.error) + str(logs), nonsense


async def test_invalid_arguments_of_a_tool_are_an_empty_flagged_result(line: Line) -> None:
    for arguments in ('{"query": "bi', "[]", "null", '{"types": ["fact"]}', '{"query": 7}'):
        own = line.of_somebody_else()
        await own.memory.remember(own.user_id, NewMemory(content="My bike is green"))
        answers = [
            streamed(tool_call(own.api, "query_memory", arguments)),
            streamed(text(own.api, "I do not know.")),
        ]
        server = WireServer(own.api, answers)
        told = await own.ask(server)
        assert (told.error, told.text) == (None, "I do not know."), arguments
        result = tool_result_of(own.api, server.bodies[1])
        assert (result["memories"], result["metadata"]["error"]) == ([], True), arguments


async def test_an_invented_tool_is_said_to_the_model_and_the_turn_goes_on(line: Line) -> None:
    answers = [
        streamed(tool_call(line.api, "delete_everything", "{}")),
        streamed(text(line.api, "I cannot do that.")),
    ]
    server = WireServer(line.api, answers)
    told = await line.ask(server, "Tidy up after yourself")
    assert (told.error, told.text) == (None, "I cannot do that.")
    assert "delete_everything" in json.dumps(server.bodies[1])


async def test_a_model_that_never_stops_calling_tools_is_stopped(line: Line) -> None:
    server = WireServer(line.api, [asks(line.api) for _ in range(20)])
    told = await line.ask(server)
    assert isinstance(told.error, ReplyFailed)
    assert "without end" in str(told.error)
    assert len(server.requests) < 20
    assert (await line.stored())[1][2] == "failed"
