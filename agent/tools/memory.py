"""The tools by which a model asks memory and passes on what the user wants kept or done, with what
they answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import structlog
from agents import FunctionTool, ModelBehaviorError, RunContextWrapper, function_tool
from agents.tool_context import ToolContext
from pydantic import Field, ValidationError

from agent.commands.parser import Command
from agent.commands.proposals import propose
from agent.guardrails import recalled_text_guardrail
from agent.turn.context import TurnContext
from memory.dates.calendar import format_day
from memory.errors import KeepsakeError
from memory.ingestion.normalisation import clean_message
from memory.retrieval.context import ContextEntry, group_memories
from memory.text import to_storable
from memory.types import (
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
    RecalledMessage,
    RecallType,
)
from prompts import load_prompt, quote_json

_log = structlog.get_logger(__name__)


def format_recall(
    response: MemoryQueryResponse,
    messages: MessageQueryResponse | None = None,
    *,
    incognito: bool = False,
) -> str:
    """The tool's answer as JSON, labelled as advisory; its strings cannot close a tag. It speaks of
    messages where they were asked for. `incognito` is of a conversation that may not read memory,
    which then is not switched off."""
    result: dict[str, Any] = {
        "notice": load_prompt("recalled_notice"),
        "memories": [
            _for_the_model(entry, group.name)
            for group in group_memories(response.items)
            for entry in group.entries
        ],
        "metadata": {
            "count": len(response.items),
            "truncated": response.truncated or response.total_count > len(response.items),
            "error": response.error,
            "rate_limited": response.rate_limited,
            "off": response.off and not incognito,
            "incognito": incognito,
        },
    }
    if messages is not None:
        result["messages"] = [_said(item) for item in messages.items]
        result["metadata"]["messages_error"] = messages.error or messages.rate_limited
    return quote_json(result)


def _for_the_model(entry: ContextEntry, group: str | None) -> dict[str, Any]:
    """001's fields, and where the memory belongs (000): memories of one group stand together."""
    item = entry.item
    return {
        "content": item.content,
        "type": item.type,
        "relevance": round(item.relevance_score, 2),
        "answers": round(item.answer_score, 2),
        "confidence": item.confidence,
        "context": entry.dated,
        "group": group,
        "sources": list(entry.sources),
    }


def _said(item: RecalledMessage) -> dict[str, Any]:
    return {
        "content": item.content,
        "said_by": item.role,
        "relevance": round(item.relevance_score, 2),
        "context": f"said on {format_day(item.created_at.astimezone())}",
        "before": item.before,
        "after": item.after,
    }


# A net under the settings' own timeouts, which add up to less even at their largest.
TIMEOUT = 200.0
MOST_MESSAGES = 5


def make_query_tool() -> FunctionTool:
    """`query_memory` of specification 001. It never fails the turn: whatever goes wrong in a recall
    becomes an empty result with an error flag, here and nowhere else."""

    @function_tool(
        name_override="query_memory",
        description_override=load_prompt("query_memory"),
        timeout=TIMEOUT,
        timeout_error_function=_recall_failed,
        failure_error_function=_recall_failed,
        tool_output_guardrails=[recalled_text_guardrail],
    )
    async def query_memory(
        context: ToolContext[TurnContext],
        query: Annotated[str, Field(description=load_prompt("query_memory_query"))],
        types: Annotated[
            list[RecallType] | None, Field(description=load_prompt("query_memory_types"))
        ] = None,
        include_messages: Annotated[
            bool, Field(description=load_prompt("query_memory_messages"))
        ] = False,
    ) -> str:
        turn, said = context.context, None
        async with turn.recalling:
            response = turn.recalls[context.tool_call_id] = await _recall(turn, query, types)
            if include_messages:
                said = await _recall_messages(turn, query)
                turn.message_recalls[context.tool_call_id] = said
        return format_recall(response, said, incognito=turn.dialogue.privacy == "incognito")

    return query_memory


