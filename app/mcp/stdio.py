"""`python -m app mcp`: MCP on standard input and output, for a program that starts its own
server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import structlog
from mcp.server.mcpserver import Context

from app.console import Progress, read_lines
from app.mcp.server import MemoryServer
from app.mcp.tools import ToolCall
from app.runner import Shutdown
from memory.config import Settings
from memory.errors import DatabaseUnavailable, KeepsakeError
from memory.gc_pause import pause_gc
from memory.service import MemoryService

if TYPE_CHECKING:
    from app.bootstrap import Keepsake

_log = structlog.get_logger(__name__)


class DeferredStartup:
    """Begins when it is entered. What was opened is closed when it is left.

    An opening that fails is tried again by the next call that asks for the memory, so that a
    database that comes back later is found.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._one_at_a_time = asyncio.Lock()
        self._keepsake: Keepsake | None = None
        self._early: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._early = asyncio.create_task(self._open_early())
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._early is not None
        self._early.cancel()
        await asyncio.gather(self._early, return_exceptions=True)
        await self._stack.aclose()

    async def memory(self) -> MemoryService:
        """Starts an embedded database again that had stopped. Raises what `open_keepsake` raises,
        and ServiceStartFailed."""
        keepsake = await self._opened()
        try:
            await keepsake.memory.space_settings(
                self._settings.keepsake_user, self._settings.keepsake_space
            )
        except DatabaseUnavailable:
            if started := await keepsake.revive():
                _log.warning("services revived", names=started)
        return keepsake.memory

    async def _open_early(self) -> None:
        try:
            await self._opened()
        except KeepsakeError as error:
            _log.error("not_opened", kind=type(error).__name__, reason=str(error))
        except Exception as error:  # the first call will say so
            _log.error("not_opened", exc_info=error)

    async def _opened(self) -> Keepsake:
        async with self._one_at_a_time:
            if self._keepsake is None:
                self._keepsake = await self._open()
            return self._keepsake

    async def _open(self) -> Keepsake:
        # It takes seconds to import, in which the first messages would wait.
        with pause_gc():
            await asyncio.to_thread(import_module, "app.bootstrap")
        from app.bootstrap import open_keepsake  # noqa: PLC0415
        from app.tasks import cancel_and_wait  # noqa: PLC0415
        from app.worker.background import run_in_background  # noqa: PLC0415

        opening = open_keepsake(self._settings, Progress())
        keepsake = await self._stack.enter_async_context(opening)
        behind = asyncio.create_task(run_in_background(keepsake, self._settings.keepsake_user))
        self._stack.push_async_callback(cancel_and_wait, behind)
        return keepsake


async def serve_stdio(settings: Settings, _leaving: Shutdown) -> int:
    """Answers until the input ends, or nobody reads the answers any more."""
    async with DeferredStartup(settings) as opening:

        async def who(_context: Context[Any, Any]) -> ToolCall:
            correlation_id = uuid4()
            # For the rest of the call, in whose task this is awaited.
            structlog.contextvars.bind_contextvars(correlation_id=str(correlation_id))
            return ToolCall(await opening.memory(), settings.keepsake_user, correlation_id)

        try:
            await MemoryServer(who, settings).serve_lines(_decoded(sys.stdin.fileno()))
        except* BrokenPipeError:
            pass  # the client has gone without closing our input
    return 0


async def _decoded(descriptor: int) -> AsyncIterator[str]:
    """A byte that is not UTF-8 spoils its message alone. The library's own reader holds up a signal
    until the next line comes."""
    async for line in read_lines(descriptor):
        yield line.decode("utf-8", errors="replace")
