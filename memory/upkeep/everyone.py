"""What the worker sees of all users at once: rows without a vector, whose erasure is due, and whose
messages wait to be learned from."""

from __future__ import annotations

from datetime import datetime, timedelta

from memory.store.forgetting import ForgettingStore
from memory.store.idempotency import Idempotency
from memory.store.learning import LearningMarks
from memory.upkeep.backfill import Backfill

# Of one round of the worker.
MOST_LEARNERS = 20
# So long the program that took a message has for learning from it.
LEARNED_WITHIN = timedelta(minutes=5)


class Everyone:
    """Over a database that acts as the worker. What touches a user's words is done as that user,
    through `Memory`."""

    def __init__(
        self,
        backfill: Backfill,
        forgetting: ForgettingStore,
        marks: LearningMarks,
        idempotency: Idempotency,
    ) -> None:
        self._backfill = backfill
        self._forgetting = forgetting
        self._marks = marks
        self._idempotency = idempotency
        self._last = ""

    async def embed_waiting(self) -> int:
        """Fills the missing vectors of all users; see `Backfill.run`."""
        return await self._backfill.run(None)

    async def sweep_requests(self, now: datetime) -> int:
        """Takes away what is known of requests for longer than it is needed; how many."""
        return await self._idempotency.sweep(now)

    async def users_with_due(self, now: datetime) -> list[str]:
        """Those of whose forgotten memories some wait to be erased."""
        return await self._forgetting.users_with_due(now)

    async def users_waiting_to_learn(self, now: datetime) -> list[str]:
        """The next MOST_LEARNERS of those whose messages were left waiting, for LEARNED_WITHIN at
        least: each call goes on where the last one ended, so that nobody whose messages cannot be
        learned from stands in the way of the others."""
        users = await self._marks.users_waiting(self._last, now - LEARNED_WITHIN, MOST_LEARNERS)
        self._last = users[-1] if len(users) == MOST_LEARNERS else ""
        return users
