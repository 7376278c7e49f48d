"""What is left of forgotten memories, and its removal in one transaction."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from memory.database import Connection, Database
from memory.episode import Episode
from memory.models import Origin
from memory.store.audit import record
from memory.store.episodes.redaction import episodes_about, reword_episodes
from memory.store.forgetting.forgetting import History
from memory.store.queries import load_queries

_SQL = load_queries("forgetting/erasing")
# A query takes 64 words: each sentence is one of its own.
_PART = re.compile(r"[.!?…。\n]+")


@dataclass(frozen=True)
class Condemned:
    """A forgotten memory that waits for its erasure; `content` is None where the row is gone
    already. `sources` are the ids of the messages that it came from."""

    id: UUID
    content: str | None
    has_vector: bool
    history: History
    sources: frozenset[UUID]


@dataclass(frozen=True)
class RelatedMessage:
    """A message that may tell of a condemned memory; `rested_on` are the memories and messages
    that a reply was given."""

    id: UUID
    conversation_id: UUID
    correlation_id: UUID
    content: str
    rested_on: frozenset[UUID]


@dataclass(frozen=True)
class Remains:
    """All that may hold the words of the condemned; `titles` by conversation."""

    condemned: tuple[Condemned, ...]
    messages: tuple[RelatedMessage, ...]
    titles: Mapping[UUID, str]
    episodes: tuple[Episode, ...] = ()


@dataclass(frozen=True)
class Removal:
    """What is to be done: new words of messages and titles by id, messages to take away, episodes
    in their new words, and for each condemned memory what was removed, as counts. `chats` are the
    conversations of these messages."""

    reworded: Mapping[UUID, str]
    taken: tuple[UUID, ...]
    titles: Mapping[UUID, str | None]
    counts: Mapping[UUID, Mapping[str, int]]
    chats: frozenset[UUID]
    episodes: tuple[Episode, ...] = ()


Decide: TypeAlias = Callable[[Remains], Removal]


class Erasing:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, user_id: str, now: datetime) -> dict[UUID, datetime]:
        """The forgotten memories of a user whose time has come, and when it came."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["due"], user_id, now)
        return {row["item_id"]: row["erase_after"] for row in rows}

    async def remains(self, user_id: str, ids: Sequence[UUID]) -> Remains:
        async with self._database.as_user(user_id) as connection:
            return await _remains(connection, user_id, ids)

    async def waiting_about(self, user_id: str, messages: Sequence[UUID]) -> Remains:
        """Every forgotten memory that still waits and takes its messages with it, and of what may
        tell of one only the turns of these messages. Nothing is locked, no title is read."""
        async with self._database.as_user(user_id) as connection:
            waiting = await connection.fetch(_SQL["waiting"], user_id)
            if not waiting:
                return Remains((), (), {})
            rows = await connection.fetch(_SQL["of_the_same_turns"], user_id, list(messages))
        return Remains(
            tuple(_condemned(row) for row in waiting), tuple(_related(row) for row in rows), {}
        )

    async def waiting_words(self, user_id: str) -> list[str]:
        """What the forgotten memories say that still wait for their erasure."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["waiting_words"], user_id)
        return [row["content"] for row in rows]

    async def erase(
        self, user_id: str, ids: Sequence[UUID], decide: Decide, origin: Origin, now: datetime
    ) -> Removal:
        """Removes what `decide` (pure) says of what there is, and the memories themselves, and
        notes it on their tombstones. What was brought back or erased meanwhile is left alone."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            remains = await _remains(connection, user_id, ids)
            removal = await asyncio.to_thread(decide, remains)
            await _remove(connection, user_id, removal)
            condemned = [each.id for each in remains.condemned]
            await connection.execute(_SQL["remove_items"], user_id, condemned)
            for item_id in condemned:
                counts = dict(removal.counts.get(item_id, {}))
                said = json.dumps(counts)
                await connection.execute(_SQL["mark_erased"], user_id, item_id, now, said)
                await record(connection, user_id, "erased", origin, item_id, removed=counts)
        return removal


async def _remains(connection: Connection, user_id: str, ids: Sequence[UUID]) -> Remains:
    rows = await connection.fetch(_SQL["condemned"], user_id, list(ids))
    condemned = tuple(_condemned(row) for row in rows)
    contents = [each.content for each in condemned if each.content and each.history != "keep"]
    messages = await connection.fetch(
        _SQL["related_messages"],
        user_id,
        [source for each in condemned for source in each.sources],
        [str(each.id) for each in condemned],
        [part for content in contents for part in _PART.split(content)],
        contents,
    )
    titles = await connection.fetch(_SQL["titles"], user_id)
    words = [part for each in condemned if each.content for part in _PART.split(each.content)]
    return Remains(
        condemned,
        tuple(_related(row) for row in messages),
        {row["id"]: row["title"] for row in titles},
        await episodes_about(connection, user_id, words),
    )


async def _remove(connection: Connection, user_id: str, removal: Removal) -> None:
    reworded = [(user_id, *pair) for pair in removal.reworded.items()]
    await connection.executemany(_SQL["reword_message"], reworded)
    await connection.execute(_SQL["remove_messages"], user_id, list(removal.taken))
    retitled = [(user_id, *pair) for pair in removal.titles.items()]
    await connection.executemany(_SQL["retitle"], retitled)
    await reword_episodes(connection, user_id, removal.episodes)


def _condemned(row: Any) -> Condemned:
    sources = {found for text in row["source_ids"] or () if (found := _message_id(text))}
    if row["source_message_id"] is not None:
        sources.add(row["source_message_id"])
    return Condemned(
        id=row["id"],
        content=row["content"],
        has_vector=bool(row["has_vector"]),
        history=row["history"],
        sources=frozenset(sources),
    )


def _related(row: Any) -> RelatedMessage:
    return RelatedMessage(
        id=row["id"],
        conversation_id=row["conversation_id"],
        correlation_id=row["correlation_id"],
        content=row["content"],
        rested_on=frozenset(found for text in row["rested_on"] if (found := _message_id(text))),
    )


def _message_id(text: str | None) -> UUID | None:
    try:
        return UUID((text or "").removeprefix("message:"))
    except ValueError:
        return None
