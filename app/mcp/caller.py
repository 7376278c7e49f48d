"""Whose memory a tool works on: found out anew for every call, never an argument of the tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from mcp.server.mcpserver import Context

from memory.models import Origin
from memory.service import Memory


@dataclass(frozen=True)
class Asked:
    """One call: whose memory, and under which id the log and the audit know it."""

    memory: Memory
    user_id: str
    correlation_id: UUID

    @property
    def origin(self) -> Origin:
        """The assistant: a tool is called by a model, on its own reading of what the user wants.
        The audit then tells what programs did from what the user did by hand, as it does for the
        tools of Keepsake's own model."""
        return Origin("assistant", self.correlation_id)


WhoAsks: TypeAlias = Callable[[Context[Any, Any]], Awaitable[Asked]]
