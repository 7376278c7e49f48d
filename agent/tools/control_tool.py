"""The tool by which a model passes on what the user wants done with memory.

It goes through the same commands as plain words do, with the same questions to the user. What
makes the assistant less private, or removes everything, is left out: only the user's own words
turn memory back on, end incognito or erase the user, so that no recalled text can.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import structlog
from agents import FunctionTool, ModelBehaviorError, RunContextWrapper, function_tool
from pydantic import Field

from agent.commands.command import Command
from agent.commands.obey import obey
from agent.turn.context import TurnContext
from memory.text import storable
from prompts import load_prompt

CONTROL_TIMEOUT = 60.0
NOT_DONE = "Memory did not answer, so nothing was changed."
NO_SUCH_ACTION = (
    "That is not one of the actions, so nothing was changed. What is not among them, the user has "
    "to say in their own words."
)
Action = Literal[
    "list", "about", "why", "audit", "edit", "pin", "unpin", "forget", "undo", "do_not_remember",
    "memory_off", "memory_read_only", "incognito_on", "incognito_read_only",
]  # fmt: skip
_log = structlog.get_logger(__name__)


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
        action: Action,
        about: Annotated[str | None, Field(description=load_prompt("memory_control_about"))] = None,
        text: Annotated[str | None, Field(description="For edit: the new words.")] = None,
    ) -> str:
        command = Command(
            name=action,
            about=None if about is None else storable(about),
            text=None if text is None else storable(text),
        )
        return _answer(await obey(command, context.context.by_model()))

    return memory_control


def _answer(said: str) -> str:
    """As JSON whose strings cannot close a tag: memories are quoted in it."""
    text = json.dumps({"answer": said}, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _not_done(_context: RunContextWrapper[Any], error: Exception) -> str:
    _log.error("control_tool_failed", reason=type(error).__name__)
    return _answer(NO_SUCH_ACTION if isinstance(error, ModelBehaviorError) else NOT_DONE)
