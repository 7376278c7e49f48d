"""A server that speaks OpenAI's two interfaces as server-sent events, in this process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2

Api = Literal["responses", "chat_completions"]
Event = dict[str, Any] | str
Answer = Callable[[httpx2.Request], httpx2.Response]
PATHS = {"responses": "/v1/responses", "chat_completions": "/v1/chat/completions"}
USAGE = {
    "input_tokens": 1,
    "output_tokens": 1,
    "total_tokens": 2,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 0},
}


@dataclass
class WireServer:
    """Gives its answers in order and keeps the requests."""

    api: Api
    answers: list[Answer]
    requests: list[httpx2.Request] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return self.answers.pop(0)(request)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]


class Line(httpx2.AsyncByteStream):
    """Bytes as they come over a connection, which may be lost in the end."""

    def __init__(self, *parts: bytes, breaks: bool = False) -> None:
        self._parts = parts
        self._breaks = breaks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            yield part
        if self._breaks:
            raise httpx2.ReadError("connection reset by sk-wire-secret")


def streamed(events: Sequence[Event], *, breaks: bool = False) -> Answer:
    content = b"".join(sent(event) for event in events)
    headers = {"content-type": "text/event-stream"}

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=headers, stream=Line(content, breaks=breaks))

    return answer


def refused(status: int, message: str = "no", *, again_in: float = 0.001) -> Answer:
    """An error answer whose words quote the key, as real ones do; it asks for a pause, in
    seconds."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        words = f"{message} {request.headers.get('authorization')}"
        error = {"message": words, "type": "error", "code": None, "param": None}
        pause = {"retry-after-ms": str(again_in * 1000)}
        return httpx2.Response(status, json={"error": error}, headers=pause)

    return answer


def unreachable(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("connection refused by sk-wire-secret")


def tool_call(api: Api, name: str, arguments: str) -> list[Event]:
    """The events of an answer that calls one tool."""
    if api == "responses":
        item = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": name,
            "arguments": arguments,
            "status": "completed",
        }
        return _response([], item)
    function = {"name": name, "arguments": arguments}
    call: dict[str, Any] = {"index": 0, "id": "call_1", "type": "function", "function": function}
    return [
        _chunk({"role": "assistant", "tool_calls": [call]}),
        _chunk({}, finish="tool_calls"),
        "[DONE]",
    ]


def text(api: Api, *pieces: str) -> list[Event]:
    """The events of an answer in words."""
    if api == "responses":
        part = {"type": "output_text", "text": "".join(pieces), "annotations": []}
        message = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
        return _response(begun_text(api, *pieces), message)
    return [*begun_text(api, *pieces), _chunk({}, finish="stop"), "[DONE]"]


def begun_text(api: Api, *pieces: str) -> list[Event]:
    """The same, without an end."""
    if api == "chat_completions":
        return [_chunk({"role": "assistant", "content": piece}) for piece in pieces]
    return [
        {
            "type": "response.output_text.delta",
            "item_id": "msg_1",
            "output_index": 0,
            "content_index": 0,
            "delta": piece,
            "logprobs": [],
            "sequence_number": number,
        }
        for number, piece in enumerate(pieces, start=1)
    ]


def _response(events: Sequence[Event], output: dict[str, Any]) -> list[Event]:
    response = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "test-model",
        "status": "completed",
        "output": [output],
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "usage": USAGE,
    }
    begun = response | {"status": "in_progress", "output": [], "usage": None}
    added = {"type": "response.output_item.added", "output_index": 0, "item": output}
    done = {"type": "response.output_item.done", "output_index": 0, "item": output}
    return [
        {"type": "response.created", "response": begun, "sequence_number": 0},
        added | {"sequence_number": 1},
        *events,
        done | {"sequence_number": 98},
        {"type": "response.completed", "response": response, "sequence_number": 99},
    ]


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test-model",
        "choices": [choice],
    }


def sent(event: Event) -> bytes:
    """An event as it goes over the line."""
    if isinstance(event, str):
        return f"data: {event}\n\n".encode()
    kind = f"event: {event['type']}\n" if "type" in event else ""
    return f"{kind}data: {json.dumps(event)}\n\n".encode()
