"""What stays of a memory of which a part is forgotten: kept as a memory in its place, and taken
away again where the whole comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from pgvector import HalfVector

from memory.database import Connection, Database
from memory.embedders.protocol import Embedding
from memory.errors import ChangedMeanwhile
from memory.models import Origin
from memory.store.audit import record
from memory.store.queries import load_queries

_SQL = load_queries("forgetting/parts")


@dataclass(frozen=True)
class Part:
    """What `goes` of the memory that says the `whole`, with the sketch of its vector; and what
    `stays`, with what that is found and compared by."""

    item_id: UUID
    whole: str
    goes: str
    stays: str
    sketch: bytes | None
    simhash: int
    tags: tuple[str, ...]
    embedding: Embedding
    embedding_model: str


class PartStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def separable(self, user_id: str, ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of the memories of which a part may stay."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["separable"], user_id, list(ids))
        return frozenset(row["id"] for row in rows)


async def keep_rests(
    connection: Connection, user_id: str, parts: Sequence[Part], origin: Origin
) -> None:
    """Keeps what stays of each with all else that the whole has, within the caller's transaction
    and before that goes. Raises ChangedMeanwhile where a memory is not what was cut."""
    for part in parts:
        kept = await connection.fetchval(
            _SQL["keep_rest"],
            user_id,
            part.item_id,
            part.whole,
            _id_of_rest(part.item_id),
            part.stays,
            list(part.tags),
            part.simhash,
            HalfVector(part.embedding),
            part.embedding_model,
        )
        if kept is None:
            raise ChangedMeanwhile
        await record(connection, user_id, "kept", origin, kept, why="rest", older=[part.item_id])


async def drop_rests(connection: Connection, user_id: str, back: Sequence[UUID]) -> None:
    """Takes away what stayed of the memories that are back, where it is still what it was then:
    what was corrected since, or took the place of something, stays."""
    rests = [_id_of_rest(each) for each in back]
    await connection.execute(_SQL["drop_rests"], user_id, rests)


def _id_of_rest(item_id: UUID) -> UUID:
    """It follows from the id of the whole, so that the whole is all that an undo has to know."""
    return uuid5(item_id, "rest")
