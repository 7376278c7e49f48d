"""Forgetting and its undo: what it reaches, what stays of a part, what goes of messages, and the
tombstones that keep things out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias
from uuid import UUID

from memory.embeddings.protocol import Embedding
from memory.errors import ChangedMeanwhile, NotFound, RecentlyForgotten
from memory.fingerprints import NEAR_DUPLICATE_BITS, hamming_distance, sketch_similarity
from memory.store.audit import record_audit
from memory.store.database import Connection, Database, load_queries
from memory.store.episodes import reword_episodes
from memory.store.jobs import ERASE_JOB, request_job
from memory.store.memories import (
    IsUnchanged,
    rearchive_sources,
    refuse_changed,
    restore_sources,
    to_memory,
)
from memory.store.remainders import Remainder, drop_remainders, keep_remainder
from memory.types import NO_USER, Origin, StoredEpisode, StoredMemory

_SQL = load_queries("forgetting", columns=StoredMemory.model_fields)


@dataclass(frozen=True)
class AffectedMemory:
    """A memory that a forgetting takes: whether an earlier one took it already, whether it is
    taken only because it says the same, being out of recall already, and whether it is a roll-up
    that tells of a memory beside others (`beside`). `why` is what had taken it out of recall."""

    item: StoredMemory
    embedding: Embedding | None
    forgotten: bool
    copy: bool
    beside: bool
    why: str | None


async def find_affected(
    connection: Connection, user_id: str, ids: Sequence[UUID]
) -> list[AffectedMemory]:
    """What a forgetting or its undo reaches from these memories: older versions, what is out of
    recall and says the same, and the roll-ups that tell of them. Within the caller's transaction;
    an id that is not there leads nowhere."""
    rows = await connection.fetch(_SQL["reach"], user_id, list(ids))
    return [_to_affected_memory(row) for row in rows]


def _to_affected_memory(row: Any) -> AffectedMemory:
    item, vector = to_memory(row), row["embedding"]
    embedding = None if vector is None else vector.to_numpy()
    return AffectedMemory(
        item, embedding, row["forgotten"], row["copy"], row["beside"], row["removed_because"]
    )


@dataclass(frozen=True)
class PartialForgetting(Remainder):
    """What `goes` of a memory, with the sketch of its vector, beside what stays."""

    goes: str
    sketch: bytes | None


class PartialForgettingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def separable(self, user_id: str, ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of the memories of which a part may stay."""
        async with self._database.as_user(user_id) as connection:
            rows = await connection.fetch(_SQL["separable"], user_id, list(ids))
        return frozenset(row["id"] for row in rows)


async def keep_remainders(
    connection: Connection, user_id: str, parts: Sequence[PartialForgetting], origin: Origin
) -> None:
    """Raises ChangedMeanwhile where a memory is not what was cut."""
    for part in parts:
        if await keep_remainder(connection, user_id, part, origin) is None:
            raise ChangedMeanwhile


@dataclass(frozen=True)
class TranscriptRedaction:
    """New words of messages and titles by id, the messages to take away, and episodes in their new
    words. `history` is what the user chose for the messages, and `conversations` are those that
    hold one."""

    reworded: Mapping[UUID, str]
    taken: tuple[UUID, ...]
    titles: Mapping[UUID, str | None]
    history: str
    episodes: tuple[StoredEpisode, ...] = ()
    conversations: frozenset[UUID] = frozenset()

    @property
    def counts(self) -> dict[str, int]:
        """As a tombstone counts what was removed."""
        counted = {
            "messages_redacted": len(self.reworded),
            "messages_deleted": len(self.taken),
            "titles_redacted": len(self.titles),
            "episodes_redacted": len(self.episodes),
        }
        return {name: count for name, count in counted.items() if count}


@dataclass(frozen=True)
class ExtraDeletions:
    """What a forgetting does besides removing memories: what was said about them goes, and the turn
    that named them in order to forget them; of `parts` of them the rest is kept."""

    said: TranscriptRedaction | None = None
    asked_in: UUID | None = None
    parts: tuple[PartialForgetting, ...] = ()

    @property
    def messages(self) -> int:
        return 0 if self.said is None else len(self.said.reworded) + len(self.said.taken)


NO_EXTRA_DELETIONS = ExtraDeletions()


