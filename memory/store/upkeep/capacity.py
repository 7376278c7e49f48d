"""What counts towards a user's cap, and the trimming of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.database import Connection
from memory.models import KeptItem
from memory.store.queries import load_queries

_SQL = {
    name: sql.replace("{columns}", ", ".join(KeptItem.model_fields))
    for name, sql in load_queries("upkeep/capacity").items()
}


@dataclass(frozen=True)
class Scores:
    """000's `last_scores`: total = relevance + recency + importance, as of `computed_at`."""

    relevance: float
    recency: float
    importance: float
    total: float
    computed_at: datetime


@dataclass(frozen=True)
class CapacityRow:
    """A living memory as it is weighed against the others."""

    id: UUID
    created_at: datetime
    importance: float
    pinned: bool = False
    manually_saved: bool = False
    last_accessed_at: datetime | None = None
    last_scores: Scores | None = None

    @property
    def protected(self) -> bool:
        return self.pinned or self.manually_saved


async def read_rows(connection: Connection, user_id: str, space: str) -> list[CapacityRow]:
    rows = await connection.fetch(_SQL["read_rows"], user_id, space)
    return [
        CapacityRow(**dict(row) | {"last_scores": scores_of(row["last_scores"])}) for row in rows
    ]


async def count_above(connection: Connection, user_id: str, cap: int, room: int) -> int:
    """How many memories of all spaces are above the cap; `room` of a space are left to those that
    nothing protects."""
    return int(await connection.fetchval(_SQL["count_above"], user_id, cap, room))


async def write_scores(connection: Connection, user_id: str, scores: Mapping[UUID, Scores]) -> None:
    said = [json.dumps(asdict(each), default=datetime.isoformat) for each in scores.values()]
    await connection.execute(_SQL["write_scores"], user_id, list(scores), said)


async def trim(
    connection: Connection, user_id: str, ids: Sequence[UUID], now: datetime
) -> list[UUID]:
    """Takes memories out of recall; those that went, since a protected one stays."""
    rows = await connection.fetch(_SQL["trim"], user_id, list(ids), now)
    return [row["id"] for row in rows]


async def untrim(connection: Connection, user_id: str, item_id: UUID) -> KeptItem | None:
    """Brings a trimmed memory back into recall, saved by hand from now on; None for any other."""
    row = await connection.fetchrow(_SQL["untrim"], user_id, item_id)
    return None if row is None else KeptItem(**dict(row))


def scores_of(stored: str | None) -> Scores | None:
    """The scores as they were stored; None for what does not hold all five."""
    try:
        read: dict[str, Any] = json.loads(stored or "null")
        scores = Scores(
            relevance=float(read["relevance"]),
            recency=float(read["recency"]),
            importance=float(read["importance"]),
            total=float(read["total"]),
            computed_at=datetime.fromisoformat(read["computed_at"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
    return scores if scores.computed_at.tzinfo else None
