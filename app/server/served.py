"""What the front doors are made from; built once, in `app.serve` and in tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent.assistant import Assistant
from app.chats.chats import Chats
from app.identity.caller import Identifier
from app.identity.credentials import CredentialIdentifier
from app.server.metrics import Metrics
from app.server.rate import Limits
from memory.service import Memory
from memory.settings import Settings


@dataclass(frozen=True)
class Served:
    """`ready` raises a KeepsakeError where the program cannot answer for now. `signing_in` begins
    sessions in the modes that have some."""

    settings: Settings
    memory: Memory
    assistant: Assistant
    identifier: Identifier
    chats: Chats
    limits: Limits
    metrics: Metrics
    ready: Callable[[], Awaitable[None]]
    signing_in: CredentialIdentifier | None = None