async def apply_extra_deletions(
    connection: Connection,
    user_id: str,
    besides: ExtraDeletions,
    origin: Origin,
    items: Sequence[UUID] = (),
) -> None:
    """Removes it for good, under the user's lock; `items` are the memories forgotten with it.
    Both sides of the turn are “[forgotten]” from now on, its vectors are gone."""
    if besides.said is not None:
        await _redact_transcript(connection, user_id, besides.said, origin, items)
    if besides.asked_in is not None:
        await connection.execute(_SQL["blank_turn"], user_id, besides.asked_in)


async def _redact_transcript(
    connection: Connection,
    user_id: str,
    unsaying: TranscriptRedaction,
    origin: Origin,
    items: Sequence[UUID],
) -> None:
    """With vectors and search rows; how much it was is noted in the audit log, and on the
    tombstones of the memories."""
    counts = unsaying.counts
    reworded = [(user_id, *pair) for pair in unsaying.reworded.items()]
    await connection.executemany(_SQL["reword"], reworded)
    await connection.execute(_SQL["take_away"], user_id, list(unsaying.taken))
    retitled = [(user_id, *pair) for pair in unsaying.titles.items()]
    await connection.executemany(_SQL["retitle"], retitled)
    await reword_episodes(connection, user_id, unsaying.episodes)
    await connection.execute(_SQL["count_on_tombstones"], user_id, list(items), json.dumps(counts))
    history = unsaying.history
    await record_audit(
        connection, user_id, "said_forgotten", origin, history=history, removed=counts
    )


async def restore_last_forgotten(
    connection: Connection, user_id: str, origin: Origin, space: str | None
) -> list[UUID]:
    """Brings back what was forgotten last, in a space or in any, and is not erased yet, within the
    caller's transaction and under the user's lock."""
    rows = await connection.fetch(_SQL["last_forgotten"], user_id, UNDO_TIME, space)
    return await _lift_and_restore(
        connection, user_id, [row["item_id"] for row in rows], [], origin
    )


async def restore_forgotten(
    connection: Connection, user_id: str, ids: Sequence[UUID], origin: Origin
) -> list[UUID]:
    """Brings back what is not erased yet of these, with what went with them, within the caller's
    transaction and under the user's lock."""
    reached = await find_affected(connection, user_id, ids)
    copies = [each.item.id for each in reached if each.copy]
    wanted = [each.item.id for each in reached]
    return await _lift_and_restore(connection, user_id, wanted, copies, origin)


async def _lift_and_restore(
    connection: Connection,
    user_id: str,
    wanted: Sequence[UUID],
    copies: Sequence[UUID],
    origin: Origin,
) -> list[UUID]:
    """A roll-up that tells of something else which stays forgotten stays so with it; what it had
    taken the place of is in recall by itself."""
    telling = await connection.fetch(_SQL["tells_of_the_forgotten"], user_id, wanted)
    held_back = [row["id"] for row in telling]
    free = [each for each in wanted if each not in held_back]
    rows = await connection.fetch(_SQL["unbury"], user_id, free, copies, UNDO_TIME)
    back = [row["item_id"] for row in rows]
    why = [row["why"] for row in rows]
    await connection.execute(_SQL["bring_back"], user_id, back, why)
    await drop_remainders(connection, user_id, back)
    await restore_sources(connection, user_id, held_back)
    await rearchive_sources(connection, user_id, back)
    await connection.execute(_SQL["reopen_doubts"], user_id, back)
    for item_id in back:
        await record_audit(connection, user_id, "unforgotten", origin, item_id)
    return back


HistoryChoice = Literal["keep", "redact", "delete"]
"""What becomes of the conversations that a forgotten memory came from."""

UNDO_TIME = timedelta(hours=24)
REJECTION_TIME = timedelta(hours=24)


@dataclass(frozen=True)
class TombstoneDigests:
    """What a tombstone holds instead of words: keyed digests, see `memory.fingerprints`."""

    text: bytes
    simhash: int
    sketch: bytes | None


ComputeDigests: TypeAlias = Callable[[str, Embedding | None], TombstoneDigests]


@dataclass(frozen=True)
class ForgetResult:
    """What went, and until when it can be brought back, None where it goes at once; and out of how
    many messages went what was said about it. `erased` says that it is gone for good already:
    where a cache cannot be reached, what goes at once waits for it, at most 7 days."""

    ids: tuple[UUID, ...]
    undo_until: datetime | None
    messages: int = 0
    erased: bool = False


