"""How often a memory was recalled, when, and what it was ranked by the last time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from memory.database import Database
from memory.store.queries import load_queries
from memory.store.upkeep.capacity import Scores

_SQL = load_queries("memories/usage")


@dataclass(frozen=True)
class Used:
    """`times` recalled since it was last written down, `scores` of the last time."""

    times: int
    scores: Scores

    def then(self, later: Used) -> Used:
        """Both together; the scores are those of the later moment."""
        newest = max(self.scores, later.scores, key=lambda scores: scores.computed_at)
        return Used(self.times + later.times, newest)


class Usage:
    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_writable(self) -> bool:
        """False in an incognito conversation, which leaves no trace."""
        return self._database.access == "write"

    async def note(self, user_id: str, used: Mapping[UUID, Used]) -> None:
        """Counts the recalls and keeps the last scores of memories that are still there."""
        try:
            await self._write(user_id, used)
        except asyncpg.ForeignKeyViolationError:  # one was erased between the read and the write
            await self._write(user_id, used)

    async def _write(self, user_id: str, used: Mapping[UUID, Used]) -> None:
        scores = [each.scores for each in used.values()]
        async with self._database.as_user(user_id) as connection:
            await connection.execute(
                _SQL["note"],
                user_id,
                list(used),
                [each.times for each in used.values()],
                [each.computed_at for each in scores],
                [json.dumps(asdict(each), default=datetime.isoformat) for each in scores],
            )
