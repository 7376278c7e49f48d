"""The assistant without a key: a model of the SDK that recalls and quotes, and never invents.

It takes the same path as any other model: it calls the same tools, its replies
stream, pass the same guardrails and are stored by the same turn. What it can say
is in `offline_replies`; here it is decided what to do next.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any, cast
from uuid import uuid4

from agents import Model, ModelResponse, Usage
from agents.items import TResponseInputItem, TResponseStreamEvent
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItem,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)

from agent.models import offline_replies as replies
from agent.wording.language import Language, spoken_in
from agent.wording.wording import IN_ENGLISH, Wording
from memory.clock import local_clock
from memory.recall.messages.asking import asks_what_was_said
from memory.recall.topic import whole_topic
from memory.text import readable
from memory.understanding import Message, OfflineReader, Reader

MODEL_NAME = "offline"
_WORDS = re.compile(r"\S+\s*|\s+")


class OfflineModel(Model):
    """Recalls what the `reader` hears asked for, then answers by quoting. Commands never reach it:
    they are obeyed before any model is asked."""

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader or OfflineReader()

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK's name
        *_: Any,
        **__: Any,
    ) -> ModelResponse:
        output = await asyncio.to_thread(next_step, input, self._reader)
        return ModelResponse(output=[output], usage=Usage(requests=1), response_id=None)

    async def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK's name
        *_: Any,
        **__: Any,
    ) -> AsyncIterator[TResponseStreamEvent]:
        output = await asyncio.to_thread(next_step, input, self._reader)
        number = 0
        if isinstance(output, ResponseOutputMessage):
            for word in _WORDS.findall(_text(output)):
                yield _delta(output.id, word, number)
                number += 1
        yield _completed(output, number)


def next_step(given: str | list[TResponseInputItem], reader: Reader) -> ResponseOutputItem:
    """A tool call, or the reply, for a conversation that ends in what the user said or in a
    tool's result. Memory is asked for what is asked, not for what is told beside it."""
    items = _items(given)
    said = _last_said(items)
    last = items[-1] if items else {}
    wording = _wording_of(items)
    if last.get("type") == "function_call_output":
        result = json.loads(str(last.get("output") or "{}"))
        return _message(replies.recalled(result, wording))
    words = readable(said)
    small_talk = replies.small_talk(words, wording)
    if small_talk is not None:
        return _message(small_talk)
    if asks_what_was_said(words):
        return _call("query_memory", query=said, types=None, include_messages=True)
    reading = reader.read(Message(words, local_clock()))
    asked = " ".join(each.text for each in reading.segments if each.asks)
    if not asked and "?" not in words and whole_topic(words) is None:
        return _message(wording.say("thank_you"))
    return _call("query_memory", query=asked or said, types=None)


def _items(given: str | list[TResponseInputItem]) -> list[dict[str, Any]]:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [cast(dict[str, Any], item) for item in given]


def _last_said(items: list[dict[str, Any]]) -> str:
    return (_said_by_the_user(items) or [""])[-1]


def _said_by_the_user(items: list[dict[str, Any]]) -> list[str]:
    contents = [item.get("content") for item in items if item.get("role") == "user"]
    return [
        content
        if isinstance(content, str)
        else "".join(str(part.get("text", "")) for part in content or [])
        for content in contents
    ]


def _wording_of(items: list[dict[str, Any]]) -> Wording:
    """That of the last message, or of those before it where it tells no language."""
    language: Language | None = None
    for said in _said_by_the_user(items):
        language = spoken_in(said).after(language)
    return IN_ENGLISH if language is None else Wording(language)


def _call(name: str, **arguments: object) -> ResponseFunctionToolCall:
    # A reused call_id would silently corrupt the order of the history.
    return ResponseFunctionToolCall(
        type="function_call",
        id=f"fc_{uuid4().hex}",
        call_id=f"call_{uuid4().hex}",
        name=name,
        arguments=json.dumps(arguments, ensure_ascii=False),
        status="completed",
    )


def _message(text: str) -> ResponseOutputMessage:
    return ResponseOutputMessage(
        id=f"msg_{uuid4().hex}",
        type="message",
        role="assistant",
        status="completed",
        content=[ResponseOutputText(type="output_text", text=text, annotations=[])],
    )


def _text(message: ResponseOutputMessage) -> str:
    return "".join(part.text for part in message.content if isinstance(part, ResponseOutputText))


def _delta(item_id: str, text: str, number: int) -> ResponseTextDeltaEvent:
    return ResponseTextDeltaEvent(
        type="response.output_text.delta",
        item_id=item_id,
        output_index=0,
        content_index=0,
        delta=text,
        logprobs=[],
        sequence_number=number,
    )


def _completed(output: ResponseOutputItem, number: int) -> ResponseCompletedEvent:
    response = Response(
        id=f"resp_{uuid4().hex}",
        created_at=0,
        model=MODEL_NAME,
        object="response",
        output=[output],
        tool_choice="auto",
        tools=[],
        parallel_tool_calls=False,
    )
    return ResponseCompletedEvent(
        type="response.completed", response=response, sequence_number=number
    )
