"""What was done with a user's memory: who, when, what and in which turn, never the words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.store.database import Connection, Database, load_queries
from memory.types import Actor, Origin

_SQL = load_queries("audit")


@dataclass(frozen=True)
class AuditEntry:
    id: int
    action: str
    actor: Actor
    item_id: UUID | None
    correlation_id: UUID | None
    detail: Mapping[str, Any]
    created_at: datetime


async def record_audit(
    connection: Connection,
    user_id: str,
    action: str,
    origin: Origin,
    item_id: UUID | None = None,
    **detail: object,
) -> None:
    """Writes an entry in the transaction of what it tells of. `detail` holds ids, counts and
    names of rules; never content."""
    said = json.dumps(detail, default=str)
    await connection.execute(
        _SQL["record"], user_id, action, origin.actor, item_id, origin.correlation_id, said
    )


class AuditStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(
        self, user_id: str, limit: int = 50, before: int | None = None
    ) -> list[AuditEntry]:
        """The newest entries of the user, the newest first; `before` an id goes on from there."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read"], user_id, before, limit)
        return [_entry(dict(row)) for row in rows]

    async def of_item(self, user_id: str, item_id: UUID) -> list[AuditEntry]:
        """What was done with one memory of the user, the oldest first; the first 50."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["of_item"], user_id, item_id)
        return [_entry(dict(row)) for row in rows]


def _entry(row: dict[str, Any]) -> AuditEntry:
    return AuditEntry(**row | {"detail": json.loads(row["detail"])})
