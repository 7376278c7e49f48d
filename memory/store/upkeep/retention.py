"""What has been kept long enough: taken out of recall by a rule, and removed for good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.database import Database
from memory.models import ItemType, Origin
from memory.store.audit import record
from memory.store.memories.items import lock_user
from memory.store.queries import load_queries

_SQL = load_queries("upkeep/retention")


@dataclass(frozen=True)
class Retainable:
    """A memory as a rule of retention looks at it."""

    id: UUID
    content: str
    type: ItemType
    space: str
    bank: str
    created_at: datetime


@dataclass(frozen=True)
class Removable(Retainable):
    """One that has waited for its removal; `why` it was taken out of recall."""

    why: str


class RetentionStore:
    """Every method names its user, and is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def retainable(self, user_id: str, before: datetime) -> list[Retainable]:
        """The unprotected memories in recall that were learned before then, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["retainable"], user_id, before)
        return [Retainable(**dict(row)) for row in rows]

    async def retire(
        self,
        user_id: str,
        overdue: Sequence[tuple[Retainable, int]],
        origin: Origin,
        now: datetime,
    ) -> list[UUID]:
        """Takes memories out of recall, each with the days that its rule gave it; those that went,
        since what was changed meanwhile stays. They can be brought back until they are removed for
        good."""
        days = {item.id: kept_for for item, kept_for in overdue}
        fields = ("id", "content", "type", "bank")
        planned = ([getattr(item, name) for item, _ in overdue] for name in fields)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["retire"], user_id, now, *planned)
            for row in rows:
                kept_for = days[row["id"]]
                await record(connection, user_id, "retired", origin, row["id"], days=kept_for)
        return [row["id"] for row in rows]

    async def removable(
        self, user_id: str, rolled_up_before: datetime, other_before: datetime, limit: int
    ) -> list[Removable]:
        """What has been archived or trimmed since the one moment, or cleaned away, retired or
        expired since the other; see the query."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["removable"], user_id, rolled_up_before, other_before, limit
            )
        return [Removable(**dict(row)) for row in rows]

    async def remove(
        self, user_id: str, removable: Sequence[Removable], origin: Origin
    ) -> list[UUID]:
        """Removes them for good, with the versions that they had replaced; what went. One that was
        brought back meanwhile stays, and so does one whose older version was pinned or forgotten.
        Their roll-ups go on knowing from which messages they came."""
        why = {each.id: each.why for each in removable}
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            rows = await connection.fetch(_SQL["to_remove"], user_id, list(why))
            gone = [row["id"] for row in rows]
            await connection.execute(_SQL["hand_over"], user_id, gone)
            await connection.execute(_SQL["remove"], user_id, gone)
            for item_id in gone:
                reason = why.get(item_id, "replaced")
                await record(connection, user_id, "removed", origin, item_id, why=reason)
        return gone
