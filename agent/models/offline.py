"""The assistant without a key: a model of the SDK that recalls and quotes, and never invents."""

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

from memory.clock import local_clock
from memory.retrieval.query import asks_what_was_said, find_whole_topic
from memory.text import to_readable
from memory.understanding import (
    ORDERS,
    STATEMENTS,
    Interpretation,
    MessageReader,
    MessageText,
    OfflineReader,
    Segment,
)

OFFLINE_INTRODUCTION = (
    "I am Keepsake's offline assistant: no model is configured, so I recall and quote, "
    "and do not make up answers. I keep what is worth keeping of what you tell me; ask me about "
    "it."
)
NOTHING = (
    "I have nothing about that in memory. Tell me, and I will know it. "
    "(I am the offline assistant: I answer only from what you told me.)"
)
NOT_SURE = "I am not sure, but you told me"
# To what may be a question as well as an order.
NEITHER = (
    "I have nothing about that in memory, and I did not understand it as something I can do; "
    "nothing was changed. /help shows what I understand."
)
UNAVAILABLE = "Memory did not answer just now, so I cannot say. Ask me again in a moment."
LIMIT = "That was more than memory is asked in a minute, so I did not look. Ask me again shortly."
# Said before anything is learned from it, so it claims nothing.
NOTHING_ASKED = "All right."
NOT_UNDERSTOOD = (
    "I did not understand that as something I can do; nothing was changed. "
    "/help shows what I understand."
)
OFF = "Memory is off here, so I did not look. Say “turn memory on”, and I will."
INCOGNITO = (
    "This conversation is incognito, so I did not look in memory. Say “end incognito”, and I will."
)

_GREETING = re.compile(
    r"^(hi|hello|hey|good (morning|afternoon|evening))\b[\s!.,]*(there)?[\s!.]*$", re.I
)
_THANKS = re.compile(r"^(thanks|thank you|thx|ok|okay|great|cool|bye|goodbye)\b[\s!.]*$", re.I)
_WHO = re.compile(r"^(who|what) are you\b|^what can you do\W*$|^help\W*$", re.I)
_SPEAKERS = {"user": "you", "assistant": "I"}
_LETTERS = re.compile(r"[^\W_]+")


def answer_small_talk(said: str) -> str | None:
    """The answer to a greeting, thanks or “who are you”; None where memory is to be asked."""
    said = said.strip()
    if _WHO.search(said):
        return OFFLINE_INTRODUCTION
    if _GREETING.match(said):
        return "Hello. Ask me about something you told me, or say “remember that …”."
    if _THANKS.match(said):
        return "You are welcome."
    return None


def answer_from_recall(result: dict[str, Any], *, nothing: str = NOTHING) -> str:
    """The answer after `query_memory`: each memory quoted with its date, best first, and with a
    doubt where it is not sure that it answers; where what was said was asked for, that first, and
    of the memories those that it does not hold."""
    found, messages = result.get("memories", []), result.get("messages", [])
    sure = [each for each in found if each["confidence"] == "high"]
    possible = [each for each in found if each["confidence"] == "possible"]
    why_not = _not_asked(result.get("metadata", {}))
    if why_not is not None:
        return why_not
    if messages:
        told = _said(messages, sure)
        possible = [each for each in possible if not _is_said(each, messages)]
    elif sure:
        told = _quoted("Based on what you told me", sure)
    elif possible:
        return _quoted(NOT_SURE, possible)
    else:
        return UNAVAILABLE if result.get("metadata", {}).get("messages_error") else nothing
    return f"{told}\n\n{_quoted('Perhaps also', possible)}" if possible else told


def _quoted(lead: str, memories: list[dict[str, Any]]) -> str:
    if len(memories) == 1:
        return f"{lead} ({memories[0]['context']}): “{memories[0]['content']}”"
    lines = [f"- “{memory['content']}” ({memory['context']})" for memory in memories]
    return "\n".join([f"{lead}:", "", *lines])


def _not_asked(metadata: dict[str, Any]) -> str | None:
    """Why memory has no answer at all; None where it was asked."""
    if metadata.get("incognito"):
        return INCOGNITO
    if metadata.get("off"):
        return OFF
    if metadata.get("rate_limited"):
        return LIMIT
    return UNAVAILABLE if metadata.get("error") else None


