"""Keeping a memory, whoever asks: the user outright, the assistant, or the learning behind it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import structlog
from opentelemetry.trace import NoOpTracer, Tracer

from memory.counters import Counters
from memory.database import Connection, Database
from memory.errors import EmbeddingOutdated, MemoryOff, SecretRefused
from memory.models import KeptItem, NewItem, Origin, Outcome
from memory.spans import in_span
from memory.store.audit import record
from memory.store.forgetting.forgetting import MarkerOf, Marks
from memory.store.forgetting.tombstones import (
    Tombstone,
    find_blocking,
    lift,
    refusal_of,
    says_the_same,
)
from memory.store.forgetting.undo import bring_back
from memory.store.memories.items import EmbeddedItem, Items, count_living, lock_user
from memory.store.memories.rests import without_vector
from memory.write.candidates import Told
from memory.write.pairs import Pairs
from memory.write.preparing import Preparer
from memory.write.rests import Rests
from memory.write.settling import Cuts, Settled, Settling, Uncut

NOTHING_TOLD: Told = {}
_log = structlog.get_logger(__name__)


class Remember:
    """Decides between new, repeat, replacement and doubt; see `memory.write.novelty`.

    One transaction for each memory, one writer of a user at a time; vectors and tags are made
    before it begins. The `pairs` is cleared where something was not to be kept, and has to be
    where something is forgotten.
    """

    def __init__(
        self,
        database: Database,
        preparer: Preparer,
        marker: MarkerOf,
        counters: Counters,
        pairs: Pairs,
        *,
        rests: Rests,
        tracer: Tracer | None = None,
    ) -> None:
        self._database = database
        self._items = Items(database)
        self._preparer = preparer
        self._marker = marker
        self._counters = counters
        self._pairs = pairs
        self._rests = rests
        self._tracer = tracer or NoOpTracer()

    async def keep(
        self,
        user_id: str,
        item: NewItem,
        origin: Origin = Origin(),  # noqa: B008 - frozen
        *,
        category: str | None = None,
        told: Told = NOTHING_TOLD,
    ) -> Outcome:
        """What became of one memory, of which a reader may have `told` how it stands to others. A
        retry of the same message changes nothing.

        Raises SecretRefused, RecentlyForgotten (unless `despite_forgotten`), MemoryOff,
        MessageRefused, InvalidInput and DatabaseUnavailable; nothing is kept then.
        """
        began = time.perf_counter()
        with in_span(self._tracer, "keepsake.write") as span:
            outcome = await self._keep(user_id, item, origin, category, told)
            span.set_attribute("outcome", outcome.kind)
        self._counters.write_seconds.observe(time.perf_counter() - began)
        return outcome

    async def _keep(
        self, user_id: str, item: NewItem, origin: Origin, category: str | None, told: Told
    ) -> Outcome:
        try:
            new = await self._preparer.prepare(item, category)
        except SecretRefused as refusal:
            await self._note_secret(user_id, origin, refusal)
            raise
        try:
            settled = await self._settle_anyway(user_id, new, origin, told)
        except MemoryOff:
            self._pairs.clear()
            self._counters.refused.labels("memory off").inc()
            raise
        if isinstance(settled, Tombstone):
            self._counters.refused.labels("forgotten").inc()
            raise refusal_of(settled)
        self._count(settled)
        return settled.outcome

    async def keep_all(self, user_id: str, items: Sequence[NewItem]) -> list[KeptItem]:
        """Keeps all of them as they are, or none: no duplicate is looked for, nothing replaced,
        and the cap is not kept: that is done after the next memory that is kept by itself."""
        given = await self._preparer.as_given(items)
        try:
            return await self._items.save_all(user_id, given)
        except EmbeddingOutdated:
            return await self._items.save_all(user_id, [_bare(new) for new in given])

    async def _settle_anyway(
        self, user_id: str, new: EmbeddedItem, origin: Origin, told: Told
    ) -> Settled | Tombstone:
        """Without its vector where the database was given those of another model meanwhile; what
        would be replaced is cut between two tries, since that takes a model and no transaction."""
        cuts: Cuts = {}
        while True:
            try:
                return await self._settle(user_id, new, origin, told, cuts)
            except EmbeddingOutdated:
                if new.embedding is None:
                    raise
                new = _bare(new)
                cuts = {each: rest and without_vector(rest) for each, rest in cuts.items()}
            except Uncut as found:
                cuts = {**cuts, **await self._rests.of(new.item.content, found.older)}

    async def _settle(
        self, user_id: str, new: EmbeddedItem, origin: Origin, told: Told, cuts: Cuts
    ) -> Settled | Tombstone:
        marks = self._marker(new.item.content, new.embedding)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            blocking = await find_blocking(connection, user_id, new.item.space, marks)
            if blocking and not new.item.despite_forgotten:
                await record(connection, user_id, "refused_forgotten", origin, blocking[0].item_id)
                return blocking[0]
            back = await _bring_back(connection, user_id, blocking, marks, origin)
            settling = Settling(connection, user_id, origin, self._pairs, told, cuts)
            settled = await settling.settle(new)
            settled = await _counted(connection, user_id, _as_kept(settled, back))
            if left := [stone for stone in blocking if stone.item_id not in back]:
                await _lift(connection, user_id, left, settled, origin)
        return settled

    async def _note_secret(self, user_id: str, origin: Origin, refusal: SecretRefused) -> None:
        self._counters.refused.labels("secret").inc()
        async with self._database.as_user(user_id) as connection:
            kind = refusal.fields["kind"]
            await record(connection, user_id, "refused_secret", origin, kind=kind)

    def _count(self, settled: Settled) -> None:
        if not settled.changed:
            return
        if settled.outcome.kind == "repeated":
            self._counters.dedupe_saves.inc()
        else:
            bank = settled.outcome.item.bank
            self._counters.memories_kept.labels(bank).inc()
            _log.info("kept", bank=bank)
        if settled.outcome.kind == "replaced":
            self._counters.supersedes.inc(len(settled.outcome.older))


def _bare(new: EmbeddedItem) -> EmbeddedItem:
    """Without its vector, which upkeep makes."""
    return replace(new, embedding=None, embedding_model=None)


async def _counted(connection: Connection, user_id: str, settled: Settled) -> Settled:
    """With how many memories the space holds now, which is asked while it is at hand."""
    outcome = settled.outcome
    if outcome.kind == "repeated":
        return settled
    held = await count_living(connection, user_id, outcome.item.space)
    return replace(settled, outcome=replace(outcome, held=held))


async def _bring_back(
    connection: Connection,
    user_id: str,
    blocking: Sequence[Tombstone],
    marks: Marks,
    origin: Origin,
) -> list[UUID]:
    """What the user says again although it was forgotten, in its own words and not erased yet, is
    that memory, as by an undo: a second one would lose its conversations to the erasure of the
    first. What was brought back is no longer forgotten, so an undo finds nothing of it."""
    same = [stone.item_id for stone in blocking if stone.can_return and says_the_same(stone, marks)]
    return await bring_back(connection, user_id, same, origin) if same else []


def _as_kept(settled: Settled, back: Sequence[UUID]) -> Settled:
    """A memory that came back is kept, although it was there for the settling to find."""
    outcome = settled.outcome
    if outcome.kind == "repeated" and outcome.item.id in back:
        return replace(settled, outcome=replace(outcome, kind="kept"))
    return settled


async def _lift(
    connection: Connection,
    user_id: str,
    blocking: Sequence[Tombstone],
    settled: Settled,
    origin: Origin,
) -> None:
    await lift(connection, user_id, blocking)
    kept = settled.outcome.item.id
    for stone in blocking:
        await record(connection, user_id, "tombstone_lifted", origin, stone.item_id, by=kept)
