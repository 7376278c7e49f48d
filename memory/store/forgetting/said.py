"""Past messages by the words that they hold, and their removal in one transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.database import Database
from memory.episode import Episode
from memory.models import Origin, Role
from memory.store.audit import record
from memory.store.episodes.redaction import episodes_of, reword_episodes
from memory.store.forgetting.forgetting import History
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


@dataclass(frozen=True)
class Unsaying:
    """New words of messages and titles by id, the messages to take away, and episodes in their new
    words."""

    reworded: Mapping[UUID, str]
    taken: tuple[UUID, ...]
    titles: Mapping[UUID, str | None]
    episodes: tuple[Episode, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """As a tombstone counts what was removed."""
        counted = {
            "messages_redacted": len(self.reworded),
            "messages_deleted": len(self.taken),
            "titles_redacted": len(self.titles),
            "episodes_redacted": len(self.episodes),
        }
        return {name: count for name, count in counted.items() if count}


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

    async def unsay(
        self,
        user_id: str,
        unsaying: Unsaying,
        origin: Origin,
        *,
        history: History,
        items: Sequence[UUID],
    ) -> None:
        """Removes it for good, with vectors and search rows, and notes how much it was: in the
        audit log, and on the tombstones of the memories that were forgotten with it."""
        counts = unsaying.counts
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            reworded = [(user_id, *pair) for pair in unsaying.reworded.items()]
            await connection.executemany(_SQL["reword"], reworded)
            await connection.execute(_SQL["take_away"], user_id, list(unsaying.taken))
            retitled = [(user_id, *pair) for pair in unsaying.titles.items()]
            await connection.executemany(_SQL["retitle"], retitled)
            await reword_episodes(connection, user_id, unsaying.episodes)
            said = json.dumps(counts)
            await connection.execute(_SQL["count_on_tombstones"], user_id, list(items), said)
            await record(
                connection, user_id, "said_forgotten", origin, history=history, removed=counts
            )


def _message(row: Any) -> SaidMessage:
    return SaidMessage(**dict(row))
