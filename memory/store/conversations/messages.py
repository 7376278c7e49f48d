"""One message on its way into a conversation, within the caller's transaction."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from memory.database import Connection
from memory.models import Message, MessageStatus, Role
from memory.store.queries import load_queries

TITLE_CHARS = 80
LATEST = 2**62
_SQL = load_queries("conversations/messages")


@dataclass(frozen=True)
class NewMessage:
    """A message to keep, once by its `id` however often it is sent. `recalled` holds what a
    reply rested on: item ids and relevances; `needs_learning` that the write path is to look at
    it; `recallable` that a recall over past messages may bring it back. `grown_from` is what was
    kept of it last, None where nothing was."""

    role: Role
    content: str
    correlation_id: UUID
    status: MessageStatus = "complete"
    recalled: tuple[dict[str, Any], ...] = ()
    needs_learning: bool = False
    recallable: bool = True
    id: UUID = field(default_factory=uuid4)
    grown_from: str | None = None


async def open_conversation(
    connection: Connection, user_id: str, conversation_id: UUID, new: NewMessage, space: str
) -> None:
    """Also locks the conversation, so that whoever writes to it comes one after the other."""
    await connection.execute(
        _SQL["open_conversation"], user_id, conversation_id, title_of(new.content), space
    )


async def add_message(
    connection: Connection, user_id: str, conversation_id: UUID, new: NewMessage
) -> tuple[Message, int]:
    """The message as it is kept, and the position of the one before it. One that was reworded or
    taken away while it grew stays so; of that one nothing is shown."""
    row = await connection.fetchrow(
        _SQL["add_message"],
        user_id,
        conversation_id,
        new.role,
        new.content,
        new.status,
        new.correlation_id,
        json.dumps(new.recalled),
        new.id,
        new.needs_learning,
        new.recallable,
        new.grown_from,
    )
    assert row is not None
    kept = dict(row)
    before: int = kept.pop("before")
    return (_gone(conversation_id, new, before) if kept["id"] is None else Message(**kept)), before


def _gone(conversation_id: UUID, new: NewMessage, before: int) -> Message:
    return Message(
        id=new.id,
        conversation_id=conversation_id,
        role=new.role,
        content="",
        status="withheld",
        correlation_id=new.correlation_id,
        position=before,
        created_at=datetime.now(UTC),
    )


def title_of(content: str) -> str | None:
    """The first words of a message, as they name a conversation."""
    return " ".join(content.split())[:TITLE_CHARS] or None
