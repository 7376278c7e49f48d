"""Episodes as rows, what is taken out of them, and the tasks that they are found by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn
from uuid import UUID

from pgvector import HalfVector

from memory.embeddings.protocol import Embedding
from memory.errors import EpisodeEnded, EpisodeNotFound
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, count_rows, load_queries
from memory.store.memories import PageCursor, lock_user
from memory.types import (
    EPISODE_MIDPOINT,
    MAX_ACTION_BYTES,
    MAX_ACTIONS,
    MIN_EPISODE_VALUE,
    NO_USER,
    EpisodeAction,
    EpisodeResult,
    NewEpisode,
    Origin,
    StoredEpisode,
)

MAX_OPEN_EPISODES = 20
_SQL = load_queries("episodes", columns=StoredEpisode.model_fields)


@dataclass(frozen=True)
class EpisodeRules:
    """What is kept: `cap` ended episodes of a user, each worth `threshold` at least by the
    `midpoint`."""

    midpoint: float = EPISODE_MIDPOINT
    threshold: float = MIN_EPISODE_VALUE
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
    ) -> StoredEpisode:
        """Begins one; of those that go on the MOST_OPEN newest stay. Raises MemoryOff."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(
                _SQL["start"],
                user_id,
                new.task,
                json.dumps(new.plan),
                new.space,
                embedding,
                None if embedding is None else embedding_model,
            )
            assert row is not None
            await record_audit(connection, user_id, "episode_started", origin, row["id"])
            await _drop_episodes(
                connection, user_id, origin, "drop_abandoned", None, MAX_OPEN_EPISODES
            )
        return to_episode(row)

    async def record(self, user_id: str, episode_id: UUID, action: EpisodeAction) -> StoredEpisode:
        """Raises EpisodeNotFound, EpisodeEnded where it has ended or is full, and MemoryOff."""
        added = json.dumps([action.model_dump(mode="json")])
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            row = await connection.fetchrow(
                _SQL["record"], user_id, episode_id, added, MAX_ACTIONS, MAX_ACTION_BYTES
            )
            if row is None:
                await _raise_not_writable(connection, user_id, episode_id)
        return to_episode(row)

    async def complete(
        self, user_id: str, episode_id: UUID, ending: EpisodeResult, origin: Origin
    ) -> StoredEpisode:
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
                await _raise_not_writable(connection, user_id, episode_id)
            await record_audit(connection, user_id, "episode_completed", origin, episode_id)
            await self._drop_worthless(connection, user_id, origin)
        return to_episode(row)

    async def read(self, user_id: str, episode_id: UUID) -> StoredEpisode:
        """Raises EpisodeNotFound."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["read"], user_id, episode_id)
        if row is None:
            raise EpisodeNotFound
        return to_episode(row)

    async def read_all(self, user_id: str, ids: Sequence[UUID]) -> dict[UUID, StoredEpisode]:
        """Those of them that are still there, by their ids."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_all"], user_id, list(ids))
        return {row["id"]: to_episode(row) for row in rows}

    async def browse(
        self, user_id: str, space: str, after: PageCursor | None, limit: int
    ) -> list[StoredEpisode]:
        """The newest first, from `after` on."""
        since = (None, None) if after is None else (after.created_at, after.id)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, space, *since, limit)
        return [to_episode(row) for row in rows]

    async def delete(self, user_id: str, episode_id: UUID, origin: Origin) -> None:
        """For good, at once. Raises EpisodeNotFound."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            if await connection.fetchval(_SQL["delete"], user_id, episode_id) is None:
                raise EpisodeNotFound
            await record_audit(connection, user_id, "episode_deleted", origin, episode_id)

    async def apply_retention(self, user_id: str, since: datetime, origin: Origin) -> int:
        """Removes the open ones that nothing was done with `since` then, and what is worth the
        least; how many."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            gone = await _drop_episodes(
                connection, user_id, origin, "drop_abandoned", since, MAX_OPEN_EPISODES
            )
            return gone + await self._drop_worthless(connection, user_id, origin)

    async def _drop_worthless(self, connection: Connection, user_id: str, origin: Origin) -> int:
        rules = self._rules
        limits = (rules.midpoint, rules.threshold, rules.cap)
        return await _drop_episodes(connection, user_id, origin, "drop_worthless", *limits)


class EpisodeUsers:
    """For a database that acts as the worker."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def next(self, after: str, limit: int) -> list[str]:
        """The next users who have episodes, in the order of their names."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["owners"], after, limit)
        return [row["user_id"] for row in rows]


