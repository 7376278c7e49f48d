"""Conversations as they are stored, and rows as the search gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.store.search import AdjacentMessage, MessageCandidate
from memory.store.vectors import MissingVectorStore
from memory.types import DEFAULT_SPACE, Role
from tests.memory.fakes import vector_of

Line = tuple[Role, str]
SAID_AT = datetime(2026, 5, 3, tzinfo=UTC)


@dataclass
class Talk:
    """What a user said, with the vectors of `WordEmbedder`."""

    database: Database
    user_id: str

    async def say(
        self, *lines: Line, chat: UUID | None = None, space: str = DEFAULT_SPACE, **fields: Any
    ) -> list[UUID]:
        """One conversation, a new turn from each of the user's messages on; the ids in order."""
        conversations, chat = DatabaseConversations(self.database), chat or uuid4()
        ids, turn = [], fields.pop("turn", uuid4())
        for place, (role, text) in enumerate(lines):
            if role == "user" and place > 0:
                turn = uuid4()
            new = NewMessage(role, text, turn, **fields)
            ids.append(new.id)
            await conversations.add_message(self.user_id, chat, new, space)
        await self.embed()
        return ids

    async def embed(self) -> None:
        embeddings = MissingVectorStore(self.database)
        rows = await embeddings.waiting("messages", self.user_id, 1000)
        vectors = [vector_of(row.content) for row in rows]
        await embeddings.write("messages", self.user_id, rows, vectors, "words")


def row(content: str, role: Role = "user", **fields: Any) -> MessageCandidate:
    return MessageCandidate(
        id=fields.pop("id", uuid4()),
        conversation_id=uuid4(),
        role=role,
        content=content,
        created_at=SAID_AT,
        cosine=fields.pop("cosine", 0.5),
        **fields,
    )


def beside(content: str, role: Role = "user", cosine: float | None = 0.5) -> AdjacentMessage:
    return AdjacentMessage(uuid4(), role, content, cosine)


def contents(items: Sequence[Any]) -> list[str]:
    return [each.content for each in items]
