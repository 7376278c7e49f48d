"""What stays of a memory that does not hold as a whole any more: kept as a memory in its place, and
taken away again where the whole comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from pgvector import HalfVector

from memory.database import Connection
from memory.embedders.protocol import Embedding
from memory.models import Origin
from memory.store.audit import record
from memory.store.queries import load_queries

_SQL = load_queries("memories/rests")


@dataclass(frozen=True)
class Rest:
    """What `stays` of the memory that says the `whole`, with what that is found and compared by;
    a vector that did not come is left to upkeep."""

    item_id: UUID
    whole: str
    stays: str
    simhash: int
    tags: tuple[str, ...]
    embedding: Embedding | None
    embedding_model: str | None


def without_vector(rest: Rest) -> Rest:
    return replace(rest, embedding=None, embedding_model=None)


async def keep_rest(
    connection: Connection, user_id: str, rest: Rest, origin: Origin
) -> UUID | None:
    """Keeps it with all else that the whole has, within the caller's transaction and before that
    goes. None where the memory is not what was cut."""
    kept: UUID | None = await connection.fetchval(
        _SQL["keep_rest"],
        user_id,
        rest.item_id,
        rest.whole,
        _id_of_rest(rest.item_id),
        rest.stays,
        list(rest.tags),
        rest.simhash,
        None if rest.embedding is None else HalfVector(rest.embedding),
        rest.embedding_model,
    )
    if kept is not None:
        await record(connection, user_id, "kept", origin, kept, why="rest", older=[rest.item_id])
    return kept


async def drop_rests(connection: Connection, user_id: str, back: Sequence[UUID]) -> None:
    """Takes away what stayed of the memories that are back, where it is still what it was then:
    what was corrected since, or took the place of something, stays."""
    rests = [_id_of_rest(each) for each in back]
    await connection.execute(_SQL["drop_rests"], user_id, rests)


def _id_of_rest(item_id: UUID) -> UUID:
    """It follows from the id of the whole, so that the whole is all that an undo has to know."""
    return uuid5(item_id, "rest")
