"""What a scripted model does, in the words of the tests."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import uuid4

from agents import FunctionTool
from agents.items import TResponseStreamEvent
from agents.testing import ModelCall, ModelStep, assistant_message, function_call
from openai.types.responses import ResponseTextDeltaEvent


def says(text: str) -> list[Any]:
    return [assistant_message(text)]


def calls(tool: str, arguments: str | None = None, **fields: object) -> list[Any]:
    """A tool call; `arguments` is sent as it is, whatever it holds."""
    sent: Any = fields if arguments is None else arguments
    return [function_call(tool, sent, call_id=f"call_{uuid4().hex}")]


def asks_memory(query: str, types: list[str] | None = None) -> list[Any]:
    return calls("query_memory", query=query, types=types)


def answers_from(word: Callable[[dict[str, Any]], str]) -> ModelStep:
    """A reply made from what the tool gave, as `word` reads it."""
    return ModelStep.respond(lambda call: says(word(tool_output(call))))


def streams(*pieces: str, then: Exception | None = None) -> ModelStep:
    """Text in pieces that never comes to an end of its own: it breaks off, or with `then`."""

    async def pour(_: ModelCall) -> AsyncIterator[TResponseStreamEvent]:
        for number, piece in enumerate(pieces):
            yield delta(piece, number)
        if then is not None:
            raise then

    return ModelStep.stream(pour)


def delta(text: str, number: int = 0) -> ResponseTextDeltaEvent:
    return ResponseTextDeltaEvent(
        type="response.output_text.delta",
        item_id="scripted",
        output_index=0,
        content_index=0,
        delta=text,
        logprobs=[],
        sequence_number=number,
    )


def tool_output(call: ModelCall) -> dict[str, Any]:
    """The newest tool result that the model was given, read as JSON."""
    given = [item for item in call.input if item.get("type") == "function_call_output"]
    result: dict[str, Any] = json.loads(str(given[-1]["output"]))
    return result


def tool_named(call: ModelCall, name: str) -> FunctionTool:
    """The tool of this name among those that the model was offered."""
    [tool] = [each for each in call.tools if each.name == name]
    assert isinstance(tool, FunctionTool)
    return tool


def said_by(call: ModelCall, role: str) -> list[str]:
    """What the model was given under a role, oldest first."""
    if isinstance(call.input, str):
        return [call.input] if role == "user" else []
    return [_text(item["content"]) for item in call.input if item.get("role") == role]


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content)
