"""The tasks of episodes, which those are found by: their words, and the vectors of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.store.memories.items import lock_user
from memory.store.queries import load_queries

# What the meaning counts of how alike two tasks are; the rest is their words.
MEANING = 0.7
_SQL = load_queries("episodes/tasks")


@dataclass(frozen=True)
class Near:
    """The task of an episode, by how much it is like another one, from 0 to 1."""

    id: UUID
    task: str
    likeness: float


@dataclass(frozen=True)
class Asked:
    """A task that others are to be like, with its vector of `model` where there is one."""

    space: str
    task: str
    embedding: Embedding | None
    model: str


class EpisodeTasks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def near(self, user_id: str, asked: Asked, at_least: float, limit: int) -> list[Near]:
        """Of what has ended in the space, the one most like it first: by meaning and by the share
        of its words that the other has; by the words alone where one of them has no vector of that
        model. None where memory is off."""
        vector = None if asked.embedding is None else HalfVector(asked.embedding)
        given = (asked.space, asked.task, vector, asked.model, MEANING, at_least, limit)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["near"], user_id, *given)
        return [Near(**dict(row)) for row in rows]

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
        return int(done.rsplit(" ", 1)[-1])
