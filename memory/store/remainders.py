"""What stays of a memory that no longer holds as a whole: kept as a memory in its place, and taken
away again where the whole comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from pgvector import HalfVector

from memory.embeddings.protocol import Embedding
from memory.store.audit import record_audit
from memory.store.database import Connection, load_queries
from memory.types import Origin

_SQL = load_queries("remainders")


@dataclass(frozen=True)
class Remainder:
    """What `stays` of the memory that says the `whole`, with what that is found and compared by;
    a vector that did not come is left to maintenance."""

    item_id: UUID
    whole: str
    stays: str
    simhash: int
    tags: tuple[str, ...]
    embedding: Embedding | None
    embedding_model: str | None

    def without_vector(self) -> Remainder:
        return replace(self, embedding=None, embedding_model=None)


async def keep_remainder(
    connection: Connection, user_id: str, rest: Remainder, origin: Origin
) -> UUID | None:
    """Keeps it with all else that the whole has, within the caller's transaction and before that
    goes. None where the memory is not what was cut."""
    kept: UUID | None = await connection.fetchval(
        _SQL["keep"],
        user_id,
        rest.item_id,
        rest.whole,
        _remainder_id(rest.item_id),
        rest.stays,
        list(rest.tags),
        rest.simhash,
        None if rest.embedding is None else HalfVector(rest.embedding),
        rest.embedding_model,
    )
    if kept is not None:
        detail = {"why": "rest", "older": [rest.item_id]}
        await record_audit(connection, user_id, "kept", origin, kept, **detail)
    return kept


async def drop_remainders(connection: Connection, user_id: str, back: Sequence[UUID]) -> None:
    """Takes away what stayed of the memories that are back, where it is still what it was then:
    what was corrected since, or took the place of something, stays."""
    rests = [_remainder_id(each) for each in back]
    await connection.execute(_SQL["drop"], user_id, rests)


def _remainder_id(item_id: UUID) -> UUID:
    """It follows from the id of the whole, so that the whole is all that an undo has to know."""
    return uuid5(item_id, "rest")
