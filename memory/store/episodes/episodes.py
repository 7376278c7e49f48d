"""Episodes as rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn
from uuid import UUID

from pgvector import HalfVector

from memory.database import Connection, Database
from memory.embedders.protocol import Embedding
from memory.episode import (
    MIDPOINT,
    MOST_ACTIONS,
    MOST_BYTES,
    WORTH_KEEPING,
    Action,
    Ending,
    Episode,
    NewEpisode,
)
from memory.errors import EpisodeEnded, EpisodeNotFound
from memory.models import Origin
from memory.store.audit import record
from memory.store.memories.items import lock_user
from memory.store.memories.listing import Place
from memory.store.queries import load_queries
from memory.store.vectors.embeddings import WORKER

COLUMNS = ", ".join(Episode.model_fields)
MOST_OPEN = 20
_SQL = {
    name: sql.replace("{columns}", COLUMNS)
    for name, sql in load_queries("episodes/episodes").items()
}


@dataclass(frozen=True)
class EpisodeRules:
    """What is kept: `cap` ended episodes of a user, each worth `threshold` at least by the
    `midpoint`."""

    midpoint: float = MIDPOINT
    threshold: float = WORTH_KEEPING
    cap: int = 1000


class EpisodeStore:
    def __init__(self, database: Database, rules: EpisodeRules) -> None:
        self._database = database
        self._rules = rules

    async def start(
        self,
        user_id: str,
        new: NewEpisode,
        embedding: Embedding | None,
        embedding_model: str,
        origin: Origin,
    ) -> Episode:
        """Begins one; of those that go on the MOST_OPEN newest stay. Raises MemoryOff."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(
                _SQL["start"],
                user_id,
                new.task,
                json.dumps(new.plan),
                new.space,
                None if embedding is None else HalfVector(embedding),
                None if embedding is None else embedding_model,
            )
            assert row is not None
            await record(connection, user_id, "episode_started", origin, row["id"])
            await _drop(connection, user_id, origin, "drop_abandoned", None, MOST_OPEN)
        return episode_of(row)

    async def record(self, user_id: str, episode_id: UUID, action: Action) -> Episode:
        """Raises EpisodeNotFound, EpisodeEnded where it has ended or is full, and MemoryOff."""
        added = json.dumps([action.model_dump(mode="json")])
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(
                _SQL["record"], user_id, episode_id, added, MOST_ACTIONS, MOST_BYTES
            )
            if row is None:
                await _refuse(connection, user_id, episode_id)
        return episode_of(row)

    async def complete(
        self, user_id: str, episode_id: UUID, ending: Ending, origin: Origin
    ) -> Episode:
        """Ends it, and lets go of what is worth the least. Raises EpisodeNotFound, EpisodeEnded
        and MemoryOff."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(
                _SQL["complete"],
                user_id,
                episode_id,
                ending.outcome_score,
                list(ending.lessons_learned),
                list(ending.failure_modes),
            )
            if row is None:
                await _refuse(connection, user_id, episode_id)
            await record(connection, user_id, "episode_completed", origin, episode_id)
            await self._drop_worthless(connection, user_id, origin)
        return episode_of(row)

    async def read(self, user_id: str, episode_id: UUID) -> Episode:
        """Raises EpisodeNotFound."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["read"], user_id, episode_id)
        if row is None:
            raise EpisodeNotFound
        return episode_of(row)

    async def read_all(self, user_id: str, ids: Sequence[UUID]) -> dict[UUID, Episode]:
        """Those of them that are still there, by their ids."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_all"], user_id, list(ids))
        return {row["id"]: episode_of(row) for row in rows}

    async def browse(
        self, user_id: str, space: str, after: Place | None, limit: int
    ) -> list[Episode]:
        """The newest first, from `after` on."""
        since = (None, None) if after is None else (after.created_at, after.id)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, space, *since, limit)
        return [episode_of(row) for row in rows]

    async def delete(self, user_id: str, episode_id: UUID, origin: Origin) -> None:
        """For good, at once. Raises EpisodeNotFound."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            if await connection.fetchval(_SQL["delete"], user_id, episode_id) is None:
                raise EpisodeNotFound
            await record(connection, user_id, "episode_deleted", origin, episode_id)

    async def keep_up(self, user_id: str, since: datetime, origin: Origin) -> int:
        """Removes the open ones that nothing was done with `since` then, and what is worth the
        least; how many."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            gone = await _drop(connection, user_id, origin, "drop_abandoned", since, MOST_OPEN)
            return gone + await self._drop_worthless(connection, user_id, origin)

    async def _drop_worthless(self, connection: Connection, user_id: str, origin: Origin) -> int:
        rules = self._rules
        limits = (rules.midpoint, rules.threshold, rules.cap)
        return await _drop(connection, user_id, origin, "drop_worthless", *limits)


class EpisodeOwners:
    """For a database that acts as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def next(self, after: str, limit: int) -> list[str]:
        """The next users who have episodes, in the order of their names."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["owners"], after, limit)
        return [row["user_id"] for row in rows]


async def _drop(
    connection: Connection, user_id: str, origin: Origin, query: str, *limits: object
) -> int:
    """How many a query removed; each of them is in the audit log."""
    rows = await connection.fetch(_SQL[query], user_id, *limits)
    for row in rows:
        await record(connection, user_id, "episode_dropped", origin, row["id"])
    return len(rows)


async def _refuse(connection: Connection, user_id: str, episode_id: UUID) -> NoReturn:
    if await connection.fetchrow(_SQL["read"], user_id, episode_id) is None:
        raise EpisodeNotFound
    raise EpisodeEnded(most=MOST_ACTIONS, kilobytes=MOST_BYTES // 1000)


def episode_of(row: Any) -> Episode:
    """Of a row with the COLUMNS."""
    told = {name: row[name] for name in Episode.model_fields}
    return Episode.model_validate(
        told | {"plan": json.loads(row["plan"]), "actions": json.loads(row["actions"])}
    )
