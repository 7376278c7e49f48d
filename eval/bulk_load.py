"""Many rows of a user at once, past all that decides what is kept, as a measurement needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from pgvector import HalfVector

from memory.embeddings.protocol import Embedding
from memory.store.database import Database, load_queries
from memory.store.messages import title_from
from memory.types import Role
from migrations.runner import owner_connection

_SQL = load_queries("bulk_load", "eval")


@dataclass(frozen=True)
class PreparedMemory:
    """A fact with its vector; the id is the caller's, so that nothing has to be read back."""

    id: UUID
    content: str
    embedding: Embedding


@dataclass(frozen=True)
class DatedMessage:
    """A message that was written at another time; the two sides of a turn share their
    `correlation_id`."""

    id: UUID
    role: Role
    content: str
    correlation_id: UUID
    created_at: datetime


async def load_memories(
    database: Database, user_id: str, items: Sequence[PreparedMemory], model: str
) -> None:
    """Keeps all of them or none; a few thousand are one statement's worth."""
    async with database.as_user(user_id) as connection:
        await connection.execute(
            _SQL["memories"],
            user_id,
            [item.id for item in items],
            [item.content for item in items],
            [HalfVector(item.embedding) for item in items],
            model,
        )


async def load_conversation(
    database: Database, user_id: str, conversation_id: UUID, messages: Sequence[DatedMessage]
) -> None:
    """Keeps a new conversation with its messages in their order, or nothing; the messages wait
    for their vectors. Its title is the first thing that was said."""
    title = title_from(messages[0].content) if messages else None
    async with database.as_user(user_id) as connection:
        await connection.execute(_SQL["conversation"], user_id, conversation_id, title)
        await connection.execute(
            _SQL["messages"],
            user_id,
            conversation_id,
            [message.id for message in messages],
            [message.role for message in messages],
            [message.content for message in messages],
            [message.correlation_id for message in messages],
            [message.created_at for message in messages],
        )


async def vacuum_analyze(url: str) -> None:
    """After a bulk load, what autovacuum would do in its own time: the statistics that the planner
    needs, and the keyword index's waiting entries put in their place."""
    async with owner_connection(url) as connection:
        await connection.execute("VACUUM (ANALYZE)")
