"""Taking everything along, bringing memories in, and leaving nothing behind. An export of Keepsake
comes back as it was, with what was replaced or trimmed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO, Protocol, TypeAlias
from uuid import UUID, uuid4

from memory.actions.forgetting.cache_invalidation import CacheInvalidator
from memory.actions.import_formats import (
    EXPORT_BATCH,
    EXPORT_FORMAT,
    EXPORT_VERSION,
    ExportedDoubt,
    ExportedMemory,
    KeepsakeExport,
    read_import,
)
from memory.actions.import_rows import ForeignMemories
from memory.errors import (
    InvalidInput,
    KeepsakeError,
    MessageRefused,
    RecentlyForgotten,
    SecretRefused,
)
from memory.fingerprints import simhash64
from memory.ingestion.deduplication import RelationCache
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import MemoryPreparer
from memory.secrets import find_secrets, find_sure_secrets
from memory.store.forgetting import ComputeDigests, Tombstone, is_blocking
from memory.store.portability import (
    ExistingMemory,
    ImportContext,
    ImportStore,
    PortabilityStore,
    SupersessionLink,
)
from memory.types import (
    DEFAULT_SPACE,
    MAX_MEMORY_CHARS,
    ErasedUser,
    NewMemory,
    Origin,
    SaveOutcome,
)

ImportProgress: TypeAlias = Callable[[int, int], None]
"""Told how many memories of how many are done."""


@dataclass(frozen=True)
class _CheckedMemory:
    """A memory of the file with what its equals are found by, and why it may not come in, if so."""

    memory: ExportedMemory
    simhash: int
    refusal: str | None


@dataclass
class ImportRun:
    """How far one import is. `alike` has the memories that were there before, by their SimHash;
    `placed` the ids that what is in the file has here, where that is another one; `rest_of` which
    memory of the file each rest is of; `left_out` why something of the file is not here. Reasons
    are names of errors."""

    export: KeepsakeExport
    alike: Mapping[int, Sequence[UUID]]
    kept: int = 0
    repeated: int = 0
    placed: dict[UUID, UUID] = field(default_factory=dict)
    rest_of: dict[UUID, UUID] = field(default_factory=dict)
    left_out: dict[UUID, str] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return self.kept + self.repeated + len(self.left_out)

    @property
    def refused(self) -> dict[str, int]:
        return dict(Counter(self.left_out.values()))

    def here(self, of_file: UUID) -> UUID:
        return self.placed.get(of_file, of_file)

    def select_new(
        self, batch: Sequence[_CheckedMemory], around: ImportContext
    ) -> list[_CheckedMemory]:
        """Those that are not there; the others are counted."""
        new = []
        for each in batch:
            if each.memory.rest_of is not None:
                self.rest_of[each.memory.id] = each.memory.rest_of
            known = self._known(each, around)
            if known is not None:
                self._repeat(each.memory.id, known)
            elif reason := each.refusal or self._refusal(each.memory, around):
                self.left_out[each.memory.id] = reason
            else:
                self._place(each.memory.id, around)
                new.append(each)
        return new

    def to_row(self, ready: _CheckedMemory) -> dict[str, Any]:
        """As it is stored here. What was replaced is so by the last of those that followed, which
        is there already; see `links` and `rests`."""
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

    def rests(self) -> Iterator[tuple[UUID, UUID, UUID]]:
        """Of what stayed of memories that have another id here, which is known once all are here:
        it, the id of the whole in the file, and that here."""
        for rest, whole in self.rest_of.items():
            if whole in self.placed and rest not in self.left_out:
                yield self.here(rest), whole, self.here(whole)

    def to_doubt_row(self, doubt: ExportedDoubt) -> dict[str, Any]:
        both = {"older_id": self.here(doubt.older_id), "newer_id": self.here(doubt.newer_id)}
        return doubt.model_dump() | both

    def _known(self, ready: _CheckedMemory, around: ImportContext) -> ExistingMemory | None:
        """The memory that was there: under its id, or with its words in its space."""
        memory = ready.memory
        under_its_id = around.there.get(memory.id)
        if under_its_id and (under_its_id.forgotten or _same(under_its_id, memory)):
            return under_its_id
        for other in map(around.there.get, self.alike.get(ready.simhash, ())):
            if other and other.space == memory.space and _same(other, memory):
                return other
        return None

    def _repeat(self, of_file: UUID, known: ExistingMemory) -> None:
        if known.forgotten:
            self.left_out[of_file] = "RecentlyForgotten"
            return
        self.repeated += 1
        if known.id != of_file:
            self.placed[of_file] = known.id

    def _refusal(self, memory: ExportedMemory, around: ImportContext) -> str | None:
        """What was replaced does not come in where what replaced it did not, or it would hold
        again."""
        if memory.space in around.closed:
            return "MemoryOff"
        if memory.superseded_by is None:
            return None
        last = self.export.last_of[memory.id]
        return self.left_out.get(last) if last in self.export.ids else "NotFound"

    def _place(self, of_file: UUID, around: ImportContext) -> None:
        if of_file in around.there or of_file in around.buried:
            self.placed[of_file] = uuid4()


class ExportImporter:
    """Brings in an export batch by batch, each in one transaction: where it ends before its time,
    what came in is whole, and the same import again brings the rest.

    The memories of an export agree with each other already, so none is compared with another:
    one that is there, under its id or with the same words, is left as it is, whatever became of it
    since. Vectors are made behind. Secrets and what was forgotten lately stay out.
    """

    def __init__(
        self, store: ImportStore, marker: ComputeDigests, preparer: MemoryPreparer
    ) -> None:
        self._store = store
        self._marker = marker
        self._preparer = preparer

    async def run(
        self, user_id: str, export: KeepsakeExport, origin: Origin, progress: ImportProgress
    ) -> ImportRun:
        """Memories, then what is only there once they are: what was replaced, doubts, settings.
        Raises DatabaseUnavailable, and MemoryOff where it is switched off meanwhile."""
        bringing = ImportRun(export, await self._store.marks(user_id, export.ids))
        for replaced in (False, True) if export.replaced_by else (False,):
            batches = export.memories(replaced=replaced)
            while batch := await asyncio.to_thread(self._next, batches):
                await self._bring(user_id, bringing, batch)
                progress(bringing.done, len(export.ids))
        for links in _batches(bringing.links()):
            await self._store.link(user_id, links)
        for rests in _batches(bringing.rests()):
            await self._store.link_rests(user_id, rests)
        await self._bring_the_rest(user_id, bringing, origin)
        return bringing

    async def settled(self, user_id: str, items: Sequence[NewMemory]) -> set[tuple[str, str]]:
        """Space and words of those that are there to the letter, with nothing to add: looked up as
        above, where to compare them with all that is there would find the same."""
        found: set[tuple[str, str]] = set()
        alike = await self._store.marks(user_id, ())
        for start in range(0, len(items) if alike else 0, EXPORT_BATCH):
            said = [item.content for item in items[start : start + EXPORT_BATCH]]
            marks = await asyncio.to_thread(lambda said: [*map(_mark, said)], said)
            ids = [each for mark in marks for each in alike.get(mark, ())]
            there = await self._store.there(user_id, ids)
            found |= {(each.space, each.content) for each in there if each.settled}
        return found

    def _next(self, batches: Iterator[list[ExportedMemory]]) -> list[_CheckedMemory]:
        return [_ready(memory) for memory in next(batches, [])]

    async def _bring(
        self, user_id: str, bringing: ImportRun, batch: Sequence[_CheckedMemory]
    ) -> None:
        ids = [each.memory.id for each in batch]
        alike = [other for each in batch for other in bringing.alike.get(each.simhash, ())]
        spaces = list({each.memory.space for each in batch})
        around = await self._store.around(user_id, ids, alike, spaces)
        new = bringing.select_new(batch, around)
        if around.forgotten:
            new = await self._not_forgotten(bringing, new, around.forgotten)
        if not new:
            return
        rows = [bringing.to_row(each) for each in new]
        for row in rows:
            row["bank"] = self._preparer.known_bank(row["bank"])
        added = await self._store.add(user_id, rows)
        bringing.kept += added
        bringing.repeated += len(rows) - added

    async def _not_forgotten(
        self,
        bringing: ImportRun,
        new: Sequence[_CheckedMemory],
        forgotten: Mapping[str, Sequence[Tombstone]],
    ) -> list[_CheckedMemory]:
        """Those that are unlike all that was forgotten lately, by their words and their meaning."""
        vectors = await self._preparer.vectors_of([each.memory.content for each in new])

        def is_forgotten(at: int) -> bool:
            memory = new[at].memory
            marks = self._marker(memory.content, None if vectors is None else vectors[at])
            return any(is_blocking(stone, marks) for stone in forgotten.get(memory.space, ()))

        gone = await asyncio.to_thread(lambda: [is_forgotten(at) for at in range(len(new))])
        for each, is_gone in zip(new, gone, strict=True):
            if is_gone:
                bringing.left_out[each.memory.id] = "RecentlyForgotten"
        return [each for each, is_gone in zip(new, gone, strict=True) if not is_gone]

    async def _bring_the_rest(self, user_id: str, bringing: ImportRun, origin: Origin) -> None:
        doubts = bringing.export.doubts()
        while found := await asyncio.to_thread(next, doubts, None):
            rows = [bringing.to_doubt_row(each) for each in found]
            await self._store.add_doubts(user_id, rows)
        settings = bringing.export.settings()
        while given := await asyncio.to_thread(next, settings, None):
            rows = [each.model_dump() for each in given]
            await self._store.add_settings(user_id, rows, origin)


def _batches(links: Iterator[SupersessionLink]) -> Iterator[list[SupersessionLink]]:
    while batch := list(islice(links, EXPORT_BATCH)):
        yield batch


def _ready(memory: ExportedMemory) -> _CheckedMemory:
    """What is only guessed to be a secret comes back where its user asked to have it saved."""
    refusal = None
    find = find_sure_secrets if memory.manually_saved else find_secrets
    if any(map(find, (memory.content, *memory.tags))):
        refusal = "SecretRefused"
    elif len(memory.content) > MAX_MEMORY_CHARS:
        refusal = "InvalidInput"
    return _CheckedMemory(memory, _mark(memory.content), refusal)


def _mark(content: str) -> int:
    return simhash64(normalise(content))


def _same(there: ExistingMemory, memory: ExportedMemory) -> bool:
    return there.content == memory.content or normalise(there.content) == normalise(memory.content)


_USER = Origin()
# What is wrong with one memory and leaves the others alone.
_OF_ONE: tuple[type[KeepsakeError], ...] = (
    SecretRefused,
    RecentlyForgotten,
    MessageRefused,
    InvalidInput,
)
IMPORT_REFUSALS = {
    "SecretRefused": "left out for a secret in it",
    "RecentlyForgotten": "left out because you had it forgotten",
    "MessageRefused": "left out because it cannot be read",
    "InvalidInput": "left out because it is too long",
    "MemoryOff": "left out because memory is off or read-only in their space",
    "NotFound": "left out because what replaced them is not in the file",
    "NoText": "left out because there is no text in them",
    "Ended": "left out because they hold no more where they come from",
    "Heading": "left out as headings",
}
_MOST_DROPPED = 12
_VECTORS = "What they mean is worked out behind; until then they are found by their words."
_NOT_BROUGHT = "Conversations, episodes, keys and the log of an export are not imported."
_ABOVE = (
    "Of what is neither pinned nor saved by hand, {count} are more than the cap of a space: they "
    "are trimmed when the next is kept, or at night, unless MEMORY_CAP is raised first."
)


def _untold(_done: int, _of: int) -> None:
    """Nobody waits to see it."""


class Keeper(Protocol):
    """`memory.maintenance.capacity.CappedWriter` is one."""

    async def keep_one_of_many(
        self, user_id: str, item: NewMemory, origin: Origin
    ) -> SaveOutcome: ...

    async def trim_spaces(self, user_id: str, spaces: Iterable[str]) -> None: ...

    async def above_cap(self, user_id: str) -> int: ...


@dataclass(frozen=True)
class ImportResult:
    """How many memories were new (`replaced` and `doubtful` ones among them), were there already,
    or were refused, and why. `above_cap`: how many there are too many now; `own`: the file was an
    export of Keepsake; `dropped`: of how many memories a field of the file, by its name there, was
    not taken over."""

    kept: int = 0
    repeated: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    above_cap: int = 0
    own: bool = False
    dropped: Mapping[str, int] = field(default_factory=dict)

    def as_text(self) -> str:
        """In a few sentences."""
        said = [f"{self.kept} new", f"{self.repeated} known already"]
        said += [f"{count} {IMPORT_REFUSALS[name]}" for name, count in self.refused.items()]
        sentences = [f"Imported: {', '.join(said)}."]
        if self.own:
            sentences += [_VECTORS] * bool(self.kept) + [_NOT_BROUGHT]
        if self.dropped:
            sentences.append(_dropped_text(self.dropped))
        if self.above_cap:
            sentences.append(_ABOVE.format(count=self.above_cap))
        return " ".join(sentences)


def _dropped_text(dropped: Mapping[str, int]) -> str:
    most = Counter(dropped).most_common(_MOST_DROPPED)
    named = [f"{name} of {count}" for name, count in most]
    more = f" and {len(dropped) - len(most)} more" if len(dropped) > len(most) else ""
    return f"Not taken over, as it was not understood: {', '.join(named)}{more}."


class Portability:
    """Exports all that is kept of a user, imports memories, and erases everything. Every method
    names its user."""

    def __init__(
        self,
        store: PortabilityStore,
        keeper: Keeper,
        importing: ExportImporter,
        copies: CacheInvalidator,
        pairs: RelationCache,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._importing = importing
        self._copies = copies
        self._pairs = pairs

    async def export(
        self, user_id: str, origin: Origin = _USER, now: datetime | None = None
    ) -> AsyncGenerator[str, None]:
        """Everything that is kept of the user as one JSON object, in pieces: settings, memories
        with what was replaced or trimmed, conversations, doubts, when something was forgotten, what
        is known of the API keys, and the audit log. What waits for its erasure is not in it, nor
        are vectors and digests. Close it where it is not read to its end."""
        at = (now or datetime.now(UTC)).isoformat()
        head = json.dumps({"format": EXPORT_FORMAT, "version": EXPORT_VERSION, "exported_at": at})
        yield head.removesuffix("}")
        last, between = None, ""
        async with aclosing(self._store.read_all(user_id, origin)) as found:
            async for part, rows in found:
                if part != last:
                    yield f'{"]" if last else ""},\n"{part}": ['
                    last, between = part, "\n"
                if rows:
                    yield between + ",\n".join(rows)
                    between = ",\n"
        yield "]}\n"

    def read_import(
        self, file: BinaryIO, space: str = DEFAULT_SPACE
    ) -> KeepsakeExport | ForeignMemories:
        """What is in a file; see `memory.actions.import_formats`. Raises InvalidInput."""
        return read_import(file, space)

    async def import_(
        self,
        user_id: str,
        found: KeepsakeExport | ForeignMemories,
        origin: Origin,
        progress: ImportProgress = _untold,
    ) -> ImportResult:
        """Keeps what `read_import` found: an export of Keepsake as it was (`ExportImporter`), and
        what is none one by one, as the user would. Secrets and what was just forgotten stay out, a
        second time changes nothing, and what was replaced meanwhile stays so. Nothing is trimmed
        for an export that is brought back; after the others the cap is kept.

        Raises MemoryOff and DatabaseUnavailable, with what came before it kept.
        """
        if isinstance(found, KeepsakeExport):
            brought = await self._importing.run(user_id, found, origin, progress)
            imported = ImportResult(brought.kept, brought.repeated, brought.refused, own=True)
        else:
            imported = await self._keep_each(user_id, found.items, origin, progress)
            refused = Counter(found.left_out) + Counter(imported.refused)
            imported = replace(imported, refused=dict(refused), dropped=found.dropped)
        imported = replace(imported, above_cap=await self._keeper.above_cap(user_id))
        counts = {"kept": imported.kept, "repeated": imported.repeated}
        await self._store.note_import(user_id, origin, **counts, refused=dict(imported.refused))
        return imported

    async def _keep_each(
        self, user_id: str, items: Sequence[NewMemory], origin: Origin, progress: ImportProgress
    ) -> ImportResult:
        """What contradicts is treated as ever. What is there to the letter is not counted as said
        again, and is known without a look at the rest."""
        settled = await self._importing.settled(user_id, items)
        kinds: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        for done, item in enumerate(items, start=1):
            try:
                known = (item.space, item.content) in settled and not item.pinned
                kind = "repeated" if known else await self._keep(user_id, item, origin)
                kinds[kind] += 1
            except _OF_ONE as error:
                refused[type(error).__name__] += 1
            progress(done, len(items))
        await self._keeper.trim_spaces(user_id, {item.space for item in items})
        repeated = kinds.pop("repeated", 0)
        return ImportResult(kinds.total(), repeated, dict(refused))

    async def _keep(self, user_id: str, item: NewMemory, origin: Origin) -> str:
        return (await self._keeper.keep_one_of_many(user_id, item, origin)).kind

    async def erase_everything(self, user_id: str) -> ErasedUser:
        """Removes all that is kept of the user at once: cached vectors and conversations, then
        every row, the API keys and the audit log included. It can be repeated. Raises
        DatabaseUnavailable."""
        cleared = True
        async for texts in self._store.texts(user_id):
            cleared &= await self._copies.forget_vectors(texts)
        chats = await self._store.conversation_ids(user_id)
        cleared &= await self._copies.drop_sessions(user_id, chats)
        rows = await self._store.erase_user(user_id)
        # Again: a turn that ended in between has cached its conversation anew.
        cleared &= await self._copies.drop_sessions(user_id, chats)
        await self._copies.rewrite_file()
        erased = ErasedUser(rows, cleared)
        self._pairs.clear()
        return erased
