"""Messages on their way into a conversation, and those that wait to be learned from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
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
    kept of it last, None where nothing was. `utc_offset_minutes` tells where it was said, east of
    UTC; `claimed_by` is who learns from it, None where nobody does yet."""

    role: Role
    content: str
    correlation_id: UUID
    status: MessageStatus = "complete"
    recalled: tuple[dict[str, Any], ...] = ()
    needs_learning: bool = False
    recallable: bool = True
    id: UUID = field(default_factory=uuid4)
    previous_content: str | None = None
    utc_offset_minutes: int | None = None
    claimed_by: str | None = None


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
        new.utc_offset_minutes,
        new.claimed_by,
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
    """A message to learn from; `recalled` holds the memories that its reply rested on. Without an
    offset it is not known where it was said."""

    id: UUID
    role: Role
    content: str
    created_at: datetime
    correlation_id: UUID
    utc_offset_minutes: int | None
    space: str
    recalled: tuple[str, ...]

    @property
    def said_at(self) -> datetime:
        """By the clock of who said it, else by that of this machine."""
        if self.utc_offset_minutes is None:
            return self.created_at.astimezone()
        return self.created_at.astimezone(timezone(timedelta(minutes=self.utc_offset_minutes)))


# Longer than any turn takes until it is learned from.
CLAIMED_FOR = timedelta(minutes=15)


class LearningQueue:
    """Which messages wait to be learned from, and who has which of them: a claim is a name that
    nobody else uses, and void after CLAIMED_FOR. `ended` are claims of programs that ended."""

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

    async def give_up(self, user_id: str, tries: int, ended: Sequence[str] = ()) -> list[UUID]:
        """Nothing is learned any more from the messages that were tried so often and that nobody
        has; which."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["give_up"], user_id, tries, ended, CLAIMED_FOR)
        return [row["id"] for row in rows]

    async def claims(self, user_id: str) -> list[str | None]:
        """Those on the messages that wait, each once, with None where one is free."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["claims"], user_id)
        return [row["claimed_by"] for row in rows]

    async def claim(self, user_id: str, message_id: UUID, claim: str) -> bool:
        """False where another one has it, and where nothing is to be learned from it any more."""
        async with self._database.as_user(user_id) as connection:
            taken = await connection.fetchval(
                _SQL["claim"], user_id, message_id, claim, CLAIMED_FOR
            )
        return bool(taken)

    async def claim_next(
        self, user_id: str, claim: str, ended: Sequence[str] = ()
    ) -> UnlearnedMessage | None:
        """The oldest one that nobody has, which is then had under this claim."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["claim_next"], user_id, claim, ended, CLAIMED_FOR)
        if row is None:
            return None
        return UnlearnedMessage(**dict(row) | {"recalled": tuple(row["recalled"])})

    async def learned_before(self, user_id: str, message_id: UUID, within: timedelta) -> str | None:
        """The words of what was learned last, and still holds, from the message right before it in
        its conversation, where that is no older."""
        async with self._database.as_user(user_id) as connection:
            content = await connection.fetchval(_SQL["learned_before"], user_id, message_id, within)
        return None if content is None else str(content)

    async def said_before(
        self, user_id: str, message_id: UUID, limit: int
    ) -> list[tuple[Role, str]]:
        """Who said what before it in its conversation: the last messages that may be recalled, the
        oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["said_before"], user_id, message_id, limit)
        return [(row["role"], row["content"]) for row in rows]

    async def release(self, user_id: str, claim: str) -> None:
        """What is still to be learned from under this claim is free for everybody."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["release"], user_id, claim)

    async def users_waiting(self, after: str, before: datetime, limit: int) -> list[str]:
        """At most `limit` users with a message from before that moment, in the order of their ids
        and `after` one of them. For a database that acts as the worker."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["users_waiting"], after, before, limit)
        return [row["user_id"] for row in rows]
