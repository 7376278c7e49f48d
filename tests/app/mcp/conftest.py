"""The tools as a client in this process sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from uuid import uuid4

import pytest
from mcp import Client
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent

from app.mcp.server import MemoryServer
from app.mcp.tools import ToolCall
from memory.config import Settings
from memory.service import MemoryService
from memory.types import NewMemory, StoredMemory

ToolOf: TypeAlias = Callable[..., "Tool"]


class Tool:
    """Calls the tools by their names, each in a connection of its own: a test's fixtures begin and
    end in other tasks than the test, which a connection does not survive."""

    def __init__(self, server: MemoryServer) -> None:
        self.server = server

    async def __call__(self, name: str, **arguments: Any) -> CallToolResult:
        async with Client(self.server) as client:
            return await client.call_tool(name, arguments)

    async def told(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that works."""
        result = await self(name, **arguments)
        assert not result.is_error, text_of(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    async def refused(self, name: str, **arguments: Any) -> str:
        """What a call that does not work says."""
        result = await self(name, **arguments)
        assert result.is_error, result
        assert result.structured_content is None
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.fixture
def tool_of(memory: MemoryService, settings: Settings) -> ToolOf:
    """Of a server that serves this user alone, as over stdio."""

    def connect(user_id: str, of: MemoryService = memory) -> Tool:
        async def who(_context: Context[Any, Any]) -> ToolCall:
            return ToolCall(of, user_id, uuid4())

        return Tool(MemoryServer(who, settings))

    return connect


@pytest.fixture
def tool(tool_of: ToolOf, user_id: str) -> Tool:
    """Of the test's user."""
    return tool_of(user_id)


async def keep(memory: MemoryService, user_id: str, content: str, **more: Any) -> StoredMemory:
    outcome = await memory.remember(user_id, NewMemory(content=content, **more))
    return outcome.item