async def _drop_episodes(
    connection: Connection, user_id: str, origin: Origin, query: str, *limits: object
) -> int:
    """How many a query removed; each of them is in the audit log."""
    rows = await connection.fetch(_SQL[query], user_id, *limits)
    for row in rows:
        await record_audit(connection, user_id, "episode_dropped", origin, row["id"])
    return len(rows)


async def _raise_not_writable(connection: Connection, user_id: str, episode_id: UUID) -> NoReturn:
    if await connection.fetchrow(_SQL["read"], user_id, episode_id) is None:
        raise EpisodeNotFound
    raise EpisodeEnded(most=MAX_ACTIONS, kilobytes=MAX_ACTION_BYTES // 1000)


def to_episode(row: Any) -> StoredEpisode:
    """Of a row with the COLUMNS."""
    told = {name: row[name] for name in StoredEpisode.model_fields}
    return StoredEpisode.model_validate(
        told | {"plan": json.loads(row["plan"]), "actions": json.loads(row["actions"])}
    )


# So many episodes are looked through in one statement, which has a time limit; of 200 kB each it
# takes about 2 s.
EPISODES_PER_QUERY = 50
# A tsvector holds 1 MB; a text may take several times its own length there, in bytes.
MAX_INDEXED_BYTES = 200_000


async def find_episodes_about(
    connection: Connection, user_id: str, words: Sequence[str]
) -> tuple[StoredEpisode, ...]:
    """Those that may tell of what these sentences say, the oldest first."""
    ids = [row["id"] for row in await connection.fetch(_SQL["ids"], user_id)]
    found: list[StoredEpisode] = []
    for start in range(0, len(ids), EPISODES_PER_QUERY):
        some = ids[start : start + EPISODES_PER_QUERY]
        rows = await connection.fetch(_SQL["about"], user_id, some, list(words), MAX_INDEXED_BYTES)
        found += [to_episode(row) for row in rows]
    return tuple(found)


async def read_episodes_of_space(
    connection: Connection, user_id: str, space: str
) -> list[StoredEpisode]:
    rows = await connection.fetch(_SQL["of_space"], user_id, space)
    return [to_episode(row) for row in rows]


async def reword_episodes(
    connection: Connection, user_id: str, episodes: Sequence[StoredEpisode]
) -> None:
    """Puts other words in the place of those that are stored."""
    told = [
        (
            user_id,
            each.id,
            each.task,
            json.dumps(each.plan),
            json.dumps([action.model_dump(mode="json") for action in each.actions]),
            list(each.lessons_learned),
            list(each.failure_modes),
        )
        for each in episodes
    ]
    await connection.executemany(_SQL["reword"], told)


# What the meaning counts of how alike two tasks are; the rest is their words.
VECTOR_WEIGHT = 0.7


@dataclass(frozen=True)
class SimilarTask:
    """The task of an episode, by how much it is like another one, from 0 to 1."""

    id: UUID
    task: str
    likeness: float


@dataclass(frozen=True)
class TaskQuery:
    """A task that others are to be like, with its vector of `model` where there is one."""

    space: str
    task: str
    embedding: Embedding | None
    model: str


class EpisodeTaskIndex:
    """The tasks of episodes, which those are found by: their words, and the vectors of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def near(
        self, user_id: str, asked: TaskQuery, at_least: float, limit: int
    ) -> list[SimilarTask]:
        """Of what has ended in the space, the one most like it first: by meaning and by the share
        of its words that the other has; by the words alone where one of them has no vector of that
        model. None where memory is off."""
        task = (asked.space, asked.task, asked.embedding, asked.model)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["near"], user_id, *task, VECTOR_WEIGHT, at_least, limit
            )
        return [SimilarTask(**dict(row)) for row in rows]

    async def waiting(self, user_id: str, model: str, limit: int) -> dict[UUID, str]:
        """Tasks without a vector of the model by their episode, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["waiting"], user_id, model, limit)
        return {row["id"]: row["task"] for row in rows}

    async def fill(
        self,
        user_id: str,
        tasks: Mapping[UUID, str],
        vectors: Sequence[Embedding | None],
        model: str,
    ) -> int:
        """The vectors of the tasks in their order, None where the model refuses one, which then
        waits no more; how many were filled. What was reworded or removed meanwhile is left
        alone."""
        made = [None if vector is None else HalfVector(vector) for vector in vectors]
        given = (list(tasks), list(tasks.values()), made, model)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            done = await connection.execute(_SQL["fill"], user_id, *given)
        return count_rows(done)
