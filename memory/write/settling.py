"""What becomes of a new memory among those that are there, within the caller's transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from uuid import UUID

from memory.database import Connection
from memory.models import KeptItem, Origin, Outcome
from memory.store.audit import record
from memory.store.memories.doubts import open_doubt
from memory.store.memories.items import EmbeddedItem, Repeat, count_repeat, insert, supersede
from memory.store.memories.neighbours import StoredNeighbour, find_neighbours
from memory.store.memories.rests import Rest, drop_rests, keep_rest
from memory.understanding import KnownMemory
from memory.write.candidates import Told
from memory.write.merging import Standing, merge_repeat, merge_tags
from memory.write.metadata import propose_tags
from memory.write.novelty import Decision, Relate, decide
from memory.write.salience import salience
from memory.write.sources import as_neighbour, kept_before

Known: TypeAlias = dict[UUID, StoredNeighbour]
Cuts: TypeAlias = Mapping[KeptItem, Rest | None]


class Uncut(Exception):
    """These memories would be replaced, and nobody has looked what of them still holds."""

    def __init__(self, older: Sequence[KeptItem]) -> None:
        super().__init__()
        self.older = older


@dataclass(frozen=True)
class Settled:
    """The outcome, and whether anything was written: a retry of the same message writes nothing."""

    outcome: Outcome
    changed: bool = True


@dataclass(frozen=True)
class Settling:
    """One new memory of a user, to be settled under the user's lock; `relate` as in `decide`.

    `told` is what a reader said of it. Of a memory whose words have changed since it was shown
    that says nothing. `cuts` is what still holds of memories that may be replaced.
    """

    connection: Connection
    user_id: str
    origin: Origin
    relate: Relate
    told: Told = field(default_factory=dict)
    cuts: Cuts = field(default_factory=dict)

    async def settle(self, new: EmbeddedItem) -> Settled:
        """Stores it, counts it as a repeat, puts it in the place of others, or asks.

        Raises MemoryOff where the mode of the space forbids it, and Uncut.
        """
        near = await find_neighbours(self.connection, self.user_id, new)
        known = {each.item.id: each for each in near}
        before = await asyncio.to_thread(kept_before, new, near, self.origin.actor, self.relate)
        if before is not None:
            return await self._again(new, before)
        decision = await self._decide(new, near)
        match decision.kind:
            case "repeat" if decision.why == "revived":
                return await self._revive(new, decision, known)
            case "repeat":
                return await self._repeat(new, decision, known)
        return await self._store(new, decision, known)

    async def _decide(self, new: EmbeddedItem, near: Sequence[StoredNeighbour]) -> Decision:
        """On a thread: a hundred memories that were not read yet would hold the loop for 50 ms."""
        assert new.simhash is not None
        around = [
            as_neighbour(each, self.told.get(KnownMemory(each.item.id, each.item.content)))
            for each in near
        ]
        return await asyncio.to_thread(decide, new.item.content, new.simhash, around, self.relate)

    async def _again(self, new: EmbeddedItem, said: StoredNeighbour) -> Settled:
        """The message was learned from before, or the memory imported: only what the user asked
        for since is added."""
        item, wanted = said.item, new.item
        asked = (wanted.pinned and not item.pinned) or (
            wanted.manually_saved and not item.manually_saved
        )
        if not asked or said.replaced:
            return Settled(Outcome("repeated", item), changed=False)
        repeat = replace(_merged(new, said), importance=item.importance, counted=0)
        kept = await count_repeat(self.connection, self.user_id, item.id, repeat)
        await self._record("repeated", kept.id, why="same source", counted=0)
        return Settled(Outcome("repeated", kept))

    async def _repeat(self, new: EmbeddedItem, decision: Decision, known: Known) -> Settled:
        said = known[decision.of[0]]
        kept = await count_repeat(self.connection, self.user_id, said.item.id, _merged(new, said))
        await self._record("repeated", kept.id, why=decision.why)
        return Settled(Outcome("repeated", kept))

    async def _revive(self, new: EmbeddedItem, decision: Decision, known: Known) -> Settled:
        """A replaced memory holds again; what contradicts it now is replaced by it."""
        said = known[decision.of[0]]
        living = [each for each in known.values() if not each.replaced]
        clashing = await self._decide(new, living)
        older = [known[each].item for each in clashing.of]
        repeat = _merged(_as_important(new, older), said)
        kept = await count_repeat(self.connection, self.user_id, said.item.id, repeat)
        await drop_rests(self.connection, self.user_id, [kept.id])
        await self._record("revived", kept.id, why=clashing.why)
        return Settled(Outcome("replaced", kept, await self._supersede(older, kept, "revived")))

    async def _store(self, new: EmbeddedItem, decision: Decision, known: Known) -> Settled:
        older = [known[each].item for each in decision.of]
        new = _with_tags_of(new, [each for each in known.values() if not each.replaced])
        if decision.kind == "replace":
            new = _as_important(new, older)
        kept = await insert(self.connection, self.user_id, new)
        await self._record("kept", kept.id, why=decision.why, older=list(decision.of))
        match decision.kind:
            case "replace":
                gone = await self._supersede(older, kept, decision.why)
                return Settled(Outcome("replaced", kept, gone))
            case "ask":
                asked = [await self._ask(each, kept, decision.why) for each in older]
                return Settled(Outcome("doubtful", kept, tuple(older), tuple(asked)))
        return Settled(Outcome("kept", kept))

    async def _supersede(
        self, older: Sequence[KeptItem], by: KeptItem, why: str
    ) -> tuple[KeptItem, ...]:
        if uncut := [each for each in older if each not in self.cuts]:
            raise Uncut(uncut)
        gone = []
        for each in older:
            if (rest := self.cuts[each]) is not None:
                await keep_rest(self.connection, self.user_id, rest, self.origin)
            replaced = await supersede(self.connection, self.user_id, each.id, by.id)
            assert replaced is not None
            gone.append(replaced)
            await self._record("superseded", each.id, by=by.id, why=why)
        return tuple(gone)

    async def _ask(self, older: KeptItem, newer: KeptItem, why: str) -> UUID:
        doubt = await open_doubt(self.connection, self.user_id, older.id, newer.id)
        await self._record("doubted", older.id, by=newer.id, doubt=doubt, why=why)
        return doubt

    async def _record(self, action: str, item_id: UUID, *, why: str, **detail: object) -> None:
        await record(self.connection, self.user_id, action, self.origin, item_id, why=why, **detail)


def _with_tags_of(new: EmbeddedItem, near: Sequence[StoredNeighbour]) -> EmbeddedItem:
    """The memory with the tags that its neighbours propose (000)."""
    near_by = [(each.cosine, each.item.tags) for each in near if each.cosine is not None]
    merged = merge_tags(new.item.tags, propose_tags(new.item.tags, near_by))
    return replace(new, item=new.item.model_copy(update={"tags": merged}))


def _merged(new: EmbeddedItem, said: StoredNeighbour) -> Repeat:
    old, item = said.item, new.item
    merged = merge_repeat(
        Standing(
            tags=old.tags,
            source_ids=said.source_ids,
            importance=old.importance,
            repeat_count=old.repeat_count,
        ),
        Standing(tags=item.tags, source_ids=item.source_ids),
    )
    return Repeat(
        tags=merged.tags,
        source_ids=merged.source_ids,
        importance=merged.importance,
        metadata_confidence=new.metadata_confidence,
        manually_saved=item.manually_saved,
        pinned=item.pinned,
        occurred_at=item.occurred_at,
        salience=salience(old.content, old.type, pinned=old.pinned or item.pinned),
    )


def _as_important(new: EmbeddedItem, older: Sequence[KeptItem]) -> EmbeddedItem:
    """What replaces a memory matters as much. It is not saved by hand because that one was: nobody
    asked for it. A pinned one is only replaced by its user's answer; see `Doubts.answer`."""
    most = max([new.item.importance, *(each.importance for each in older)])
    return replace(new, item=new.item.model_copy(update={"importance": most}))
