"""Memories as their user looks at them: listed, read, pinned and corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pgvector import HalfVector

from memory.database import Database
from memory.embedders.protocol import Embedding
from memory.errors import NotFound
from memory.models import KeptItem, Origin
from memory.store.audit import record
from memory.store.memories.details import Details, read_details
from memory.store.memories.editing import Wording, reword
from memory.store.memories.items import Still, Weigh, refuse_changed
from memory.store.memories.listing import EntryFilter, Page, Place
from memory.store.queries import load_queries

_SQL = {
    name: sql.replace("{columns}", ", ".join(KeptItem.model_fields))
    for name, sql in load_queries("memories/entries").items()
}


@dataclass(frozen=True)
class BankCount:
    bank: str
    count: int
    pinned: int


@dataclass(frozen=True)
class NearItem:
    """A living memory with the asked words that it `held`, and its cosine where it has one."""

    item: KeptItem
    held: frozenset[str]
    cosine: float | None


class EntryStore:
    """Every method is one transaction of the user. An id of another user is NotFound."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def browse(self, user_id: str, wanted: EntryFilter) -> Page:
        """The newest first; what was forgotten is never among them."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["browse"], user_id, *wanted.arguments)
        items = tuple(_item(row) for row in rows[: wanted.limit])
        more = len(rows) > wanted.limit
        return Page(
            items, Place(created_at=items[-1].created_at, id=items[-1].id) if more else None
        )

    async def read(self, user_id: str, item_id: UUID) -> KeptItem:
        """A memory that lives, was replaced or was trimmed. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            return _found(await connection.fetchrow(_SQL["read"], user_id, item_id))

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> dict[UUID, KeptItem]:
        """As `read`, of those that are there."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read_several"], user_id, list(ids))
        return {row["id"]: KeptItem(**dict(row)) for row in rows}

    async def details(self, user_id: str, item_id: UUID) -> Details:
        """The same with what is around it. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            return await read_details(connection, user_id, item_id)

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

    async def all(self, user_id: str, space: str, *, removed: bool = False) -> list[KeptItem]:
        """Every living memory of a space, the newest first; `removed` ones too where wanted."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["all"], user_id, space, removed)
        return [_item(row) for row in rows]

    async def most_important(
        self, user_id: str, space: str, each: int
    ) -> tuple[list[BankCount], list[KeptItem]]:
        """How much each bank holds, the fullest first, and the `each` memories of every bank that
        matter most."""
        async with self._database.as_user(user_id) as connection:
            counts = await connection.fetch(_SQL["summarise_banks"], user_id, space)
            rows = await connection.fetch(_SQL["most_important"], user_id, space, each)
        return [BankCount(**dict(row)) for row in counts], [_item(row) for row in rows]

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
    ) -> list[NearItem]:
        """Every living memory that holds one of the lexemes or is near enough, in no order; those
        that were replaced or trimmed, or have expired, where `removed` ones are wanted too."""
        vector = None if embedding is None else HalfVector(embedding)
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["find_near"], user_id, space, list(words), vector, min_cosine, removed
            )
        return [NearItem(_item(row), frozenset(row["held"]), row["cosine"]) for row in rows]

    async def learned_from(self, user_id: str, message_id: UUID) -> list[KeptItem]:
        """The living memories that came from a message."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["learned_from"], user_id, message_id)
        return [_item(row) for row in rows]

    async def pin(
        self, user_id: str, item_id: UUID, origin: Origin, *, raised: Weigh, weigh: Weigh
    ) -> KeptItem:
        """Pins a living memory, whose importance becomes what `raised` gives where nobody asked to
        keep it before. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            asked = await connection.fetchval(_SQL["was_asked_for"], user_id, item_id)
            importance = old.importance if asked else raised(old)
            row = await connection.fetchrow(_SQL["pin"], user_id, item_id, True, importance)
            await connection.execute(_SQL["set_salience"], user_id, item_id, weigh(_found(row)))
            await record(connection, user_id, "pinned", origin, item_id)
        return _found(row)

    async def unpin(self, user_id: str, item_id: UUID, origin: Origin, *, weigh: Weigh) -> KeptItem:
        """Takes the pin away from a living memory, and nothing else. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            row = await connection.fetchrow(_SQL["pin"], user_id, item_id, False, old.importance)
            await connection.execute(_SQL["set_salience"], user_id, item_id, weigh(_found(row)))
            await record(connection, user_id, "unpinned", origin, item_id)
        return _found(row)

    async def edit(
        self,
        user_id: str,
        item_id: UUID,
        origin: Origin,
        *,
        changes: Mapping[str, object],
        wording: Wording | None,
        weigh: Weigh,
        still: Still | None = None,
    ) -> KeptItem:
        """Corrects the named fields of a living memory; of another wording see `reword`. Raises
        NotFound, ChangedMeanwhile where `still` says no, and what that raises."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            refuse_changed([old], still)
            detail: dict[str, object] = {"changed": list(changes)}
            if wording is not None and wording.content != old.content:
                before = await reword(connection, user_id, old, wording)
                detail = {"changed": [*changes, "content"], "older": [before]}
                old = _found(await connection.fetchrow(_SQL["read_living"], user_id, item_id))
            revised = _revised(old, changes)
            item = _found(await connection.fetchrow(_SQL["revise"], user_id, item_id, *revised))
            await connection.execute(_SQL["set_salience"], user_id, item_id, weigh(item))
            await record(connection, user_id, "edited", origin, item_id, **detail)
        return item


def _revised(old: KeptItem, changes: Mapping[str, object]) -> tuple[object, ...]:
    new = old.model_copy(update=dict(changes))
    return new.type, new.bank, list(new.tags), new.importance, new.occurred_at


def _item(row: Any) -> KeptItem:
    return KeptItem(**{name: row[name] for name in KeptItem.model_fields})


def _found(row: Any) -> KeptItem:
    if row is None:
        raise NotFound
    return _item(row)
