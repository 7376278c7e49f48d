"""What may come in, what may go out, and what a recall may bring in.

The retriever already keeps out memories that give orders; the guardrail on the
tool's output is a second look at the very text that the model is about to read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from agents import (
    Agent,
    GuardrailFunctionOutput,
    RunContextWrapper,
    ToolGuardrailFunctionOutput,
    ToolOutputGuardrailData,
    input_guardrail,
    output_guardrail,
    tool_output_guardrail,
)
from agents.items import TResponseInputItem

from agent.turn.context import TurnContext
from memory.errors import MessageRefused
from memory.retrieval.prompt_injection import find_prompt_injection
from prompts import load_prompt

LEAK_CHARS = 80
FORGED = "it contains marks that separate speakers in a prompt; leave them out."
_FORGED = re.compile(
    r"<\|(?:im_start|im_end|system|assistant|user|endoftext)\|>|\[/?INST\]|<</?SYS>>",
    re.IGNORECASE,
)


@input_guardrail(name="message", run_in_parallel=False)
def message_guardrail(
    _context: RunContextWrapper[TurnContext],
    _agent: Agent[Any],
    given: str | list[TResponseInputItem],
) -> GuardrailFunctionOutput:
    """Stops a run whose message forges the marks of a prompt; a turn refuses it before it is
    stored, this guards every other way to run the agent."""
    forged = _FORGED.search(_last_words(given)) is not None
    return GuardrailFunctionOutput(output_info=FORGED, tripwire_triggered=forged)


@output_guardrail(name="reply")
def reply_guardrail(
    _context: RunContextWrapper[TurnContext], _agent: Agent[Any], reply: object
) -> GuardrailFunctionOutput:
    """Keeps a reply that recites the system prompt out of the history; what had streamed of it
    was seen."""
    leaked = recites(str(reply), load_prompt("assistant"))
    return GuardrailFunctionOutput(output_info="system prompt", tripwire_triggered=leaked)


@tool_output_guardrail(name="recalled text")
def recalled_text_guardrail(data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
    """Takes a recall away that still holds a memory or message which gives orders."""
    result = json.loads(str(data.output))
    if any(find_prompt_injection(text) for text in _recalled_texts(result)):
        if isinstance(data.context.context, TurnContext):
            data.context.context.recalls.pop(data.context.tool_call_id, None)
            data.context.context.message_recalls.pop(data.context.tool_call_id, None)
        result |= {name: [] for name in ("memories", "messages") if name in result}
        result["metadata"] |= {"count": 0, "error": True}
        return ToolGuardrailFunctionOutput.reject_content(json.dumps(result))
    return ToolGuardrailFunctionOutput.allow()


def _recalled_texts(result: dict[str, Any]) -> Iterator[str]:
    for memory in result["memories"]:
        yield from (memory["content"], memory.get("group") or "", *memory.get("sources", ()))
    for message in result.get("messages", ()):
        yield from (message[part] for part in ("content", "before", "after") if message[part])


def refuse_forged(text: str) -> None:
    """Raises MessageRefused where a message forges the marks that separate speakers."""
    if _FORGED.search(text):
        raise MessageRefused(reason=FORGED)


def recites(reply: str, prompt: str) -> bool:
    """Whether the reply holds `LEAK_CHARS` characters of the prompt in a row, spaces aside."""
    return not _pieces_of(prompt).isdisjoint(_pieces(reply))


@cache
def _pieces_of(prompt: str) -> frozenset[str]:
    """Of a prompt as it is in its file: what is remembered here is never forgotten."""
    return frozenset(_pieces(prompt))


def _pieces(text: str) -> Iterator[str]:
    text = " ".join(text.split())
    return (text[at : at + LEAK_CHARS] for at in range(len(text) - LEAK_CHARS + 1))


def _last_words(given: str | list[TResponseInputItem]) -> str:
    if isinstance(given, str):
        return given
    for item in reversed(given):
        content = item.get("content") if item.get("role") == "user" else None
        if isinstance(content, str):
            return content
    return ""
