"""The tool `query_memory` (specification 001's contract). It never fails the turn: whatever goes
wrong in a recall becomes an empty result with an error flag, here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import structlog
from agents import FunctionTool, ModelBehaviorError, RunContextWrapper, function_tool
from pydantic import Field

from agent.guardrails import recalled_text_guardrail
from agent.tools.recall_result import recall_result
from agent.turn.context import TurnContext
from memory.recalls import (
    MemoryQueryRequest,
    MemoryQueryResponse,
    MessageQueryRequest,
    MessageQueryResponse,
    RecallType,
)
from memory.text import storable
from prompts import load_prompt

# A net under the settings' own timeouts, which add up to less even at their largest.
TIMEOUT = 200.0
MOST_MESSAGES = 5
_log = structlog.get_logger(__name__)


def make_query_memory() -> FunctionTool:
    @function_tool(
        name_override="query_memory",
        description_override=load_prompt("query_memory"),
        timeout=TIMEOUT,
        timeout_error_function=_recall_failed,
        failure_error_function=_recall_failed,
        tool_output_guardrails=[recalled_text_guardrail],
    )
    async def query_memory(
        context: RunContextWrapper[TurnContext],
        query: Annotated[str, Field(description=load_prompt("query_memory_query"))],
        types: Annotated[
            list[RecallType] | None, Field(description=load_prompt("query_memory_types"))
        ] = None,
        include_messages: Annotated[
            bool, Field(description=load_prompt("query_memory_messages"))
        ] = False,
    ) -> str:
        turn = context.context
        async with turn.recalling:
            response = await _recall(turn, query, types)
            said = await _recall_messages(turn, query) if include_messages else None
        return recall_result(response, said, incognito=turn.dialogue.privacy == "incognito")

    return query_memory


async def _recall(
    turn: TurnContext, query: str, types: Sequence[RecallType] | None
) -> MemoryQueryResponse:
    request = MemoryQueryRequest(
        user_id=turn.user_id,
        query=storable(query),
        limit=turn.max_results,
        space=turn.space,
        types=list(types) if types else None,
        min_score=turn.min_relevance,
        explain=True,
    )
    response = await turn.memory.recall(
        request, correlation_id=turn.correlation_id, token_budget=turn.tokens_left
    )
    turn.recalls.append(response)
    return response


async def _recall_messages(turn: TurnContext, query: str) -> MessageQueryResponse:
    """Of the present conversation too, which may be longer than what the model sees of it."""
    request = MessageQueryRequest(
        user_id=turn.user_id,
        query=storable(query),
        limit=min(turn.max_results, MOST_MESSAGES),
        space=turn.space,
        min_score=turn.min_relevance,
    )
    response = await turn.memory.recall_messages(
        request, correlation_id=turn.correlation_id, token_budget=turn.tokens_left
    )
    turn.message_recalls.append(response)
    return response


def _recall_failed(context: RunContextWrapper[Any], error: Exception) -> str:
    _log.error("recall_tool_failed", reason=type(error).__name__)
    if isinstance(error, ModelBehaviorError):  # the model's own mistake says nothing of memory
        return recall_result(MemoryQueryResponse(error=True))
    response = MemoryQueryResponse(error=True, degraded=("keyword", "vector"))
    context.context.recalls.append(response)
    return recall_result(response)