@dataclass(frozen=True)
class _ForgetRequest:
    now: datetime
    erase_after: datetime
    history: HistoryChoice
    parts: Sequence[PartialForgetting]

    def marks_of(self, item: StoredMemory, marks: TombstoneDigests) -> TombstoneDigests:
        """The words of the whole, and where a part goes the meaning of that alone: neither the
        whole nor the part is learned again, and what stays is not in its own way."""
        part = next((each for each in self.parts if each.item_id == item.id), None)
        return marks if part is None else replace(marks, sketch=part.sketch)


class ForgettingStore:
    """What is forgotten is out of recall in one transaction, buried under digests, and not yet
    erased. Every method names its user. An id of another user is NotFound."""

    def __init__(self, database: Database, marker: ComputeDigests) -> None:
        self._database = database
        self._marker = marker

    async def preview(self, user_id: str, ids: Sequence[UUID]) -> list[StoredMemory]:
        """What forgetting these would take: themselves in the order named, then their older
        versions and the roll-ups of them. Trimmed and replaced copies, which go with them, say the
        same again and are not shown. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            reached = await find_affected(connection, user_id, ids)
        fresh = [each for each in reached if not each.forgotten]
        _raise_if_missing(ids, fresh)
        return [each.item for each in fresh if not each.copy]

    async def forget(
        self,
        user_id: str,
        ids: Sequence[UUID],
        origin: Origin,
        now: datetime,
        *,
        for_good: bool = False,
        history: HistoryChoice = "redact",
        still: IsUnchanged | None = None,
        besides: ExtraDeletions = NO_EXTRA_DELETIONS,
    ) -> ForgetResult:
        """Takes the memories and all that goes with them out of every recall and listing, and what
        goes `besides`, in one transaction; the rest of parts is kept before.

        They wait for their erasure for `UNDO_TIME`, `for_good` not at all, also where they were
        forgotten before. Nothing is taken where one of the ids is not there, or not as it was.
        Raises NotFound and ChangedMeanwhile.
        """
        burial = _ForgetRequest(now, now if for_good else now + UNDO_TIME, history, besides.parts)
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            reached = await find_affected(connection, user_id, ids)
            taken = reached if for_good else [each for each in reached if not each.forgotten]
            _raise_if_missing_or_changed(ids, taken, still)
            await self._bury(connection, user_id, taken, burial, origin)
            gone = tuple(each.item.id for each in taken)
            beside = [each.item.id for each in taken if each.beside]
            await restore_sources(connection, user_id, beside, but=gone)
            if for_good:
                await connection.execute(_SQL["hasten"], user_id, gone, now, history, beside)
                await request_job(connection, user_id, ERASE_JOB)
            for each in gone:
                how = {"named": each in ids, "for_good": for_good, "history": history}
                await record_audit(connection, user_id, "forgotten", origin, each, **how)
            await apply_extra_deletions(connection, user_id, besides, origin, gone)
        return ForgetResult(gone, None if for_good else burial.erase_after, besides.messages)

    async def undo(
        self, user_id: str, ids: Sequence[UUID] | None, origin: Origin, space: str | None = None
    ) -> list[UUID]:
        """Brings back what is not erased yet, with the versions and roll-ups that went with it;
        without ids, what was forgotten last, in that space or in any. Empty where nothing can be
        brought back."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            if ids is not None:
                return await restore_forgotten(connection, user_id, ids, origin)
            return await restore_last_forgotten(connection, user_id, origin, space)

    async def users_with_due_erasures(self, now: datetime) -> list[str]:
        """Whose memories wait to be erased. For a database that acts as the worker."""
        async with self._database.as_user(NO_USER) as connection:
            rows = await connection.fetch(_SQL["users_with_due_erasures"], now)
        return [row["user_id"] for row in rows]

    async def _bury(
        self,
        connection: Connection,
        user_id: str,
        taken: Sequence[AffectedMemory],
        burial: _ForgetRequest,
        origin: Origin,
    ) -> None:
        """Those of them that an earlier forgetting did not take already, the rests kept before."""
        await keep_remainders(connection, user_id, burial.parts, origin)
        fresh = [each for each in taken if not each.forgotten]
        ids = [each.item.id for each in fresh]
        await connection.execute(_SQL["take_out"], user_id, ids, burial.now)
        await connection.execute(_SQL["close_doubts"], user_id, ids, burial.now)
        graves = []
        for each in fresh:
            marks = burial.marks_of(each.item, self._marker(each.item.content, each.embedding))
            named = (user_id, each.item.id, each.item.space, marks.text, marks.simhash)
            was_trimmed = each.item.deleted_at is not None
            # What a roll-up told besides is in recall again: it may be said, and stays in what
            # was said.
            history = "keep" if each.beside else burial.history
            refused_until = burial.now + (timedelta() if each.beside else REJECTION_TIME)
            times = (burial.now, refused_until, burial.erase_after)
            graves.append((*named, marks.sketch, was_trimmed, each.why, history, *times))
        await connection.executemany(_SQL["bury"], graves)


