"""Conversations and their messages. Every method is one transaction of the user."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID, uuid4

from memory.database import Database
from memory.models import DEFAULT_SPACE, Conversation, Message, MessageStatus, Role
from memory.store.queries import load_queries

TITLE_CHARS = 80
LATEST = 2**62
_SQL = load_queries("conversations")


@dataclass(frozen=True)
class NewMessage:
    """A message to keep, once by its `id` however often it is sent. `recalled` holds what a
    reply rested on: item ids and relevances; `needs_learning` that the write path is to look at
    it; `recallable` that a recall over past messages may bring it back."""

    role: Role
    content: str
    correlation_id: UUID
    status: MessageStatus = "complete"
    recalled: tuple[dict[str, Any], ...] = ()
    needs_learning: bool = False
    recallable: bool = True
    id: UUID = field(default_factory=uuid4)


class ConversationStore(Protocol):
    """What a session needs of wherever its messages are."""

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int]: ...

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST
    ) -> list[Message]: ...

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[Conversation]: ...

    async def blank_turn(self, user_id: str, correlation_id: UUID) -> None: ...

    async def pop_message(self, user_id: str, conversation_id: UUID) -> Message | None: ...

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None: ...


class Conversations:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int]:
        """Keeps a message, and its conversation when it is the first one; a message with an id
        that is there already replaces it.

        Beside the message stands the position of the one before it (0 where there
        is none), by which a cached history can be told from a stale one.
        """
        async with self._database.as_user(user_id) as connection:
            title = " ".join(new.content.split())[:TITLE_CHARS] or None
            await connection.execute(
                _SQL["open_conversation"], user_id, conversation_id, title, space
            )
            before: int = await connection.fetchval(
                _SQL["last_position"], user_id, conversation_id, new.id
            )
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
            )
            assert row is not None
            return Message(**dict(row)), before

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST
    ) -> list[Message]:
        """The newest `limit` messages with a position of at most `upto`, oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["read_recent"], user_id, conversation_id, limit, upto
            )
        return [Message(**dict(row)) for row in rows]

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[Conversation]:
        """The conversations of the user, the last used first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["list_conversations"], user_id, limit)
        return [Conversation(**dict(row)) for row in rows]

    async def blank_turn(self, user_id: str, correlation_id: UUID) -> None:
        """Both sides of a turn are “[forgotten]” from now on, its vectors are gone."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["blank_turn"], user_id, correlation_id)

    async def pop_message(self, user_id: str, conversation_id: UUID) -> Message | None:
        """Takes the newest message away and returns it."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["last_message"], user_id, conversation_id)
            if row is None:
                return None
            await connection.execute(_SQL["remove_message"], user_id, row["id"])
        return Message(**dict(row))

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None:
        """Removes every message of the conversation; the conversation stays."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["clear_conversation"], user_id, conversation_id)
