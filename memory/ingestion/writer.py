"""Keeps a memory: what becomes of it among those that are there, in one transaction."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from uuid import UUID

import structlog
from opentelemetry.trace import NoOpTracer, Tracer

from memory.errors import EmbeddingOutdated, MemoryOff, SecretRefused
from memory.ingestion.classification import salience
from memory.ingestion.deduplication import (
    NOTHING_TOLD,
    NearMemory,
    NoveltyDecision,
    Relate,
    RelationCache,
    RepeatState,
    Told,
    decide_novelty,
    merge_repeat,
    merge_tags,
)
from memory.ingestion.metadata import propose_tags
from memory.ingestion.preparation import MemoryPreparer
from memory.metrics import MemoryMetrics
from memory.store.audit import record_audit
from memory.store.conflicts import open_conflict
from memory.store.database import Connection, Database
from memory.store.forgetting import (
    ComputeDigests,
    Tombstone,
    TombstoneDigests,
    find_blocking_tombstones,
    has_same_wording,
    lift_tombstones,
    rejection_error,
    restore_forgotten,
)
from memory.store.memories import (
    EmbeddedMemory,
    MemoryStore,
    RepeatUpdate,
    SimilarMemory,
    count_active,
    count_repeat,
    find_similar,
    insert_memory,
    lock_user,
    supersede,
)
from memory.store.remainders import (
    FindRemainders,
    FoundRemainders,
    drop_remainders,
    keep_remainder,
    require_remainders,
    try_with_remainders,
)
from memory.tracing import in_span
from memory.types import Actor, NewMemory, Origin, SaveOutcome, StoredMemory


def find_previous_save(
    new: EmbeddedMemory, near: Sequence[SimilarMemory], actor: Actor, relate: Relate
) -> SimilarMemory | None:
    """What this message, or an import, was already kept as; in recall or replaced since."""
    said = _from_same_message(new, near, relate)
    if said is None and actor == "import":
        return _to_the_letter(new, near)
    return said


def to_near_memory(stored: SimilarMemory) -> NearMemory:
    item = stored.item
    return NearMemory(
        id=item.id,
        content=item.content,
        simhash=stored.simhash,
        cosine=stored.cosine,
        pinned=item.pinned,
        manually_saved=item.manually_saved,
        created_at=item.created_at,
        occurred_at=item.occurred_at,
        replaced=stored.replaced,
    )


def _from_same_message(
    new: EmbeddedMemory, near: Sequence[SimilarMemory], relate: Relate
) -> SimilarMemory | None:
    assert new.simhash is not None
    if new.item.source_message_id is None:
        return None
    for each in near:
        if str(new.item.source_message_id) not in each.source_ids:
            continue
        as_living = replace(to_near_memory(each), replaced=False)
        if decide_novelty(new.item.content, new.simhash, [as_living], relate).kind == "repeat":
            return each
    return None


def _to_the_letter(new: EmbeddedMemory, near: Sequence[SimilarMemory]) -> SimilarMemory | None:
    """The same words without a source that is new: it was taken along from here, or brought
    before, and is not said once more."""
    for each in near:
        same_words = each.item.content == new.item.content
        if same_words and set(new.item.source_ids) <= set(each.source_ids):
            return each
    return None


Known: TypeAlias = dict[UUID, SimilarMemory]


@dataclass(frozen=True)
class SettledMemory:
    """The outcome, and whether anything was written: a retry of the same message writes nothing."""

    outcome: SaveOutcome
    changed: bool = True


@dataclass(frozen=True)
class MemorySettler:
    """One new memory of a user, to be settled under the user's lock; `relate` and `told` as in
    `decide_novelty`. `remainders` is what still holds of memories that may be replaced."""

    connection: Connection
    user_id: str
    origin: Origin
    relate: Relate
    told: Told
    remainders: FoundRemainders = field(default_factory=dict)

    async def settle(self, new: EmbeddedMemory) -> SettledMemory:
        """Stores it, counts it as a repeat, puts it in the place of others, or asks.

        Raises MemoryOff where the mode of the space forbids it, and RemaindersMissing.
        """
        near = await find_similar(self.connection, self.user_id, new)
        known = {each.item.id: each for each in near}
        before = await asyncio.to_thread(
            find_previous_save, new, near, self.origin.actor, self.relate
        )
        if before is not None:
            return await self._again(new, before)
        decision = await self._decide(new, near)
        match decision.kind:
            case "repeat" if decision.why == "revived":
                return await self._revive(new, decision, known)
            case "repeat":
                return await self._repeat(new, decision, known)
        return await self._store(new, decision, known)

    async def _decide(self, new: EmbeddedMemory, near: Sequence[SimilarMemory]) -> NoveltyDecision:
        """On a thread: a hundred memories that were not read yet would hold the loop for 50 ms."""
        assert new.simhash is not None
        around = [to_near_memory(each) for each in near]
        return await asyncio.to_thread(
            decide_novelty, new.item.content, new.simhash, around, self.relate, self.told
        )

    async def _again(self, new: EmbeddedMemory, said: SimilarMemory) -> SettledMemory:
        """The message was learned from before, or the memory imported: only what the user asked
        for since is added."""
        item, wanted = said.item, new.item
        asked = (wanted.pinned and not item.pinned) or (
            wanted.manually_saved and not item.manually_saved
        )
        if not asked or said.replaced:
            return SettledMemory(SaveOutcome("repeated", item), changed=False)
        repeat = replace(_merged(new, said), importance=item.importance, counted=0)
        kept = await count_repeat(self.connection, self.user_id, item.id, repeat)
        await self._record("repeated", kept.id, why="same source", counted=0)
        return SettledMemory(SaveOutcome("repeated", kept))

    async def _repeat(
        self, new: EmbeddedMemory, decision: NoveltyDecision, known: Known
    ) -> SettledMemory:
        said = known[decision.of[0]]
        kept = await count_repeat(self.connection, self.user_id, said.item.id, _merged(new, said))
        await self._record("repeated", kept.id, why=decision.why)
        return SettledMemory(SaveOutcome("repeated", kept))

    async def _revive(
        self, new: EmbeddedMemory, decision: NoveltyDecision, known: Known
    ) -> SettledMemory:
        """A replaced memory holds again; what contradicts it now is replaced by it."""
        said = known[decision.of[0]]
        living = [each for each in known.values() if not each.replaced]
        clashing = await self._decide(new, living)
        older = [known[each].item for each in clashing.of]
        if self._was_learned_before(new, older):
            return await self._again(new, said)
        repeat = _merged(_as_important(new, older), said)
        kept = await count_repeat(self.connection, self.user_id, said.item.id, repeat)
        await self._record("revived", kept.id, why=clashing.why)
        gone = await self._supersede(older, kept, "revived")
        await drop_remainders(self.connection, self.user_id, [kept.id])
        return SettledMemory(SaveOutcome("replaced", kept, gone))

    async def _store(
        self, new: EmbeddedMemory, decision: NoveltyDecision, known: Known
    ) -> SettledMemory:
        older = [known[each].item for each in decision.of]
        new = _with_tags_of(new, [each for each in known.values() if not each.replaced])
        if decision.kind == "replace":
            new = _as_important(new, older)
        kept = await insert_memory(self.connection, self.user_id, new)
        await self._record("kept", kept.id, why=decision.why, older=list(decision.of))
        kind = decision.kind
        if kind == "replace" and not self._was_learned_before(new, older):
            gone = await self._supersede(older, kept, decision.why)
            return SettledMemory(SaveOutcome("replaced", kept, gone))
        if kind in ("replace", "ask"):
            asked = [await self._ask(each, kept, new, decision.why) for each in older]
            return SettledMemory(SaveOutcome("doubtful", kept, tuple(older), tuple(asked)))
        return SettledMemory(SaveOutcome("kept", kept))

    async def _supersede(
        self, older: Sequence[StoredMemory], by: StoredMemory, why: str
    ) -> tuple[StoredMemory, ...]:
        """What still holds of each is kept in its place."""
        rests = require_remainders(self.remainders, by.content, older)
        gone = []
        for each, rest in zip(older, rests, strict=True):
            if rest is not None:
                await keep_remainder(self.connection, self.user_id, rest, self.origin)
            replaced = await supersede(self.connection, self.user_id, each.id, by.id)
            assert replaced is not None
            gone.append(replaced)
            await self._record("superseded", each.id, by=by.id, why=why)
        return tuple(gone)

    async def _ask(
        self, there: StoredMemory, kept: StoredMemory, new: EmbeddedMemory, why: str
    ) -> UUID:
        """Whether the one that was learned later replaces the other."""
        older, newer = (there, kept)
        if self._was_learned_before(new, [there]):
            older, newer = (kept, there)
        doubt = await open_conflict(self.connection, self.user_id, older.id, newer.id)
        await self._record("doubted", older.id, by=newer.id, doubt=doubt, why=why)
        return doubt

    def _was_learned_before(self, new: EmbeddedMemory, there: Sequence[StoredMemory]) -> bool:
        """Whether one of those that are there is the later one, as it may be of what is imported
        with its date: what was so then does not take out what was told since."""
        learned = new.item.created_at
        if self.origin.actor != "import" or learned is None:
            return False
        return any(learned < each.created_at for each in there)

    async def _record(self, action: str, item_id: UUID, *, why: str, **detail: object) -> None:
        await record_audit(
            self.connection, self.user_id, action, self.origin, item_id, why=why, **detail
        )


def _with_tags_of(new: EmbeddedMemory, near: Sequence[SimilarMemory]) -> EmbeddedMemory:
    """The memory with the tags that its neighbours propose (000)."""
    near_by = [(each.cosine, each.item.tags) for each in near if each.cosine is not None]
    merged = merge_tags(new.item.tags, propose_tags(new.item.tags, near_by))
    return replace(new, item=new.item.model_copy(update={"tags": merged}))


def _merged(new: EmbeddedMemory, said: SimilarMemory) -> RepeatUpdate:
    old, item = said.item, new.item
    merged = merge_repeat(
        RepeatState(
            tags=old.tags,
            source_ids=said.source_ids,
            importance=old.importance,
            repeat_count=old.repeat_count,
        ),
        RepeatState(tags=item.tags, source_ids=item.source_ids),
    )
    return RepeatUpdate(
        tags=merged.tags,
        source_ids=merged.source_ids,
        importance=merged.importance,
        metadata_confidence=new.metadata_confidence,
        manually_saved=item.manually_saved,
        pinned=item.pinned,
        occurred_at=item.occurred_at,
        salience=salience(old.content, old.type, pinned=old.pinned or item.pinned),
    )


def _as_important(new: EmbeddedMemory, older: Sequence[StoredMemory]) -> EmbeddedMemory:
    """What replaces a memory matters as much. It is not saved by hand because that one was: nobody
    asked for it. A pinned one is only replaced by its user's answer; see `ConflictStore.answer`."""
    most = max([new.item.importance, *(each.importance for each in older)])
    return replace(new, item=new.item.model_copy(update={"importance": most}))


