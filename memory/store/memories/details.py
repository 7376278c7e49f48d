"""A memory with what is around it: where it came from, what it replaced, how often it helped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.database import Connection
from memory.errors import NotFound
from memory.models import KeptItem
from memory.store.queries import load_queries
from memory.store.upkeep.capacity import Scores, scores_of

_COLUMNS = ", ".join(KeptItem.model_fields)
_SQL = {
    name: sql.replace("{columns}", _COLUMNS)
    for name, sql in load_queries("memories/details").items()
}


@dataclass(frozen=True)
class SourceMessage:
    """What was said, as far as it is still kept."""

    message_id: UUID
    conversation_id: UUID
    said_at: datetime
    text: str


@dataclass(frozen=True)
class Details:
    """`older` is what the memory replaced, the newest first. `source` is None where nothing was
    said or it is gone; `last_scores` where no recall or trimming has weighed it yet."""

    item: KeptItem
    older: tuple[KeptItem, ...]
    replaced_by: KeptItem | None
    source: SourceMessage | None
    access_count: int
    last_accessed_at: datetime | None
    last_scores: Scores | None


async def read_details(connection: Connection, user_id: str, item_id: UUID) -> Details:
    """Of a memory that lives, was replaced or was trimmed. Raises NotFound."""
    row = await connection.fetchrow(_SQL["read"], user_id, item_id)
    if row is None:
        raise NotFound
    item = _item(row)
    return Details(
        item=item,
        older=await _older(connection, user_id, item_id),
        replaced_by=await _replaced_by(connection, user_id, item),
        source=await _source(connection, user_id, item),
        access_count=row["access_count"],
        last_accessed_at=row["last_accessed_at"],
        last_scores=scores_of(row["last_scores"]),
    )


async def _older(connection: Connection, user_id: str, item_id: UUID) -> tuple[KeptItem, ...]:
    rows = await connection.fetch(_SQL["older"], user_id, item_id)
    return tuple(_item(row) for row in rows)


async def _replaced_by(connection: Connection, user_id: str, item: KeptItem) -> KeptItem | None:
    if item.superseded_by is None:
        return None
    row = await connection.fetchrow(_SQL["read"], user_id, item.superseded_by)
    return None if row is None else _item(row)


async def _source(connection: Connection, user_id: str, item: KeptItem) -> SourceMessage | None:
    if item.source_message_id is None:
        return None
    row = await connection.fetchrow(_SQL["source"], user_id, item.source_message_id)
    return None if row is None else SourceMessage(**dict(row))


def _item(row: Any) -> KeptItem:
    return KeptItem(**{name: row[name] for name in KeptItem.model_fields})
