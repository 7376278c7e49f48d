"""What a forgetting or its undo reaches from the memories that were named: older versions, what is
out of recall and says the same, and the roll-ups that tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.database import Connection
from memory.embedders.protocol import Embedding
from memory.models import KeptItem
from memory.store.queries import load_queries

_COLUMNS = ", ".join(KeptItem.model_fields)
_SQL = {
    name: sql.replace("{columns}", _COLUMNS)
    for name, sql in load_queries("forgetting/reaching").items()
}


@dataclass(frozen=True)
class Reached:
    """A memory that a forgetting takes: whether an earlier one took it already, whether it is
    taken only because it says the same, being out of recall already, and whether it is a roll-up
    that tells of a memory beside others (`beside`). `why` is what had taken it out of recall."""

    item: KeptItem
    embedding: Embedding | None
    forgotten: bool
    copy: bool
    beside: bool
    why: str | None


async def reach(connection: Connection, user_id: str, ids: Sequence[UUID]) -> list[Reached]:
    """Within the caller's transaction; an id that is not there leads nowhere."""
    rows = await connection.fetch(_SQL["reach"], user_id, list(ids))
    return [_reached(row) for row in rows]


def _reached(row: Any) -> Reached:
    item = KeptItem(**{name: row[name] for name in KeptItem.model_fields})
    vector = row["embedding"]
    embedding = None if vector is None else vector.to_numpy()
    return Reached(
        item, embedding, row["forgotten"], row["copy"], row["beside"], row["removed_because"]
    )
