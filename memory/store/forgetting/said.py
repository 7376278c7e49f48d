"""Past messages by the words that they hold, and their removal in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.database import Database
from memory.episode import Episode
from memory.models import Origin, Role
from memory.store.episodes.redaction import episodes_of
from memory.store.forgetting.unsaying import Besides, remove_besides
from memory.store.memories.items import lock_user
from memory.store.queries import load_queries

_SQL = load_queries("forgetting/said")
# Texts in one query.
_BATCH = 2_000


@dataclass(frozen=True)
class SaidMessage:
    id: UUID
    conversation_id: UUID
    correlation_id: UUID
    role: Role
    content: str
    created_at: datetime


class SaidStore:
    """Every method is one transaction of the user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def about(
        self, user_id: str, space: str, text: str, words: Sequence[str], not_turn: UUID | None
    ) -> list[SaidMessage]:
        """Every message of the space with one of the text's lexemes or, as a part of whatever, one
        of the words; the oldest first. The turn `not_turn` is left out."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["about"], user_id, space, not_turn, text, list(words)
            )
        return [_message(row) for row in rows]

    async def replies(self, user_id: str, turns: Collection[UUID]) -> list[SaidMessage]:
        """What was answered in the turns, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["replies"], user_id, list(turns))
        return [_message(row) for row in rows]

    async def read(self, user_id: str, ids: Sequence[UUID]) -> list[SaidMessage]:
        """Those of the messages that are still there, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read"], user_id, list(ids))
        return [_message(row) for row in rows]

    async def episodes(self, user_id: str, space: str) -> list[Episode]:
        """Every episode of a space."""
        async with self._database.as_user(user_id) as connection:
            return await episodes_of(connection, user_id, space)

    async def lexemes(self, user_id: str, texts: Sequence[str]) -> list[frozenset[str]]:
        """All words of each text as the keyword search knows them, without stop words."""
        found: list[frozenset[str]] = []
        async with self._database.as_user(user_id) as connection:
            for start in range(0, len(texts), _BATCH):
                batch = list(texts[start : start + _BATCH])
                rows = await connection.fetch(_SQL["lexemes"], batch)
                found += [frozenset(row["words"]) for row in rows]
        return found

    async def titles(self, user_id: str, space: str) -> dict[UUID, str]:
        """The titles of a space's conversations."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["titles"], user_id, space)
        return {row["id"]: row["title"] for row in rows}

    async def remove(self, user_id: str, besides: Besides, origin: Origin) -> None:
        """Removes what was said, and the turn that asked for it, for good."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await remove_besides(connection, user_id, besides, origin)


def _message(row: Any) -> SaidMessage:
    return SaidMessage(**dict(row))
