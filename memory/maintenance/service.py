"""What happens to memories after they were kept, in one place for whoever runs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.maintenance.backfill import VectorBackfill
from memory.maintenance.capacity import Capacity
from memory.maintenance.consolidation import Consolidation
from memory.maintenance.retention import Cleanup, IndexMaintenance, RecordExpiry, Retention
from memory.store.forgetting import ForgettingStore
from memory.store.idempotency import IdempotencyStore
from memory.store.jobs import JobQueue
from memory.store.messages import LearningQueue
from memory.store.spaces import UsersWithData
from memory.types import Origin


@dataclass(frozen=True)
class Maintenance:
    """The maintenance of one user's memories at a time; every part names its user."""

    rolling_up: Consolidation
    retention: Retention
    cleanup: Cleanup
    indexes: IndexMaintenance
    expiry: RecordExpiry
    capacity: Capacity
    residents: UsersWithData

    async def keep_caps(self, user_id: str, now: datetime) -> int:
        """Keeps the cap of every space of the user, whatever was imported or seeded; how many
        memories were trimmed."""
        trimmed = 0
        for space in await self.residents.spaces(user_id):
            done = await self.capacity.enforce(user_id, space, origin=Origin("upkeep"), now=now)
            trimmed += len(done.ids)
        return trimmed


# Of one look.
MOST_LEARNERS = 200
# So long the program that took a message has for learning from it, and who wrote a row, or the job
# that the row asked for, to fill its vector.
LEARNED_WITHIN = timedelta(minutes=5)
FILLED_WITHIN = timedelta(minutes=1)


class WorkerQueries:
    """What the worker asks of all users at once: whose rows have no vector, whose erasure is due,
    and whose messages wait to be learned from. Over a database that acts as the worker; what
    touches a user's words is done as that user, through `MemoryService`."""

    def __init__(
        self,
        queue: JobQueue,
        backfill: VectorBackfill,
        forgetting: ForgettingStore,
        marks: LearningQueue,
        idempotency: IdempotencyStore,
    ) -> None:
        self.queue = queue
        self._backfill = backfill
        self._forgetting = forgetting
        self._marks = marks
        self._idempotency = idempotency
        self._last = ""

    async def embed_waiting(self, user_id: str) -> int:
        """Fills the missing vectors of a user; see `VectorBackfill.drain`. Raises what failed."""
        return await self._backfill.drain(user_id)

    async def sweep_requests(self, now: datetime) -> int:
        """Takes away what is known of requests for longer than it is needed; how many."""
        return await self._idempotency.sweep(now)

    async def users_lacking_vectors(self, now: datetime) -> list[str]:
        """Whose rows wait for longer than FILLED_WITHIN."""
        return await self.queue.users_lacking_vectors(now - FILLED_WITHIN)

    async def users_with_due_erasures(self, now: datetime) -> list[str]:
        """Those of whose forgotten memories some wait to be erased."""
        return await self._forgetting.users_with_due_erasures(now)

    async def users_waiting_to_learn(self, now: datetime) -> list[str]:
        """The next MOST_LEARNERS of those whose messages were left waiting, for LEARNED_WITHIN at
        least: each call goes on where the last one ended, so that nobody whose messages cannot be
        learned from stands in the way of the others."""
        users = await self._marks.users_waiting(self._last, now - LEARNED_WITHIN, MOST_LEARNERS)
        self._last = users[-1] if len(users) == MOST_LEARNERS else ""
        return users