_log = structlog.get_logger(__name__)


class MemoryWriter:
    """Keeps a memory, whoever asks. Decides between new, repeat, replacement and conflict; see
    `memory.ingestion.deduplication`.

    One transaction for each memory, one writer of a user at a time; vectors and tags are made
    before it begins. The `pairs` is cleared where something was not to be kept, and has to be
    where something is forgotten.
    """

    def __init__(
        self,
        database: Database,
        preparer: MemoryPreparer,
        marker: ComputeDigests,
        counters: MemoryMetrics,
        pairs: RelationCache,
        *,
        remainders: FindRemainders,
        tracer: Tracer | None = None,
    ) -> None:
        self._database = database
        self._items = MemoryStore(database)
        self._preparer = preparer
        self._marker = marker
        self._counters = counters
        self._pairs = pairs
        self._remainders = remainders
        self._tracer = tracer or NoOpTracer()

    async def keep(
        self,
        user_id: str,
        item: NewMemory,
        origin: Origin = Origin(),  # noqa: B008 - frozen
        *,
        category: str | None = None,
        told: Told = NOTHING_TOLD,
    ) -> SaveOutcome:
        """What became of one memory, of which a reader may have `told` how it stands to others. A
        retry of the same message changes nothing.

        Raises SecretRefused, RecentlyForgotten (unless `despite_forgotten`), MemoryOff,
        MessageRefused, InvalidInput, ChangedMeanwhile and DatabaseUnavailable; nothing is kept
        then.
        """
        began = time.perf_counter()
        with in_span(self._tracer, "keepsake.write") as span:
            outcome = await self._keep(user_id, item, origin, category, told)
            span.set_attribute("outcome", outcome.kind)
        self._counters.write_seconds.observe(time.perf_counter() - began)
        return outcome

    async def _keep(
        self, user_id: str, item: NewMemory, origin: Origin, category: str | None, told: Told
    ) -> SaveOutcome:
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
            raise rejection_error(settled)
        self._count(settled)
        return settled.outcome

    async def keep_all(self, user_id: str, items: Sequence[NewMemory]) -> list[StoredMemory]:
        """Keeps all of them as they are, or none: no duplicate is looked for, nothing replaced,
        and the cap is not kept: that is done after the next memory that is kept by itself."""
        given = await self._preparer.as_given(items)
        try:
            return await self._items.save_all(user_id, given)
        except EmbeddingOutdated:
            return await self._items.save_all(user_id, [_bare(new) for new in given])

    async def _settle_anyway(
        self, user_id: str, new: EmbeddedMemory, origin: Origin, told: Told
    ) -> SettledMemory | Tombstone:
        """Without its vector where the database was given those of another model meanwhile."""

        async def attempt(found: FoundRemainders, with_vectors: bool) -> SettledMemory | Tombstone:
            item = new if with_vectors else _bare(new)
            return await self._settle(user_id, item, origin, told, found)

        return await try_with_remainders(attempt, self._remainders)

    async def _settle(
        self,
        user_id: str,
        new: EmbeddedMemory,
        origin: Origin,
        told: Told,
        remainders: FoundRemainders,
    ) -> SettledMemory | Tombstone:
        marks = self._marker(new.item.content, new.embedding)
        async with self._database.as_user(user_id) as connection:
            await lock_user(connection, user_id)
            blocking = await find_blocking_tombstones(connection, user_id, new.item.space, marks)
            if blocking and not new.item.despite_forgotten:
                await record_audit(
                    connection, user_id, "refused_forgotten", origin, blocking[0].item_id
                )
                return blocking[0]
            back = await _bring_back(connection, user_id, blocking, marks, origin)
            settler = MemorySettler(connection, user_id, origin, self._pairs, told, remainders)
            settled = await settler.settle(new)
            settled = await _counted(connection, user_id, _as_kept(settled, back))
            if left := [stone for stone in blocking if stone.item_id not in back]:
                await _lift(connection, user_id, left, settled, origin)
        return settled

    async def _note_secret(self, user_id: str, origin: Origin, refusal: SecretRefused) -> None:
        self._counters.refused.labels("secret").inc()
        async with self._database.as_user(user_id) as connection:
            kind = refusal.fields["kind"]
            await record_audit(connection, user_id, "refused_secret", origin, kind=kind)

    def _count(self, settled: SettledMemory) -> None:
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


