"""What is left of forgotten memories: its removal in one transaction, and the search for traces."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from memory.embeddings.protocol import Embedding
from memory.errors import NotFound
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, load_queries
from memory.store.episodes import find_episodes_about, read_episodes_of_space, reword_episodes
from memory.store.forgetting import (
    ExtraDeletions,
    HistoryChoice,
    TombstoneDigests,
    apply_extra_deletions,
)
from memory.store.memories import lock_user
from memory.types import Origin, Role, StoredEpisode

_SQL = load_queries("erasure")
# A query takes 64 words: each sentence is one of its own.
_SENTENCE_END = re.compile(r"[.!?…。\n]+")


@dataclass(frozen=True)
class PendingErasure:
    """A forgotten memory that waits for its erasure; `content` is None where the row is gone
    already. `sources` are the ids of the messages that it came from."""

    id: UUID
    content: str | None
    has_vector: bool
    history: HistoryChoice
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
class ErasureScope:
    """All that may hold the words of the condemned; `titles` by conversation."""

    condemned: tuple[PendingErasure, ...]
    messages: tuple[RelatedMessage, ...]
    titles: Mapping[UUID, str]
    episodes: tuple[StoredEpisode, ...] = ()


@dataclass(frozen=True)
class ErasurePlan:
    """What is to be done: new words of messages and titles by id, messages to take away, episodes
    in their new words, and for each condemned memory what was removed, as counts. `chats` are the
    conversations of these messages."""

    reworded: Mapping[UUID, str]
    taken: tuple[UUID, ...]
    titles: Mapping[UUID, str | None]
    counts: Mapping[UUID, Mapping[str, int]]
    chats: frozenset[UUID]
    episodes: tuple[StoredEpisode, ...] = ()


PlanErasure: TypeAlias = Callable[[ErasureScope], ErasurePlan]


class ErasureStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, user_id: str, now: datetime) -> dict[UUID, datetime]:
        """The forgotten memories of a user whose time has come, and when it came."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["due"], user_id, now)
        return {row["item_id"]: row["erase_after"] for row in rows}

    async def remains(self, user_id: str, ids: Sequence[UUID]) -> ErasureScope:
        async with self._database.as_user(user_id) as connection:
            return await _read_scope(connection, user_id, ids)

    async def pending_for_messages(self, user_id: str, messages: Sequence[UUID]) -> ErasureScope:
        """Every forgotten memory that still waits and takes its messages with it, and of what may
        tell of one only the turns of these messages. Nothing is locked, no title is read."""
        async with self._database.as_user(user_id) as connection:
            waiting = await connection.fetch(_SQL["waiting"], user_id)
            if not waiting:
                return ErasureScope((), (), {})
            rows = await connection.fetch(_SQL["of_the_same_turns"], user_id, list(messages))
        return ErasureScope(
            tuple(_to_pending_erasure(row) for row in waiting),
            tuple(_to_related_message(row) for row in rows),
            {},
        )

    async def pending_contents(self, user_id: str) -> list[str]:
        """What the forgotten memories say that still wait for their erasure."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["pending_contents"], user_id)
        return [row["content"] for row in rows]

    async def erase(
        self, user_id: str, ids: Sequence[UUID], decide: PlanErasure, origin: Origin, now: datetime
    ) -> ErasurePlan:
        """Removes what `decide` (pure) says of what there is, and the memories themselves, and
        notes it on their tombstones. What was brought back or erased meanwhile is left alone."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            remains = await _read_scope(connection, user_id, ids)
            removal = await asyncio.to_thread(decide, remains)
            await _apply_plan(connection, user_id, removal)
            condemned = [each.id for each in remains.condemned]
            await connection.execute(_SQL["remove_items"], user_id, condemned)
            for item_id in condemned:
                counts = dict(removal.counts.get(item_id, {}))
                said = json.dumps(counts)
                await connection.execute(_SQL["mark_erased"], user_id, item_id, now, said)
                await record_audit(connection, user_id, "erased", origin, item_id, removed=counts)
        return removal


