"""What stays of a memory that no longer holds as a whole: kept as a memory in its place, and taken
away again where the whole comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar
from uuid import UUID, uuid5

from pgvector import HalfVector

from memory.embeddings.protocol import Embedding
from memory.errors import ChangedMeanwhile, EmbeddingOutdated, KeepsakeError
from memory.store.audit import record_audit
from memory.store.database import Connection, load_queries
from memory.types import Origin, StoredMemory

_SQL = load_queries("remainders")
# One for each writer who is quicker with something that is replaced in turn; ten at once are usual.
_MOST_TRIES = 50
_T = TypeVar("_T")


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


FoundRemainders: TypeAlias = Mapping[tuple[UUID, str], Remainder | None]
"""By the id and the words of a memory what stays of it, None where nothing does."""
FindRemainders: TypeAlias = Callable[[str, Sequence[StoredMemory]], Awaitable[FoundRemainders]]


class RemaindersMissing(KeepsakeError):
    """It is not known yet what still holds of the memories that are replaced. Try again."""

    def __init__(self, new: str, older: Sequence[StoredMemory]) -> None:
        super().__init__()
        self.new = new
        self.older = older


def require_remainders(
    found: FoundRemainders, new: str, older: Sequence[StoredMemory]
) -> list[Remainder | None]:
    """What stays of each of the older memories, of which the new words take the place. Raises
    RemaindersMissing, which takes back the transaction it is raised in."""
    if missing := [each for each in older if (each.id, each.content) not in found]:
        raise RemaindersMissing(new, missing)
    return [found[each.id, each.content] for each in older]


async def try_with_remainders(
    attempt: Callable[[FoundRemainders, bool], Awaitable[_T]], find: FindRemainders
) -> _T:
    """What comes of the attempt, which is made again for what it misses: that is found between two
    tries, since it asks models. The attempt is told whether vectors may be stored; they may not
    where the database was given those of another model meanwhile.

    Raises ChangedMeanwhile where other memories are to be replaced at every try.
    """
    found: FoundRemainders = {}
    with_vectors = True
    for _ in range(_MOST_TRIES):
        try:
            return await attempt(found if with_vectors else _without_vectors(found), with_vectors)
        except RemaindersMissing as missing:
            found = {**found, **await find(missing.new, missing.older)}
        except EmbeddingOutdated:
            if not with_vectors:
                raise
            with_vectors = False
    raise ChangedMeanwhile


def _without_vectors(found: FoundRemainders) -> FoundRemainders:
    return {of: rest and rest.without_vector() for of, rest in found.items()}


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
    await connection.execute(_SQL["drop"], user_id, list(back))


def _remainder_id(item_id: UUID) -> UUID:
    """It follows from the id of the whole, so that of each whole one rest is kept."""
    return uuid5(item_id, "rest")
