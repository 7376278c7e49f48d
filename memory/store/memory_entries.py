"""Memories as their user looks at them, with where each came from, what it replaced and how often
it helped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from memory.embeddings.protocol import Embedding
from memory.errors import NotFound
from memory.store.audit import record_audit
from memory.store.conflicts import open_conflict
from memory.store.database import Connection, Database, load_queries
from memory.store.forgetting import TombstoneDigests, find_blocking_tombstones, rejection_error
from memory.store.memories import (
    EmbeddedMemory,
    IsUnchanged,
    MemoryFilter,
    MemoryPage,
    PageCursor,
    ScoreMemory,
    SimilarMemory,
    StoredScores,
    find_similar,
    parse_scores,
    refuse_changed,
    to_memory,
)
from memory.types import NewMemory, Origin, StoredMemory

_SQL = load_queries("memory_entries", columns=StoredMemory.model_fields)


@dataclass(frozen=True)
class SourceMessage:
    """What was said, as far as it is still kept."""

    message_id: UUID
    conversation_id: UUID
    said_at: datetime
    text: str


@dataclass(frozen=True)
class MemoryDetails:
    """`older` is what the memory replaced, the newest first. `source` is None where nothing was
    said or it is gone; `last_scores` where no recall or trimming has weighed it yet."""

    item: StoredMemory
    older: tuple[StoredMemory, ...]
    replaced_by: StoredMemory | None
    source: SourceMessage | None
    access_count: int
    last_accessed_at: datetime | None
    last_scores: StoredScores | None


async def read_memory_details(connection: Connection, user_id: str, item_id: UUID) -> MemoryDetails:
    """Of a memory that lives, was replaced or was trimmed. Raises NotFound."""
    row = await connection.fetchrow(_SQL["read_details"], user_id, item_id)
    if row is None:
        raise NotFound
    item = to_memory(row)
    return MemoryDetails(
        item=item,
        older=await _read_older(connection, user_id, item_id),
        replaced_by=await _read_replacement(connection, user_id, item),
        source=await _read_source(connection, user_id, item),
        access_count=row["access_count"],
        last_accessed_at=row["last_accessed_at"],
        last_scores=parse_scores(row["last_scores"]),
    )


async def _read_older(
    connection: Connection, user_id: str, item_id: UUID
) -> tuple[StoredMemory, ...]:
    rows = await connection.fetch(_SQL["older"], user_id, item_id)
    return tuple(to_memory(row) for row in rows)


async def _read_replacement(
    connection: Connection, user_id: str, item: StoredMemory
) -> StoredMemory | None:
    if item.superseded_by is None:
        return None
    row = await connection.fetchrow(_SQL["read_details"], user_id, item.superseded_by)
    return None if row is None else to_memory(row)


async def _read_source(
    connection: Connection, user_id: str, item: StoredMemory
) -> SourceMessage | None:
    if item.source_message_id is None:
        return None
    row = await connection.fetchrow(_SQL["source"], user_id, item.source_message_id)
    return None if row is None else SourceMessage(**dict(row))


@dataclass(frozen=True)
class FittedWording:
    """The tags of a memory with its new words, and the memories that may hold no more by them."""

    tags: tuple[str, ...]
    contradicted: tuple[UUID, ...]


FitWording: TypeAlias = Callable[[StoredMemory, Sequence[SimilarMemory]], FittedWording]
"""Looks at a memory with its new words among the memories near them. Pure; raises InvalidInput
where another one says the same already."""


@dataclass(frozen=True)
class RewordedMemory:
    """New words of a memory, with what it is found, compared and known again by; `embedding` is
    None where the embedder gave none."""

    content: str
    simhash: int
    marks: TombstoneDigests
    embedding: Embedding | None
    embedding_model: str
    fit: FitWording


async def reword_memory(
    connection: Connection, user_id: str, old: StoredMemory, new: RewordedMemory, origin: Origin
) -> UUID:
    """Puts the new words in the place of the old ones, and keeps those as a replaced memory, whose
    id it returns. The user is asked about what contradicts them. Raises RecentlyForgotten,
    InvalidInput and MemoryOff."""
    blocking = await find_blocking_tombstones(connection, user_id, old.space, new.marks)
    if blocking:
        raise rejection_error(blocking[0])
    near = await find_similar(connection, user_id, _as_new_memory(old, new))
    others = [each for each in near if each.item.id != old.id and not each.replaced]
    fitted = await asyncio.to_thread(new.fit, old, others)
    before: UUID = await connection.fetchval(_SQL["keep_old_wording"], user_id, old.id)
    await connection.execute(
        _SQL["reword"],
        user_id,
        old.id,
        new.content,
        new.simhash,
        list(fitted.tags),
        new.embedding,
        None if new.embedding is None else new.embedding_model,
    )
    for each in fitted.contradicted:
        doubt = await open_conflict(connection, user_id, each, old.id)
        await record_audit(
            connection, user_id, "doubted", origin, each, by=old.id, doubt=doubt, why="edit"
        )
    return before


def _as_new_memory(old: StoredMemory, new: RewordedMemory) -> EmbeddedMemory:
    item = NewMemory(content=new.content, type=old.type, space=old.space)
    model = new.embedding_model
    return EmbeddedMemory(item, new.embedding, model, simhash=new.simhash)


@dataclass(frozen=True)
class BankCount:
    bank: str
    count: int
    pinned: int


@dataclass(frozen=True)
class TopicHit:
    """A living memory with the asked words that it `held`, and its cosine where it has one."""

    item: StoredMemory
    held: frozenset[str]
    cosine: float | None


class MemoryEntryStore:
    """Memories as their user looks at them: listed, read, pinned and corrected. Every method is one
    transaction of the user. An id of another user is NotFound."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def browse(self, user_id: str, wanted: MemoryFilter) -> MemoryPage:
        """The newest first; what was forgotten is never among them."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, *wanted.arguments)
        items = tuple(to_memory(row) for row in rows[: wanted.limit])
        more = len(rows) > wanted.limit
        return MemoryPage(
            items, PageCursor(created_at=items[-1].created_at, id=items[-1].id) if more else None
        )

    async def read(self, user_id: str, item_id: UUID) -> StoredMemory:
        """A memory that lives, was replaced or was trimmed. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            return _found(await connection.fetchrow(_SQL["read"], user_id, item_id))

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> dict[UUID, StoredMemory]:
        """As `read`, of those that are there."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_several"], user_id, list(ids))
        return {row["id"]: StoredMemory(**dict(row)) for row in rows}

    async def details(self, user_id: str, item_id: UUID) -> MemoryDetails:
        """The same with what is around it. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            return await read_memory_details(connection, user_id, item_id)

    async def spaces(self, user_id: str) -> list[str]:
        """The spaces that hold a memory or a conversation, by name."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["spaces"], user_id)
        return [row["space"] for row in rows]

    async def count_banks(self, user_id: str, space: str) -> list[BankCount]:
        """The banks that hold something, the fullest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["summarise_banks"], user_id, space)
        return [BankCount(**dict(row)) for row in rows]

    async def all(self, user_id: str, space: str, *, removed: bool = False) -> list[StoredMemory]:
        """Every living memory of a space, the newest first; `removed` ones too where wanted."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["all"], user_id, space, removed)
        return [to_memory(row) for row in rows]

    async def most_important(
        self, user_id: str, space: str, each: int
    ) -> tuple[list[BankCount], list[StoredMemory]]:
        """How much each bank holds, the fullest first, and the `each` memories of every bank that
        matter most."""
        async with self._database.as_user(user_id) as connection:
            counts = await connection.fetch(_SQL["summarise_banks"], user_id, space)
            rows = await connection.fetch(_SQL["most_important"], user_id, space, each)
        return [BankCount(**dict(row)) for row in counts], [to_memory(row) for row in rows]

    async def lexemes(self, user_id: str, texts: Sequence[str]) -> list[frozenset[str]]:
        """The words of each text as the keyword search knows them, without stop words."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["lexemes"], list(texts))
        return [frozenset(row["words"]) for row in rows]

    async def find_near(
        self,
        user_id: str,
        space: str,
        words: frozenset[str],
        embedding: Embedding | None,
        min_cosine: float,
        *,
        removed: bool = False,
    ) -> list[TopicHit]:
        """Every living memory that holds one of the lexemes or is near enough, in no order; those
        that were replaced or trimmed, or have expired, where `removed` ones are wanted too."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["find_near"], user_id, space, list(words), embedding, min_cosine, removed
            )
        return [TopicHit(to_memory(row), frozenset(row["held"]), row["cosine"]) for row in rows]

    async def nearest(
        self,
        user_id: str,
        space: str,
        words: frozenset[str],
        embedding: Embedding | None,
        most: int,
    ) -> list[TopicHit]:
        """Of the living memories `most` of those that hold the most of the lexemes, and `most` of
        the nearest, in no order; without an embedding the newest."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["nearest"], user_id, space, list(words), embedding, most
            )
        return [TopicHit(to_memory(row), frozenset(row["held"]), row["cosine"]) for row in rows]

    async def pin(
        self,
        user_id: str,
        item_id: UUID,
        origin: Origin,
        *,
        raised: ScoreMemory,
        weigh: ScoreMemory,
    ) -> StoredMemory:
        """Pins a living memory, whose importance becomes what `raised` gives where nobody asked to
        keep it before. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            asked = await connection.fetchval(_SQL["was_asked_for"], user_id, item_id)
            importance = old.importance if asked else raised(old)
            row = await connection.fetchrow(_SQL["pin"], user_id, item_id, True, importance)
            await connection.execute(_SQL["set_salience"], user_id, item_id, weigh(_found(row)))
            await record_audit(connection, user_id, "pinned", origin, item_id)
        return _found(row)

    async def unpin(
        self, user_id: str, item_id: UUID, origin: Origin, *, weigh: ScoreMemory
    ) -> StoredMemory:
        """Takes the pin away from a living memory, and nothing else. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            row = await connection.fetchrow(_SQL["pin"], user_id, item_id, False, old.importance)
            await connection.execute(_SQL["set_salience"], user_id, item_id, weigh(_found(row)))
            await record_audit(connection, user_id, "unpinned", origin, item_id)
        return _found(row)

    async def edit(
        self,
        user_id: str,
        item_id: UUID,
        origin: Origin,
        *,
        changes: Mapping[str, object],
        wording: RewordedMemory | None,
        weigh: ScoreMemory,
        still: IsUnchanged | None = None,
    ) -> StoredMemory:
        """Corrects the named fields of a living memory; of another wording see `reword_memory`.
        Raises NotFound, ChangedMeanwhile where `still` says no, and what that raises."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            refuse_changed([old], still)
            detail: dict[str, object] = {"changed": list(changes)}
            if wording is not None and wording.content != old.content:
                before = await reword_memory(connection, user_id, old, wording, origin)
                detail = {"changed": [*changes, "content"], "older": [before]}
                old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            revised = _revised_columns(old, changes)
            item = _found(await connection.fetchrow(_SQL["revise"], user_id, item_id, *revised))
            await connection.execute(_SQL["set_salience"], user_id, item_id, weigh(item))
            await record_audit(connection, user_id, "edited", origin, item_id, **detail)
        return item

    async def take_back_edit(
        self,
        user_id: str,
        item_id: UUID | None,
        within: timedelta,
        origin: Origin,
        space: str | None = None,
    ) -> StoredMemory | None:
        """Gives a memory the words and all else that it had before its last correction of words;
        without an id, the one of the space corrected last, where that is not longer ago. None where
        there is none, or where something was forgotten there since. Raises MemoryOff."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            last = await connection.fetchrow(_SQL["last_edit"], user_id, item_id, within, space)
            if last is None:
                return None
            item_id, before = last["item_id"], last["before_id"]
            row = await connection.fetchrow(_SQL["take_back_wording"], user_id, item_id, before)
            await connection.execute(_SQL["drop_wording"], user_id, before)
            await connection.execute(_SQL["drop_doubts"], user_id, item_id, last["edited_at"])
            await record_audit(connection, user_id, "edit_undone", origin, item_id)
        return _found(row)


def _revised_columns(old: StoredMemory, changes: Mapping[str, object]) -> tuple[object, ...]:
    new = old.model_copy(update=dict(changes))
    return new.type, new.bank, list(new.tags), new.importance, new.occurred_at


def _found(row: Any) -> StoredMemory:
    if row is None:
        raise NotFound
    return to_memory(row)