async def _read_scope(connection: Connection, user_id: str, ids: Sequence[UUID]) -> ErasureScope:
    rows = await connection.fetch(_SQL["condemned"], user_id, list(ids))
    condemned = tuple(_to_pending_erasure(row) for row in rows)
    contents = [each.content for each in condemned if each.content and each.history != "keep"]
    messages = await connection.fetch(
        _SQL["related_messages"],
        user_id,
        [source for each in condemned for source in each.sources],
        [str(each.id) for each in condemned],
        [part for content in contents for part in _SENTENCE_END.split(content)],
        contents,
    )
    titles = await connection.fetch(_SQL["all_titles"], user_id)
    words = [
        part for each in condemned if each.content for part in _SENTENCE_END.split(each.content)
    ]
    return ErasureScope(
        condemned,
        tuple(_to_related_message(row) for row in messages),
        {row["id"]: row["title"] for row in titles},
        await find_episodes_about(connection, user_id, words),
    )


async def _apply_plan(connection: Connection, user_id: str, removal: ErasurePlan) -> None:
    reworded = [(user_id, *pair) for pair in removal.reworded.items()]
    await connection.executemany(_SQL["reword_message"], reworded)
    await connection.execute(_SQL["remove_messages"], user_id, list(removal.taken))
    retitled = [(user_id, *pair) for pair in removal.titles.items()]
    await connection.executemany(_SQL["retitle"], retitled)
    await reword_episodes(connection, user_id, removal.episodes)


def _to_pending_erasure(row: Any) -> PendingErasure:
    sources = {found for text in row["source_ids"] or () if (found := _message_id(text))}
    if row["source_message_id"] is not None:
        sources.add(row["source_message_id"])
    return PendingErasure(
        id=row["id"],
        content=row["content"],
        has_vector=bool(row["has_vector"]),
        history=row["history"],
        sources=frozenset(sources),
    )


def _to_related_message(row: Any) -> RelatedMessage:
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


# Texts in one query.
_TEXTS_PER_QUERY = 2_000


@dataclass(frozen=True)
class TranscriptMessage:
    id: UUID
    conversation_id: UUID
    correlation_id: UUID
    role: Role
    content: str
    created_at: datetime


