"""Forgetting and its undo: out of recall in one transaction, buried under digests, not yet erased.

What is forgotten takes with it the versions that it replaced, what is out of recall and says the
same, and the roll-ups made from it; what else such a roll-up told of is in recall again by itself.
A roll-up that is named takes along what it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

from memory.database import Connection, Database
from memory.embedders.protocol import Embedding
from memory.errors import NotFound
from memory.models import KeptItem, Origin
from memory.store.audit import record
from memory.store.forgetting.parts import Part, keep_rests
from memory.store.forgetting.reaching import Reached, reach
from memory.store.forgetting.undo import bring_back, bring_last_back
from memory.store.forgetting.unsaying import NOTHING_BESIDES, Besides, remove_besides
from memory.store.jobs.requests import ERASE, request_job
from memory.store.memories.items import Still, refuse_changed
from memory.store.queries import load_queries
from memory.store.upkeep.archive import release

History = Literal["keep", "redact", "delete"]
"""What becomes of the conversations that a forgotten memory came from."""

UNDO_TIME = timedelta(hours=24)
REFUSED_TIME = timedelta(hours=24)
WORKER = "-"
_SQL = load_queries("forgetting/forgetting")


@dataclass(frozen=True)
class Marks:
    """What a tombstone holds instead of words: keyed digests, see `memory.digests`."""

    text: bytes
    simhash: int
    sketch: bytes | None


MarkerOf: TypeAlias = Callable[[str, Embedding | None], Marks]


@dataclass(frozen=True)
class Forgotten:
    """What went, and until when it can be brought back, None where it goes at once; and out of how
    many messages went what was said about it."""

    ids: tuple[UUID, ...]
    undo_until: datetime | None
    messages: int = 0


@dataclass(frozen=True)
class _Burial:
    now: datetime
    erase_after: datetime
    history: History
    parts: Sequence[Part]

    def marks_of(self, item: KeptItem, marks: Marks) -> Marks:
        """The words of the whole, and where a part goes the meaning of that alone: neither the
        whole nor the part is learned again, and what stays is not in its own way."""
        part = next((each for each in self.parts if each.item_id == item.id), None)
        return marks if part is None else replace(marks, sketch=part.sketch)


class ForgettingStore:
    """Every method names its user. An id of another user is NotFound."""

    def __init__(self, database: Database, marker: MarkerOf) -> None:
        self._database = database
        self._marker = marker

    async def preview(self, user_id: str, ids: Sequence[UUID]) -> list[KeptItem]:
        """What forgetting these would take: themselves in the order named, then their older
        versions and the roll-ups of them. Trimmed and replaced copies, which go with them, say the
        same again and are not shown. Raises NotFound."""
        async with self._database.as_user(user_id) as connection:
            reached = await reach(connection, user_id, ids)
        fresh = [each for each in reached if not each.forgotten]
        _refuse_missing(ids, fresh)
        return [each.item for each in fresh if not each.copy]

    async def forget(
        self,
        user_id: str,
        ids: Sequence[UUID],
        origin: Origin,
        now: datetime,
        *,
        for_good: bool = False,
        history: History = "redact",
        still: Still | None = None,
        besides: Besides = NOTHING_BESIDES,
    ) -> Forgotten:
        """Takes the memories and all that goes with them out of every recall and listing, and what
        goes `besides`, in one transaction; the rest of parts is kept before.

        They wait for their erasure for `UNDO_TIME`, `for_good` not at all, also where they were
        forgotten before. Nothing is taken where one of the ids is not there, or not as it was.
        Raises NotFound and ChangedMeanwhile.
        """
        burial = _Burial(now, now if for_good else now + UNDO_TIME, history, besides.parts)
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            reached = await reach(connection, user_id, ids)
            taken = reached if for_good else [each for each in reached if not each.forgotten]
            _refuse(ids, taken, still)
            await self._bury(connection, user_id, taken, burial, origin)
            gone = tuple(each.item.id for each in taken)
            beside = [each.item.id for each in taken if each.beside]
            await release(connection, user_id, beside, but=gone)
            if for_good:
                await connection.execute(_SQL["hasten"], user_id, gone, now, history, beside)
                await request_job(connection, user_id, ERASE)
            for each in gone:
                how = {"named": each in ids, "for_good": for_good, "history": history}
                await record(connection, user_id, "forgotten", origin, each, **how)
            await remove_besides(connection, user_id, besides, origin, gone)
        return Forgotten(gone, None if for_good else burial.erase_after, besides.messages)

    async def undo(self, user_id: str, ids: Sequence[UUID] | None, origin: Origin) -> list[UUID]:
        """Brings back what is not erased yet, with the versions and roll-ups that went with it;
        without ids, what was forgotten last. Empty where nothing can be brought back."""
        async with self._database.as_user(user_id) as connection:
            await connection.execute(_SQL["lock_user"], user_id)
            if ids is not None:
                return await bring_back(connection, user_id, ids, origin)
            return await bring_last_back(connection, user_id, origin)

    async def users_with_due(self, now: datetime) -> list[str]:
        """Whose memories wait to be erased. For a database that acts as the worker."""
        async with self._database.as_user(WORKER) as connection:
            rows = await connection.fetch(_SQL["users_with_due"], now)
        return [row["user_id"] for row in rows]

    async def _bury(
        self,
        connection: Connection,
        user_id: str,
        taken: Sequence[Reached],
        burial: _Burial,
        origin: Origin,
    ) -> None:
        """Those of them that an earlier forgetting did not take already, the rests kept before."""
        await keep_rests(connection, user_id, burial.parts, origin)
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
            refused_until = burial.now + (timedelta() if each.beside else REFUSED_TIME)
            times = (burial.now, refused_until, burial.erase_after)
            graves.append((*named, marks.sketch, was_trimmed, each.why, history, *times))
        await connection.executemany(_SQL["bury"], graves)


def _refuse_missing(ids: Sequence[UUID], there: Sequence[Reached]) -> None:
    if not ids or not set(ids) <= {each.item.id for each in there}:
        raise NotFound


def _refuse(ids: Sequence[UUID], taken: Sequence[Reached], still: Still | None) -> None:
    _refuse_missing(ids, taken)
    refuse_changed([each.item for each in taken if each.item.id in ids], still)
