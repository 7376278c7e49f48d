"""What is already known near a new memory."""

from __future__ import annotations

from dataclasses import dataclass

from pgvector import HalfVector

from memory.database import Connection
from memory.models import KeptItem
from memory.store.memories.items import KEPT_COLUMNS, EmbeddedItem
from memory.store.queries import load_queries

_SQL = load_queries("memories/neighbours")["find_neighbours"].replace("{columns}", KEPT_COLUMNS)


@dataclass(frozen=True)
class StoredNeighbour:
    """A memory near a new one; `cosine` is None where one of the two has no vector yet, and
    `replaced` says that it is out of recall because another one holds."""

    item: KeptItem
    simhash: int | None
    source_ids: tuple[str, ...]
    cosine: float | None
    replaced: bool


async def find_neighbours(
    connection: Connection, user_id: str, new: EmbeddedItem
) -> list[StoredNeighbour]:
    """The living ones first, the nearest first."""
    embedding = None if new.embedding is None else HalfVector(new.embedding)
    rows = await connection.fetch(_SQL, user_id, new.item.space, embedding, new.simhash)
    return [
        StoredNeighbour(
            item=KeptItem(**{name: row[name] for name in KeptItem.model_fields}),
            simhash=row["simhash"],
            source_ids=tuple(row["source_ids"]),
            cosine=row["cosine"],
            replaced=row["replaced"],
        )
        for row in rows
    ]
