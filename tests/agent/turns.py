"""One turn from the outside, and what it left in the database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

from agents import Model, ModelSettings

from agent.assistant import Assistant
from agent.turn.events import TextDelta, ToolCalled, TurnClosed, TurnEvent
from agent.turn.lifecycle import AssistantSettings
from memory.cache import Cache, SessionCache
from memory.errors import KeepsakeError
from memory.service import MemoryService
from memory.store.database import Database
from memory.understanding import OfflineReader

Assist: TypeAlias = Callable[[Model], Assistant]


@dataclass
class Told:
    """What a turn told whoever listened to it."""

    events: list[TurnEvent] = field(default_factory=list)
    error: KeepsakeError | None = None

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def tools(self) -> list[str]:
        return [event.name for event in self.events if isinstance(event, ToolCalled)]

    @property
    def closed(self) -> TurnClosed:
        [closing] = [event for event in self.events if isinstance(event, TurnClosed)]
        return closing

    @property
    def memories(self) -> list[str]:
        return [item.content for item in self.closed.memories]


def _make_assistant(model: Model, memory: MemoryService, cache: Cache) -> Assistant:
    return Assistant(
        model=model,
        model_settings=ModelSettings(),
        memory=memory,
        reader=OfflineReader(),
        cache=SessionCache(cache),
        settings=AssistantSettings(),
    )


@asynccontextmanager
async def assists(memory: MemoryService, cache: Cache) -> AsyncIterator[Assist]:
    """Makes assistants; in the end each has finished what goes on behind its replies."""
    made: list[Assistant] = []

    def make(model: Model) -> Assistant:
        made.append(_make_assistant(model, memory, cache))
        return made[-1]

    try:
        yield make
    finally:
        for assistant in made:
            await assistant.aclose()


async def take_turn(assistant: Assistant, user_id: str, conversation: UUID, text: str) -> Told:
    """Listens to the end. An error that a person would be told is kept, any other is raised."""
    told = Told()
    try:
        async for event in assistant.answer(user_id, conversation, text):
            told.events.append(event)
            if isinstance(event, TurnClosed):
                assistant.note_shown(user_id, conversation, event.question)
    except KeepsakeError as error:
        told.error = error
    return told


async def read_messages(database: Database, user_id: str) -> list[dict[str, Any]]:
    """Every message of the user in order, with all of its columns."""
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT * FROM messages ORDER BY position")
    return [dict(row) for row in rows]


async def read_exchange(database: Database, user_id: str) -> list[tuple[str, str, str]]:
    """Role, content and status of every message of the user in order."""
    rows = await read_messages(database, user_id)
    return [(row["role"], row["content"], row["status"]) for row in rows]
