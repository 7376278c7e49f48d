"""New words for a memory that is there, within the caller's transaction and the user's lock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from pgvector import HalfVector

from memory.database import Connection
from memory.embedders.protocol import Embedding
from memory.models import KeptItem, NewItem
from memory.store.forgetting.forgetting import Marks
from memory.store.forgetting.tombstones import find_blocking, refusal_of
from memory.store.memories.items import EmbeddedItem
from memory.store.memories.neighbours import StoredNeighbour, find_neighbours
from memory.store.queries import load_queries

_SQL = load_queries("memories/editing")
Fit: TypeAlias = Callable[[KeptItem, Sequence[StoredNeighbour]], tuple[str, ...]]
"""The tags of a memory with its new words among the memories near them. Pure; raises InvalidInput
where another one says the same already."""


@dataclass(frozen=True)
class Wording:
    """New words of a memory, with what it is found, compared and known again by; `embedding` is
    None where the embedder gave none."""

    content: str
    simhash: int
    marks: Marks
    embedding: Embedding | None
    embedding_model: str
    fit: Fit


async def reword(connection: Connection, user_id: str, old: KeptItem, new: Wording) -> UUID:
    """Puts the new words in the place of the old ones, and keeps those as a replaced memory, whose
    id it returns. Raises RecentlyForgotten, InvalidInput and MemoryOff."""
    blocking = await find_blocking(connection, user_id, old.space, new.marks)
    if blocking:
        raise refusal_of(blocking[0])
    near = await find_neighbours(connection, user_id, _as_new(old, new))
    others = [each for each in near if each.item.id != old.id and not each.replaced]
    tags = await asyncio.to_thread(new.fit, old, others)
    before: UUID = await connection.fetchval(_SQL["keep_old_wording"], user_id, old.id)
    await connection.execute(
        _SQL["reword"],
        user_id,
        old.id,
        new.content,
        new.simhash,
        list(tags),
        None if new.embedding is None else HalfVector(new.embedding),
        None if new.embedding is None else new.embedding_model,
    )
    return before


def _as_new(old: KeptItem, new: Wording) -> EmbeddedItem:
    item = NewItem(content=new.content, type=old.type, space=old.space)
    model = new.embedding_model
    return EmbeddedItem(item, new.embedding, model, simhash=new.simhash)