def _raise_if_missing(ids: Sequence[UUID], there: Sequence[AffectedMemory]) -> None:
    if not ids or not set(ids) <= {each.item.id for each in there}:
        raise NotFound


def _raise_if_missing_or_changed(
    ids: Sequence[UUID], taken: Sequence[AffectedMemory], still: IsUnchanged | None
) -> None:
    _raise_if_missing(ids, taken)
    refuse_changed([each.item for each in taken if each.item.id in ids], still)


# A paraphrase: 004 1.3 calls a memory novel below this cosine.
MIN_SKETCH_SIMILARITY = 0.82


@dataclass(frozen=True)
class Tombstone:
    """`can_return` while the memory itself waits for its erasure; `same` where what runs into it
    says the same, and is not only like it: “my Audi is green” is like “my BMW is green”."""

    item_id: UUID
    digest: bytes
    simhash: int
    sketch: bytes | None
    created_at: datetime
    expires_at: datetime
    can_return: bool = False
    same: bool = False


async def find_blocking_tombstones(
    connection: Connection, user_id: str, space: str, marks: TombstoneDigests
) -> list[Tombstone]:
    """The tombstones that a new memory of these marks runs into, the last to expire first.

    One blocks by the same words, a keyed SimHash at most three bits apart, or sketches that let a
    cosine of 0.82 or more expect.
    """
    standing = await read_active_tombstones(connection, user_id, [space])
    found = [stone for stone in standing.get(space, ()) if is_blocking(stone, marks)]
    told = [replace(stone, same=has_same_wording(stone, marks)) for stone in found]
    return sorted(told, key=lambda stone: stone.expires_at, reverse=True)


async def read_active_tombstones(
    connection: Connection, user_id: str, spaces: Sequence[str]
) -> dict[str, list[Tombstone]]:
    """What still keeps something out of each of the spaces."""
    found: dict[str, list[Tombstone]] = {}
    for row in await connection.fetch(_SQL["standing"], user_id, spaces):
        columns = dict(row)
        found.setdefault(columns.pop("space"), []).append(Tombstone(**columns))
    return found


async def lift_tombstones(
    connection: Connection, user_id: str, stones: Sequence[Tombstone]
) -> None:
    """Lets what they kept out come back, and leaves the conversations alone in which the user
    says it again: of what still waits the memory is erased, and nothing else."""
    await connection.execute(_SQL["lift"], user_id, [stone.item_id for stone in stones])


def rejection_error(stone: Tombstone) -> RecentlyForgotten:
    """What is said to who would bring it back."""
    until = f"{_day(stone.expires_at)}, {stone.expires_at:%H:%M} UTC"
    what = "this" if stone.same else "something much like this"
    return RecentlyForgotten(what=what, day=_day(stone.created_at), until=until)


def has_same_wording(stone: Tombstone, marks: TombstoneDigests) -> bool:
    """By its words, not only by its meaning."""
    return (
        stone.digest == marks.text
        or hamming_distance(stone.simhash, marks.simhash) <= NEAR_DUPLICATE_BITS
    )


def is_blocking(stone: Tombstone, marks: TombstoneDigests) -> bool:
    if has_same_wording(stone, marks):
        return True
    if stone.sketch is None or marks.sketch is None or len(stone.sketch) != len(marks.sketch):
        return False
    return sketch_similarity(stone.sketch, marks.sketch) >= MIN_SKETCH_SIMILARITY


def _day(moment: datetime) -> str:
    return f"{moment:%d %B %Y}".lstrip("0")
