"""The MCP server: the tools with their schemas and hints, and what becomes of errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, cast

import structlog
from anyio import AsyncFile
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import ConfigDict, ValidationError
from starlette.types import Receive, Scope, Send

from app.mcp.episode_tools import EpisodeTools
from app.mcp.tools import IdentifyCall, MemoryTools
from app.schemas.fields import invalid_fields_text
from memory.config import Settings
from memory.errors import KeepsakeError, MemoryOff, RecentlyForgotten
from prompts import load_prompt

_log = structlog.get_logger(__name__)


def _hints(
    title: str, *, reads: bool = False, destroys: bool = False, idempotent: bool = True
) -> ToolAnnotations:
    """None reaches beyond the memory."""
    return ToolAnnotations(
        title=title,
        read_only_hint=reads,
        destructive_hint=destroys,
        idempotent_hint=idempotent,
        open_world_hint=False,
    )


# What `remember` takes the place of stays and can be brought back: `forget` alone destroys.
HINTS: Mapping[str, ToolAnnotations] = {
    "search_memory": _hints("Search memory", reads=True),
    "remember": _hints("Remember", idempotent=False),
    "forget": _hints("Forget a memory", destroys=True),
    "restore_memory": _hints("Bring a memory back"),
    "list_memories": _hints("List memories", reads=True),
    "pin_memory": _hints("Pin a memory"),
    "memory_summary": _hints("Summary of memory", reads=True),
    "start_episode": _hints("Begin an episode", idempotent=False),
    "record_action": _hints("Record a step", idempotent=False),
    "complete_episode": _hints("End an episode"),
    "similar_episodes": _hints("Find similar episodes", reads=True),
    "forget_episode": _hints("Remove an episode", destroys=True),
}


# A net under the settings' own timeouts, which add up to less even at their largest.
CALL_TIMEOUT = 200.0
UNEXPECTED = "Something went wrong that Keepsake did not expect, and its log says more."
TOO_LATE = "Memory did not answer in time. Try again in a moment."
USER_ALONE = "A program cannot do that: the user says it to Keepsake, in its chat or on its page."


class MemoryServer(MCPServer[Any]):
    """Answers over HTTP and stdio. It offers tools alone, and keeps nothing between two calls."""

    def __init__(self, who: IdentifyCall, settings: Settings) -> None:
        super().__init__(
            "keepsake",
            title="Keepsake",
            instructions=load_prompt("mcp_instructions"),
            version=version("keepsake"),
            tools=[_tool(each) for each in _functions(who, settings)],
            subscriptions=False,
        )
        self._max_body_bytes = settings.max_body_bytes

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """A result in every case: what went wrong is a sentence for the model, without a trace."""
        try:
            async with asyncio.timeout(CALL_TIMEOUT):
                return await super().call_tool(name, arguments, context)
        except TimeoutError:
            _log.error("tool_failed", tool=name, reason="timeout")
            return _failed(TOO_LATE)
        except ToolError as error:
            return _failed(_sentence(name, error))

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One HTTP request, with a session manager that ends with it.

        The library has one for an application, started and ended with it, since it keeps the
        sessions; here there are none, so nothing is left to start, to drain or to leak. Every
        answer is one JSON body. Which hosts and origins may ask, and how large a body may be, is
        decided before.
        """
        manager = StreamableHTTPSessionManager(
            self._lowlevel_server,
            json_response=True,
            stateless=True,
            max_request_body_size=self._max_body_bytes,
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    async def serve_lines(self, lines: AsyncIterable[str]) -> None:
        """Answers the messages in `lines` on standard output until they end. While it does, what
        anything else in the process prints goes to standard error."""
        given = cast(AsyncFile[str], lines)  # all that is asked of it is to be iterated over
        async with stdio_server(stdin=given) as (read, write):
            options = self._lowlevel_server.create_initialization_options()
            await self._lowlevel_server.run(read, write, options)


def _functions(who: IdentifyCall, settings: Settings) -> Sequence[Callable[..., Any]]:
    """Those for episodes where they are switched on."""
    memory = MemoryTools(who, settings).functions
    return (
        (*memory, *EpisodeTools(who, settings).functions) if settings.episodes_enabled else memory
    )


def _tool(function: Callable[..., Any]) -> Tool:
    """With arguments that have to be those of its schema: a misspelt one would be left aside
    without a word."""
    hints = HINTS[function.__name__]
    tool = Tool.from_function(
        function,
        title=hints.title,
        description=load_prompt(f"mcp_{function.__name__}"),
        annotations=hints,
    )
    loose = tool.fn_metadata.arg_model
    forbidding = {"model_config": ConfigDict(extra="forbid")}
    strict = cast("type[ArgModelBase]", type(loose.__name__, (loose,), forbidding))
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema()
    return tool


def _sentence(name: str, error: ToolError) -> str:
    cause = error.__cause__
    if isinstance(cause, KeepsakeError):
        _log.info("tool_refused", tool=name, kind=type(cause).__name__)
        aside = f" {USER_ALONE}" if isinstance(cause, MemoryOff | RecentlyForgotten) else ""
        return f"{cause}{aside}"
    if isinstance(cause, ValidationError):
        return invalid_fields_text(cause.errors())
    if not isinstance(error, UnexpectedToolError):  # there is no tool of that name
        return str(error)
    _log.error("tool_failed", tool=name, exc_info=cause)
    return TOO_LATE if isinstance(cause, TimeoutError) else UNEXPECTED


def _failed(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)
