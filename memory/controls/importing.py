"""An export of Keepsake is brought back: its memories as they were, with what was replaced or
trimmed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from memory.controls.own_export import BATCH, ExportedDoubt, ExportedMemory, OwnExport
from memory.models import MAX_ITEM_CHARS, NewItem, Origin
from memory.secrets import find_secrets
from memory.simhash import simhash64
from memory.store.forgetting.forgetting import MarkerOf
from memory.store.forgetting.tombstones import Tombstone, blocks
from memory.store.memories.imported import Around, ImportedMemories, There
from memory.write.normalise import normalise
from memory.write.preparing import Preparer

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many memories of how many are done."""


@dataclass(frozen=True)
class _Ready:
    """A memory of the file with what its equals are found by, and why it may not come in, if so."""

    memory: ExportedMemory
    simhash: int
    refusal: str | None


@dataclass
class Bringing:
    """How far one import is. `alike` has the memories that were there before, by their SimHash;
    `placed` the ids that what is in the file has here, where that is another one; `left_out` why
    something of the file is not here. Reasons are names of errors."""

    export: OwnExport
    alike: Mapping[int, Sequence[UUID]]
    kept: int = 0
    repeated: int = 0
    placed: dict[UUID, UUID] = field(default_factory=dict)
    left_out: dict[UUID, str] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return self.kept + self.repeated + len(self.left_out)

    @property
    def refused(self) -> dict[str, int]:
        return dict(Counter(self.left_out.values()))

    def here(self, of_file: UUID) -> UUID:
        return self.placed.get(of_file, of_file)

    def new_of(self, batch: Sequence[_Ready], around: Around) -> list[_Ready]:
        """Those that are not there; the others are counted."""
        new = []
        for each in batch:
            known = self._known(each, around)
            if known is not None:
                self._repeat(each.memory.id, known)
            elif reason := each.refusal or self._refusal(each.memory, around):
                self.left_out[each.memory.id] = reason
            else:
                self._place(each.memory.id, around)
                new.append(each)
        return new

    def row_of(self, ready: _Ready) -> dict[str, Any]:
        """As it is stored here. What was replaced is so by the last of those that followed, which
        is there already; see `links`."""
        memory = ready.memory
        sources = [self.here(each) for each in memory.summary_of if each not in self.left_out]
        changed = {"id": self.here(memory.id), "simhash": ready.simhash, "summary_of": sources}
        if memory.superseded_by is not None:
            changed["superseded_by"] = self.here(self.export.last_of[memory.id])
        if memory.deleted_at is None:
            changed["removed_because"] = None
        return memory.model_dump() | changed

    def links(self) -> Iterator[tuple[UUID, UUID, UUID]]:
        """Of what was replaced again and again: it, what replaced it, and the last of those that
        followed."""
        for replaced, by in self.export.replaced_by.items():
            last = self.export.last_of[replaced]
            if by != last and not self.left_out.keys() & {replaced, by, last}:
                yield self.here(replaced), self.here(by), self.here(last)

    def row_of_doubt(self, doubt: ExportedDoubt) -> dict[str, Any]:
        both = {"older_id": self.here(doubt.older_id), "newer_id": self.here(doubt.newer_id)}
        return doubt.model_dump() | both

    def _known(self, ready: _Ready, around: Around) -> There | None:
        """The memory that was there: under its id, or with its words in its space."""
        memory = ready.memory
        under_its_id = around.there.get(memory.id)
        if under_its_id and (under_its_id.forgotten or _same(under_its_id, memory)):
            return under_its_id
        for other in map(around.there.get, self.alike.get(ready.simhash, ())):
            if other and other.space == memory.space and _same(other, memory):
                return other
        return None

    def _repeat(self, of_file: UUID, known: There) -> None:
        if known.forgotten:
            self.left_out[of_file] = "RecentlyForgotten"
            return
        self.repeated += 1
        if known.id != of_file:
            self.placed[of_file] = known.id

    def _refusal(self, memory: ExportedMemory, around: Around) -> str | None:
        """What was replaced does not come in where what replaced it did not, or it would hold
        again."""
        if memory.space in around.closed:
            return "MemoryOff"
        if memory.superseded_by is None:
            return None
        last = self.export.last_of[memory.id]
        return self.left_out.get(last) if last in self.export.ids else "NotFound"

    def _place(self, of_file: UUID, around: Around) -> None:
        if of_file in around.there or of_file in around.buried:
            self.placed[of_file] = uuid4()


