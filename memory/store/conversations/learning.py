"""Which messages wait to be learned from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.database import Database
from memory.models import Role
from memory.store.queries import load_queries
from memory.understanding import EarlierMessage

WORKER = "-"
_SQL = load_queries("conversations/learning")


@dataclass(frozen=True)
class WaitingMessage:
    """A message to learn from; `recalled` holds the memories that its reply rested on."""

    id: UUID
    role: Role
    content: str
    created_at: datetime
    correlation_id: UUID
    space: str
    recalled: tuple[str, ...]


class LearningMarks:
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

    async def waiting(self, user_id: str, limit: int) -> list[WaitingMessage]:
        """At most `limit` messages, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["waiting"], user_id, limit)
        return [WaitingMessage(**dict(row) | {"recalled": tuple(row["recalled"])}) for row in rows]

    async def said_before(self, user_id: str, message_id: UUID, limit: int) -> list[EarlierMessage]:
        """The last of what was said before it in its conversation, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["said_before"], user_id, message_id, limit)
        return [EarlierMessage(row["role"], row["text"]) for row in rows]

    async def users_waiting(self, after: str, before: datetime, limit: int) -> list[str]:
        """At most `limit` users with a message from before that moment, in the order of their ids
        and `after` one of them. For a database that acts as the worker."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["users_waiting"], after, before, limit)
        return [row["user_id"] for row in rows]