def _said(messages: list[dict[str, Any]], memories: list[dict[str, Any]]) -> str:
    """“On 3 May 2026 you said: …”, one line for each."""
    lines = [_told(message) for message in messages]
    lines += [
        f"“{memory['content']}” ({memory['context']})"
        for memory in memories
        if not _is_said(memory, messages)
    ]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _is_said(memory: dict[str, Any], messages: list[dict[str, Any]]) -> bool:
    words = _bare(memory["content"])
    return any(words in _bare(message["content"]) for message in messages)


def _told(message: dict[str, Any]) -> str:
    who = _SPEAKERS[message["said_by"]]
    day = message["context"].removeprefix("said on ")
    line = f"On {day} {who} said: “{message['content']}”"
    before = message.get("before") or ""
    if not before.endswith("?"):
        return line
    asker, _, question = before.partition(": ")
    return f"{line} ({_SPEAKERS[asker]} had asked: “{question}”)"


def _bare(text: str) -> str:
    return " ".join(_LETTERS.findall(text.casefold()))


OFFLINE_MODEL_NAME = "offline"
_WORDS = re.compile(r"\S+\s*|\s+")


class OfflineModel(Model):
    """Recalls what the `reader` hears asked for, then answers by quoting. Commands never reach it:
    they are obeyed before any model is asked."""

    def __init__(self, reader: MessageReader | None = None) -> None:
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


def next_step(given: str | list[TResponseInputItem], reader: MessageReader) -> ResponseOutputItem:
    """A tool call, or the reply, for a conversation that ends in what the user said or in a
    tool's result. Memory is asked for what is asked, not for what is told beside it."""
    items = _items(given)
    said = _last_said(items)
    last = items[-1] if items else {}
    if last.get("type") == "function_call_output":
        result = json.loads(str(last.get("output") or "{}"))
        only_asks = not _may_be_order(reader.read(MessageText(to_readable(said), local_clock())))
        return _message(answer_from_recall(result, nothing=NOTHING if only_asks else NEITHER))
    words = to_readable(said)
    small_talk = answer_small_talk(words)
    if small_talk is not None:
        return _message(small_talk)
    if asks_what_was_said(words):
        return _call("query_memory", query=said, types=None, include_messages=True)
    reading = reader.read(MessageText(words, local_clock()))
    asked = " ".join(each.text for each in reading.segments if each.asks)
    if not asked and "?" not in words and find_whole_topic(words) is None:
        return _message(NOT_UNDERSTOOD if _only_orders(reading) else NOTHING_ASKED)
    return _call("query_memory", query=asked or said, types=None)


def _may_be_order(reading: Interpretation) -> bool:
    kinds = {each.kind for each in reading.segments}
    return "question" not in kinds and not kinds.isdisjoint({"request", "quotation", *ORDERS})


def _only_orders(reading: Interpretation) -> bool:
    """Whether something is asked of the assistant, and nothing told. Commands that are obeyed never
    get here, and what keeps a message out of memory is answered beside the reply."""
    said = [each for each in reading.segments if not each.leaves_out]
    orders = [each for each in said if _is_order(each, reading)]
    tells = any(each.tells and each not in orders for each in said)
    return bool(orders) and not tells


def _is_order(segment: Segment, reading: Interpretation) -> bool:
    """A correction that brings new words and gets here is one of something else than memory, and
    what is shown is shown for something to be done with it."""
    if segment.kind in STATEMENTS:
        corrections = [each for each in reading.orders if each.name == "edit" and each.new]
        return segment.is_order or any(
            each.start < segment.end and segment.start < each.end for each in corrections
        )
    wanted = segment.kind in (*ORDERS, "quotation") and not segment.tells
    return wanted or segment.is_order or segment.may_ask_to_forget


def _items(given: str | list[TResponseInputItem]) -> list[dict[str, Any]]:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [cast(dict[str, Any], item) for item in given]


def _last_said(items: list[dict[str, Any]]) -> str:
    for item in reversed(items):
        if item.get("role") == "user":
            content = item.get("content")
            if isinstance(content, str):
                return content
            return "".join(str(part.get("text", "")) for part in content or [])
    return ""


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
        model=OFFLINE_MODEL_NAME,
        object="response",
        output=[output],
        tool_choice="auto",
        tools=[],
        parallel_tool_calls=False,
    )
    return ResponseCompletedEvent(
        type="response.completed", response=response, sequence_number=number
    )
