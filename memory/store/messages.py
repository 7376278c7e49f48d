"""Messages on their way into a conversation, and those that wait to be learned from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from memory.store.database import Connection, Database, load_queries
from memory.types import NO_USER, MessageStatus, Role, StoredMessage

TITLE_CHARS = 80
LATEST_POSITION = 2**62
_SQL = load_queries("messages")


@dataclass(frozen=True)
class NewMessage:
    """A message to keep, once by its `id` however often it is sent. `recalled` holds what a
    reply rested on: item ids and relevances; `needs_learning` that it is to be learned from;
    `recallable` that a recall over past messages may bring it back. `previous_content` is what was
    kept of it last, None where nothing was."""

    role: Role
    content: str
    correlation_id: UUID
    status: MessageStatus = "complete"
    recalled: tuple[dict[str, Any], ...] = ()
    needs_learning: bool = False
    recallable: bool = True
    id: UUID = field(default_factory=uuid4)
    previous_content: str | None = None


async def open_conversation(
    connection: Connection, user_id: str, conversation_id: UUID, new: NewMessage, space: str
) -> None:
    """Also locks the conversation, so that whoever writes to it comes one after the other."""
    await connection.execute(
        _SQL["open_conversation"], user_id, conversation_id, title_from(new.content), space
    )


async def continue_conversation(
    connection: Connection, user_id: str, conversation_id: UUID
) -> bool:
    """Locks it as well; whether it is there."""
    found = await connection.fetchval(_SQL["continue_conversation"], user_id, conversation_id)
    return found is not None


async def add_message(
    connection: Connection, user_id: str, conversation_id: UUID, new: NewMessage
) -> tuple[StoredMessage, int]:
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
        new.previous_content,
    )
    assert row is not None
    kept = dict(row)
    before: int = kept.pop("before")
    return (
        withheld_message(conversation_id, new, before)
        if kept["id"] is None
        else StoredMessage(**kept)
    ), before


def withheld_message(conversation_id: UUID, new: NewMessage, before: int) -> StoredMessage:
    """What stands in the place of a message that was not kept."""
    return StoredMessage(
        id=new.id,
        conversation_id=conversation_id,
        role=new.role,
        content="",
        status="withheld",
        correlation_id=new.correlation_id,
        position=before,
        created_at=datetime.now(UTC),
    )


def title_from(content: str) -> str | None:
    """The first words of a message, as they name a conversation."""
    return " ".join(content.split())[:TITLE_CHARS] or None


@dataclass(frozen=True)
class UnlearnedMessage:
    """A message to learn from; `recalled` holds the memories that its reply rested on."""

    id: UUID
    role: Role
    content: str
    created_at: datetime
    correlation_id: UUID
    space: str
    recalled: tuple[str, ...]


class LearningQueue:
    """Which messages wait to be learned from."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def needs_learning(self, user_id: str, message_id: UUID) -> bool:
        """False too for a message that is not there any more."""
        async with self._database.as_user(user_id) as connection:
            return bool(await connection.fetchval(_SQL["needs_learning"], user_id, message_id))

    async def learned(self, user_id: str, message_id: UUID) -> None:
        """Nothing is learned from the message from now on."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["learned"], user_id, message_id)

    async def wait_again(self, user_id: str, message_id: UUID) -> None:
        """The message is learned from after all, by whoever looks for those that wait."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["wait_again"], user_id, message_id)

    async def begin(self, user_id: str, message_id: UUID) -> None:
        """Counts a try, before it begins: whoever dies of it cannot count it afterwards."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["begin"], user_id, message_id)

    async def give_back(self, user_id: str, message_id: UUID) -> None:
        """The try that was begun does not count."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["give_back"], user_id, message_id)

    async def give_up(self, user_id: str, tries: int) -> list[UUID]:
        """Nothing is learned any more from the messages that were tried so often; which."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["give_up"], user_id, tries)
        return [row["id"] for row in rows]

    async def waiting(self, user_id: str, limit: int) -> list[UnlearnedMessage]:
        """At most `limit` messages, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["waiting"], user_id, limit)
        return [
            UnlearnedMessage(**dict(row) | {"recalled": tuple(row["recalled"])}) for row in rows
        ]

    async def users_waiting(self, after: str, before: datetime, limit: int) -> list[str]:
        """At most `limit` users with a message from before that moment, in the order of their ids
        and `after` one of them. For a database that acts as the worker."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["users_waiting"], after, before, limit)
        return [row["user_id"] for row in rows]
