"""`python -m app mcp`: MCP on standard input and output, for a program that starts its own server.

The user is the one of the settings. The first messages are answered while the database is still
being opened, since clients do not wait long for them; a tool waits for it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import structlog
from mcp.server.mcpserver import Context

from app.mcp.caller import Asked
from app.mcp.opening import Opening
from app.mcp.server import MemoryServer
from app.process.signals import Leaving
from app.terminal.lines import read_lines
from memory.settings import Settings


async def serve_stdio(settings: Settings, _leaving: Leaving) -> int:
    """Answers until the input ends, or nobody reads the answers any more."""
    async with Opening(settings) as opening:

        async def who(_context: Context[Any, Any]) -> Asked:
            correlation_id = uuid4()
            # For the rest of the call, in whose task this is awaited.
            structlog.contextvars.bind_contextvars(correlation_id=str(correlation_id))
            return Asked(await opening.memory(), settings.keepsake_user, correlation_id)

        try:
            await MemoryServer(who, settings).converse(_decoded(sys.stdin.fileno()))
        except* BrokenPipeError:
            pass  # the client has gone without closing our input
    return 0


async def _decoded(descriptor: int) -> AsyncIterator[str]:
    """A byte that is not UTF-8 spoils its message alone. The library's own reader holds up a signal
    until the next line comes."""
    async for line in read_lines(descriptor):
        yield line.decode("utf-8", errors="replace")