async def _recall(
    turn: TurnContext, query: str, types: Sequence[RecallType] | None
) -> MemoryQueryResponse:
    request = MemoryQueryRequest(
        user_id=turn.user_id,
        query=to_storable(query),
        limit=turn.max_results,
        space=turn.space,
        types=list(types) if types else None,
        min_score=turn.min_relevance,
        min_confidence=turn.min_confidence,
        explain=True,
    )
    return await turn.memory.recall(
        request,
        correlation_id=turn.correlation_id,
        now=turn.now,
        token_budget=turn.tokens_left,
    )


async def _recall_messages(turn: TurnContext, query: str) -> MessageQueryResponse:
    """Of the present conversation too, which may be longer than what the model sees of it."""
    request = MessageQueryRequest(
        user_id=turn.user_id,
        query=to_storable(query),
        limit=min(turn.max_results, MOST_MESSAGES),
        space=turn.space,
        min_score=turn.min_relevance,
    )
    return await turn.memory.recall_messages(
        request,
        correlation_id=turn.correlation_id,
        now=turn.now,
        token_budget=turn.tokens_left,
    )


def _recall_failed(context: RunContextWrapper[Any], error: Exception) -> str:
    _log.error("recall_tool_failed", reason=type(error).__name__)
    if isinstance(error, ModelBehaviorError):  # the model's own mistake says nothing of memory
        return format_recall(MemoryQueryResponse(error=True))
    response = MemoryQueryResponse(error=True, degraded=("keyword", "vector"))
    assert isinstance(context, ToolContext)
    context.context.recalls[context.tool_call_id] = response
    return format_recall(response)


def make_remember_tool() -> FunctionTool:
    @function_tool(
        name_override="remember",
        description_override=load_prompt("remember"),
        timeout=TIMEOUT,
        timeout_error_function=_not_kept,
        failure_error_function=_not_kept,
    )
    async def remember(context: RunContextWrapper[TurnContext], content: str) -> str:
        command = Command("remember", text=clean_message(content))
        return json.dumps({"kept": None, "answer": await propose(command, context.context)})

    return remember


def _not_kept(_context: RunContextWrapper[Any], error: Exception) -> str:
    _log.error("not_kept", reason=type(error).__name__)
    reason = "memory did not answer in time"
    if isinstance(error, KeepsakeError):
        reason = str(error)
    elif isinstance(error, ValidationError):
        reason = "a memory is one to 8,192 characters long"
    elif isinstance(error, ModelBehaviorError):
        reason = "call it again with one sentence as `content`"
    return json.dumps({"kept": None, "error": reason})


CONTROL_TIMEOUT = 60.0
NOT_DONE = "Memory did not answer, so nothing was changed."
NO_SUCH_ACTION = (
    "That is not one of the actions, so nothing was changed. What is not among them, the user has "
    "to say in their own words."
)
ControlAction = Literal[
    "list", "about", "why", "audit", "edit", "pin", "unpin", "forget", "undo", "do_not_remember",
    "memory_off", "memory_read_only", "incognito_on", "incognito_read_only",
]  # fmt: skip


def make_control_tool() -> FunctionTool:
    @function_tool(
        name_override="memory_control",
        description_override=load_prompt("memory_control"),
        timeout=CONTROL_TIMEOUT,
        timeout_error_function=_not_done,
        failure_error_function=_not_done,
    )
    async def memory_control(
        context: RunContextWrapper[TurnContext],
        action: ControlAction,
        about: Annotated[str | None, Field(description=load_prompt("memory_control_about"))] = None,
        text: Annotated[str | None, Field(description="For edit: the new words.")] = None,
    ) -> str:
        command = Command(
            name=action,
            about=None if about is None else to_storable(about),
            text=None if text is None else to_storable(text),
        )
        return quote_json({"answer": await propose(command, context.context)})

    return memory_control


def _not_done(_context: RunContextWrapper[Any], error: Exception) -> str:
    _log.error("control_tool_failed", reason=type(error).__name__)
    told = NO_SUCH_ACTION if isinstance(error, ModelBehaviorError) else NOT_DONE
    return quote_json({"answer": told})