class TranscriptStore:
    """Every method is one transaction of the user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def about(
        self, user_id: str, space: str, text: str, words: Sequence[str], not_turn: UUID | None
    ) -> list[TranscriptMessage]:
        """Every message of the space with one of the text's lexemes or, as a part of whatever, one
        of the words; the oldest first. The turn `not_turn` is left out."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(
                _SQL["about"], user_id, space, not_turn, text, list(words)
            )
        return [_to_transcript_message(row) for row in rows]

    async def replies(self, user_id: str, turns: Collection[UUID]) -> list[TranscriptMessage]:
        """What was answered in the turns, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["replies"], user_id, list(turns))
        return [_to_transcript_message(row) for row in rows]

    async def read(self, user_id: str, ids: Sequence[UUID]) -> list[TranscriptMessage]:
        """Those of the messages that are still there, the oldest first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["read"], user_id, list(ids))
        return [_to_transcript_message(row) for row in rows]

    async def episodes(self, user_id: str, space: str) -> list[StoredEpisode]:
        """Every episode of a space."""
        async with self._database.as_user(user_id) as connection:
            return await read_episodes_of_space(connection, user_id, space)

    async def lexemes(self, user_id: str, texts: Sequence[str]) -> list[frozenset[str]]:
        """All words of each text as the keyword search knows them, without stop words."""
        found: list[frozenset[str]] = []
        async with self._database.as_user(user_id) as connection:
            for start in range(0, len(texts), _TEXTS_PER_QUERY):
                batch = list(texts[start : start + _TEXTS_PER_QUERY])
                rows = await connection.fetch(_SQL["lexemes"], batch)
                found += [frozenset(row["words"]) for row in rows]
        return found

    async def titles(self, user_id: str, space: str) -> dict[UUID, str]:
        """The titles of a space's conversations."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["titles"], user_id, space)
        return {row["id"]: row["title"] for row in rows}

    async def remove(self, user_id: str, besides: ExtraDeletions, origin: Origin) -> None:
        """Removes what was said, and the turn that asked for it, for good."""
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            await apply_extra_deletions(connection, user_id, besides, origin)


def _to_transcript_message(row: Any) -> TranscriptMessage:
    return TranscriptMessage(**dict(row))


ROWS_PER_PAGE = 500


@dataclass(frozen=True)
class TombstoneRecord:
    """A tombstone as it is read: what was removed, when, and by which marks it is known again."""

    item_id: UUID
    space: str
    marks: TombstoneDigests
    history: HistoryChoice
    forgotten_at: datetime
    erase_after: datetime
    erased_at: datetime | None
    removed: Mapping[str, int]


@dataclass(frozen=True)
class StoredText:
    """A text that is still there, with its vector where one is stored."""

    text: str
    embedding: Embedding | None = None


class ErasureProofStore:
    """What is to be looked through for something that was forgotten."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read_grave(self, user_id: str, item_id: UUID) -> TombstoneRecord:
        """Raises NotFound for what was never forgotten."""
        async with self._database.as_user(user_id) as connection:
            row = await connection.fetchrow(_SQL["tombstone"], user_id, item_id)
        if row is None:
            raise NotFound
        return TombstoneRecord(
            item_id=row["item_id"],
            space=row["space"],
            marks=TombstoneDigests(row["digest"], row["simhash"], row["sketch"]),
            history=row["history"],
            forgotten_at=row["created_at"],
            erase_after=row["erase_after"],
            erased_at=row["erased_at"],
            removed=json.loads(row["removed"]),
        )

    async def named(self, user_id: str, beginning: str) -> list[UUID]:
        """The forgotten memories whose ids begin so, at most two, the last forgotten first."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["named"], user_id, beginning)
        return [row["item_id"] for row in rows]

    async def row_is_there(self, user_id: str, item_id: UUID) -> bool:
        async with self._database.as_user(user_id) as connection:
            return bool(await connection.fetchval(_SQL["row_is_there"], user_id, item_id))

    async def memories(self, user_id: str, space: str) -> AsyncIterator[list[StoredText]]:
        """All memories of a space but those that wait to be erased, in batches."""
        last = UUID(int=0)
        while True:
            async with self._database.as_user(user_id) as connection:
                rows = await connection.fetch(
                    _SQL["other_memories"], user_id, last, ROWS_PER_PAGE, space
                )
            yield [
                StoredText(
                    row["content"],
                    None if row["embedding"] is None else row["embedding"].to_numpy(),
                )
                for row in rows
            ]
            if len(rows) < ROWS_PER_PAGE:
                return
            last = rows[-1]["id"]

    async def episodes(self, user_id: str, space: str) -> list[StoredEpisode]:
        """All episodes of a space."""
        async with self._database.as_user(user_id) as connection:
            return await read_episodes_of_space(connection, user_id, space)

    async def messages(self, user_id: str, space: str) -> AsyncIterator[list[str]]:
        """What was said in all conversations of a space, and their titles, in batches."""
        async with self._database.as_user(user_id) as connection:
            titles = await connection.fetch(_SQL["space_titles"], user_id, space)
        yield [row["title"] for row in titles]
        last = 0
        while True:
            async with self._database.as_user(user_id) as connection:
                rows = await connection.fetch(_SQL["messages"], user_id, last, ROWS_PER_PAGE, space)
            yield [row["content"] for row in rows]
            if len(rows) < ROWS_PER_PAGE:
                return
            last = rows[-1]["position"]
