"""Conversations and their messages. Every method is one transaction of the user."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

from memory.database import Connection, Database
from memory.models import DEFAULT_SPACE, Conversation, Message, MessageStatus, Origin, Role
from memory.store.audit import record
from memory.store.conversation_listing import (
    ConversationFilter,
    ConversationPage,
    MessagePage,
    ShownMessage,
    page_of,
)
from memory.store.listing import Place
from memory.store.queries import load_queries
from memory.store.taking_back import TakenBack, carry_over, retitle, take_back

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
            await _open(connection, user_id, conversation_id, new, space)
            return await _add(connection, user_id, conversation_id, new)

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int, TakenBack]:
        """Keeps a message in the place of the last turn, which goes in the same transaction: at no
        moment are both there, or neither. With the same words what was learned from the old message
        comes from the new one, and nothing is learned twice. Raises NotTheLastTurn."""
        async with self._database.as_user(user_id) as connection:
            await _open(connection, user_id, conversation_id, new, space)
            taken = await take_back(connection, user_id, conversation_id, instead_of)
            old = taken.said
            if old is not None and old.content == new.content:
                taken = replace(taken, again=True)
                new = replace(new, needs_learning=new.needs_learning and old.needs_learning)
            message, before = await _add(connection, user_id, conversation_id, new)
            if old is not None:
                titles = (_title(old.content), _title(new.content))
                await retitle(connection, user_id, conversation_id, *titles)
            if old is not None and taken.again:
                await carry_over(connection, user_id, old.id, message.id)
        return message, before, taken

    async def take_back(self, user_id: str, conversation_id: UUID, turn_id: UUID) -> TakenBack:
        """Removes the last turn. Raises NotTheLastTurn."""
        async with self._database.as_user(user_id) as connection:
            return await take_back(connection, user_id, conversation_id, turn_id)

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

    async def browse(self, user_id: str, wanted: ConversationFilter) -> ConversationPage:
        """See `ConversationFilter`; the last used first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, *wanted.arguments)
        found = tuple(Conversation(**dict(row)) for row in rows[: wanted.limit])
        last = found[-1] if len(rows) > wanted.limit else None
        return ConversationPage(
            found, None if last is None else Place(created_at=last.updated_at, id=last.id)
        )

    async def read(self, user_id: str, conversation_id: UUID) -> Conversation | None:
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["read"], user_id, conversation_id)
        return None if row is None else Conversation(**dict(row))

    async def page(
        self, user_id: str, conversation_id: UUID, limit: int, before: int = LATEST
    ) -> MessagePage:
        """The newest messages before a position."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["page"], user_id, conversation_id, before, limit + 1)
        return page_of([_shown(dict(row)) for row in rows], limit)

    async def of_turn(self, user_id: str, correlation_id: UUID) -> list[ShownMessage]:
        """What was said in a turn, in order; empty where there is nothing of it."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["of_turn"], user_id, correlation_id)
        return [_shown(dict(row)) for row in rows]

    async def rename(self, user_id: str, conversation_id: UUID, title: str) -> Conversation | None:
        """None where it is not there."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["rename"], user_id, conversation_id, title)
        return None if row is None else Conversation(**dict(row))

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Removes a conversation with all that was said in it; whether it was there."""
        async with self._database.as_user(user_id) as connection:
            gone = await connection.fetchval(_SQL["remove_conversation"], user_id, conversation_id)
            if gone is not None:
                await record(connection, user_id, "conversation_deleted", origin, conversation=gone)
        return gone is not None

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


def _shown(row: dict[str, Any]) -> ShownMessage:
    recalled = json.loads(row.pop("recalled"))
    return ShownMessage(Message(**row), tuple(recalled))


async def _open(
    connection: Connection, user_id: str, conversation_id: UUID, new: NewMessage, space: str
) -> None:
    """Also locks the conversation, so that whoever writes to it comes one after the other."""
    await connection.execute(
        _SQL["open_conversation"], user_id, conversation_id, _title(new.content), space
    )


async def _add(
    connection: Connection, user_id: str, conversation_id: UUID, new: NewMessage
) -> tuple[Message, int]:
    before: int = await connection.fetchval(_SQL["last_position"], user_id, conversation_id, new.id)
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


def _title(content: str) -> str | None:
    return " ".join(content.split())[:TITLE_CHARS] or None
