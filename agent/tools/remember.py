"""The tool `remember`: one sentence is kept because the user wants it. It never fails the turn; the
model is told why nothing was kept."""

from __future__ import annotations

import json
from typing import Any

import structlog
from agents import FunctionTool, ModelBehaviorError, RunContextWrapper, function_tool
from pydantic import ValidationError

from agent.commands.changing import keep
from agent.turn.context import TurnContext
from memory.errors import KeepsakeError
from memory.models import NewItem
from memory.write.normalise import clean_message
from prompts import load_prompt

# A net under the settings' own timeouts, which add up to less even at their largest.
TIMEOUT = 200.0
_log = structlog.get_logger(__name__)


def make_remember() -> FunctionTool:
    @function_tool(
        name_override="remember",
        description_override=load_prompt("remember"),
        timeout=TIMEOUT,
        timeout_error_function=_not_kept,
        failure_error_function=_not_kept,
    )
    async def remember(context: RunContextWrapper[TurnContext], content: str) -> str:
        turn = context.context
        said = clean_message(content)
        new = NewItem(
            content=said,
            space=turn.space,
            manually_saved=True,
            source_message_id=turn.message_id,
        )
        answer = await keep(new, turn.by_model())
        return json.dumps({"kept": turn.kept[-1].content, "answer": answer}, ensure_ascii=False)

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
