"""What the front doors are made from; built once, in `app.serve` and in tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent.assistant import Assistant
from app.identity.caller import Identifier
from memory.service import Memory
from memory.settings import Settings


@dataclass(frozen=True)
class Served:
    """`ready` raises a KeepsakeError where the program cannot answer for now."""

    settings: Settings
    memory: Memory
    assistant: Assistant
    identifier: Identifier
    ready: Callable[[], Awaitable[None]]
