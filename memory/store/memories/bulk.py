"""Many memories or messages at once. COPY is refused under row-level security, so this is one
INSERT of arrays, which the policy checks like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.models import Role
from memory.store.conversations.messages import title_of
from memory.store.queries import load_queries

_SQL = load_queries("memories/bulk")


@dataclass(frozen=True)
class ReadyItem:
    """A fact with its vector; the id is the caller's, so that nothing has to be read back."""

    id: UUID
    content: str
    embedding: Embedding


@dataclass(frozen=True)
class PastMessage:
    """A message that was written at another time; the two sides of a turn share their
    `correlation_id`."""

    id: UUID
    role: Role
    content: str
    correlation_id: UUID
    created_at: datetime


class Bulk:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, user_id: str, items: Sequence[ReadyItem], model: str) -> None:
        """Keeps all of them or none; a few thousand are one statement's worth."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["load"],
                user_id,
                [item.id for item in items],
                [item.content for item in items],
                [HalfVector(item.embedding) for item in items],
                model,
            )

    async def load_conversation(
        self, user_id: str, conversation_id: UUID, messages: Sequence[PastMessage]
    ) -> None:
        """Keeps a new conversation with its messages in their order, or nothing; the messages wait
        for their vectors. Its title is the first thing that was said."""
        title = title_of(messages[0].content) if messages else None
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["load_conversation"], user_id, conversation_id, title)
            await connection.execute(
                _SQL["load_messages"],
                user_id,
                conversation_id,
                [message.id for message in messages],
                [message.role for message in messages],
                [message.content for message in messages],
                [message.correlation_id for message in messages],
                [message.created_at for message in messages],
            )