def _bare(new: EmbeddedMemory) -> EmbeddedMemory:
    """Without its vector, which maintenance makes."""
    return replace(new, embedding=None, embedding_model=None)


async def _counted(connection: Connection, user_id: str, settled: SettledMemory) -> SettledMemory:
    """With how many memories the space holds now, which is asked while it is at hand."""
    outcome = settled.outcome
    if outcome.kind == "repeated":
        return settled
    held = await count_active(connection, user_id, outcome.item.space)
    return replace(settled, outcome=replace(outcome, held=held))


async def _bring_back(
    connection: Connection,
    user_id: str,
    blocking: Sequence[Tombstone],
    marks: TombstoneDigests,
    origin: Origin,
) -> list[UUID]:
    """What the user says again although it was forgotten, in its own words and not erased yet, is
    that memory, as by an undo: a second one would lose its conversations to the erasure of the
    first. What was brought back is no longer forgotten, so an undo finds nothing of it."""
    same = [
        stone.item_id for stone in blocking if stone.can_return and has_same_wording(stone, marks)
    ]
    return await restore_forgotten(connection, user_id, same, origin) if same else []


def _as_kept(settled: SettledMemory, back: Sequence[UUID]) -> SettledMemory:
    """A memory that came back is kept, although it was there for the settler to find."""
    outcome = settled.outcome
    if outcome.kind == "repeated" and outcome.item.id in back:
        return replace(settled, outcome=replace(outcome, kind="kept"))
    return settled


async def _lift(
    connection: Connection,
    user_id: str,
    blocking: Sequence[Tombstone],
    settled: SettledMemory,
    origin: Origin,
) -> None:
    await lift_tombstones(connection, user_id, blocking)
    kept = settled.outcome.item.id
    for stone in blocking:
        await record_audit(connection, user_id, "tombstone_lifted", origin, stone.item_id, by=kept)