class Importing:
    """Brings in an export batch by batch, each in one transaction: where it ends before its time,
    what came in is whole, and the same import again brings the rest.

    The memories of an export agree with each other already, so none is compared with another:
    one that is there, under its id or with the same words, is left as it is, whatever became of it
    since. Vectors are made behind. Secrets and what was forgotten lately stay out.
    """

    def __init__(self, store: ImportedMemories, marker: MarkerOf, preparer: Preparer) -> None:
        self._store = store
        self._marker = marker
        self._preparer = preparer

    async def bring_in(
        self, user_id: str, export: OwnExport, origin: Origin, progress: Progress
    ) -> Bringing:
        """Memories, then what is only there once they are: what was replaced, doubts, settings.
        Raises DatabaseUnavailable, and MemoryOff where it is switched off meanwhile."""
        bringing = Bringing(export, await self._store.marks(user_id, export.ids))
        for replaced in (False, True) if export.replaced_by else (False,):
            batches = export.memories(replaced=replaced)
            while batch := await asyncio.to_thread(self._next, batches):
                await self._bring(user_id, bringing, batch)
                progress(bringing.done, len(export.ids))
        links = list(bringing.links())
        for start in range(0, len(links), BATCH):
            await self._store.link(user_id, links[start : start + BATCH])
        await self._bring_the_rest(user_id, bringing, origin)
        return bringing

    async def settled(self, user_id: str, items: Sequence[NewItem]) -> set[tuple[str, str]]:
        """Space and words of those that are there to the letter, with nothing to add: looked up as
        above, where to compare them with all that is there would find the same."""
        found: set[tuple[str, str]] = set()
        alike = await self._store.marks(user_id, ())
        for start in range(0, len(items) if alike else 0, BATCH):
            said = [item.content for item in items[start : start + BATCH]]
            marks = await asyncio.to_thread(lambda said: [*map(_mark, said)], said)
            ids = [each for mark in marks for each in alike.get(mark, ())]
            there = await self._store.there(user_id, ids)
            found |= {(each.space, each.content) for each in there if each.settled}
        return found

    def _next(self, batches: Iterator[list[ExportedMemory]]) -> list[_Ready]:
        return [_ready(memory) for memory in next(batches, [])]

    async def _bring(self, user_id: str, bringing: Bringing, batch: Sequence[_Ready]) -> None:
        ids = [each.memory.id for each in batch]
        alike = [other for each in batch for other in bringing.alike.get(each.simhash, ())]
        spaces = list({each.memory.space for each in batch})
        around = await self._store.around(user_id, ids, alike, spaces)
        new = bringing.new_of(batch, around)
        if around.forgotten:
            new = await self._not_forgotten(bringing, new, around.forgotten)
        if not new:
            return
        rows = [bringing.row_of(each) for each in new]
        for row in rows:
            row["bank"] = self._preparer.known_bank(row["bank"])
        added = await self._store.add(user_id, rows)
        bringing.kept += added
        bringing.repeated += len(rows) - added

    async def _not_forgotten(
        self,
        bringing: Bringing,
        new: Sequence[_Ready],
        forgotten: Mapping[str, Sequence[Tombstone]],
    ) -> list[_Ready]:
        """Those that are unlike all that was forgotten lately, by their words and their meaning."""
        vectors = await self._preparer.vectors_of([each.memory.content for each in new])

        def is_forgotten(at: int) -> bool:
            memory = new[at].memory
            marks = self._marker(memory.content, None if vectors is None else vectors[at])
            return any(blocks(stone, marks) for stone in forgotten.get(memory.space, ()))

        gone = await asyncio.to_thread(lambda: [is_forgotten(at) for at in range(len(new))])
        for each, is_gone in zip(new, gone, strict=True):
            if is_gone:
                bringing.left_out[each.memory.id] = "RecentlyForgotten"
        return [each for each, is_gone in zip(new, gone, strict=True) if not is_gone]

    async def _bring_the_rest(self, user_id: str, bringing: Bringing, origin: Origin) -> None:
        doubts = bringing.export.doubts()
        while found := await asyncio.to_thread(next, doubts, None):
            rows = [bringing.row_of_doubt(each) for each in found]
            await self._store.add_doubts(user_id, rows)
        settings = bringing.export.settings()
        while given := await asyncio.to_thread(next, settings, None):
            rows = [each.model_dump() for each in given]
            await self._store.add_settings(user_id, rows, origin)


def _ready(memory: ExportedMemory) -> _Ready:
    refusal = None
    if any(map(find_secrets, (memory.content, *memory.tags))):
        refusal = "SecretRefused"
    elif len(memory.content) > MAX_ITEM_CHARS:
        refusal = "InvalidInput"
    return _Ready(memory, _mark(memory.content), refusal)


def _mark(content: str) -> int:
    return simhash64(normalise(content))


def _same(there: There, memory: ExportedMemory) -> bool:
    return there.content == memory.content or normalise(there.content) == normalise(memory.content)
