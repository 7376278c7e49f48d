"""Taking everything along, bringing memories in, and leaving nothing behind."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import BinaryIO, Protocol

from memory.controls.importing import Importing, Progress
from memory.controls.imports import read_import
from memory.controls.own_export import FORMAT, VERSION, OwnExport
from memory.errors import (
    InvalidInput,
    KeepsakeError,
    MessageRefused,
    RecentlyForgotten,
    SecretRefused,
)
from memory.models import DEFAULT_SPACE, NewItem, Origin, Outcome
from memory.store.portability import PortabilityStore
from memory.upkeep.copies import Copies
from memory.write.pairs import Pairs

_USER = Origin()
# What is wrong with one memory and leaves the others alone.
_OF_ONE: tuple[type[KeepsakeError], ...] = (
    SecretRefused,
    RecentlyForgotten,
    MessageRefused,
    InvalidInput,
)
REFUSED = {
    "SecretRefused": "left out for a secret in it",
    "RecentlyForgotten": "left out because you had it forgotten",
    "MessageRefused": "left out because it cannot be read",
    "InvalidInput": "left out because it is too long",
    "MemoryOff": "left out because memory is off or read-only in their space",
    "NotFound": "left out because what replaced them is not in the file",
}
_VECTORS = "What they mean is worked out behind; until then they are found by their words."
_NOT_BROUGHT = "Conversations, episodes, keys and the log of an export are not imported."
_ABOVE = (
    "Of what is neither pinned nor saved by hand, {count} are more than the cap of a space: they "
    "are trimmed when the next is kept, or at night, unless MEMORY_CAP is raised first."
)


def _untold(_done: int, _of: int) -> None:
    """Nobody waits to see it."""


class Keeper(Protocol):
    """`memory.upkeep.keeping.Keeping` is one."""

    async def keep_one_of_many(self, user_id: str, item: NewItem, origin: Origin) -> Outcome: ...

    async def trim_spaces(self, user_id: str, spaces: Iterable[str]) -> None: ...

    async def above_cap(self, user_id: str) -> int: ...


@dataclass(frozen=True)
class Imported:
    """How many memories were new (`replaced` and `doubtful` ones among them), were there already,
    or were refused, and why. `above_cap`: how many there are too many now; `own`: the file was an
    export of Keepsake."""

    kept: int = 0
    repeated: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    above_cap: int = 0
    own: bool = False

    def as_text(self) -> str:
        """In a few sentences."""
        said = [f"{self.kept} new", f"{self.repeated} known already"]
        said += [f"{count} {REFUSED[name]}" for name, count in self.refused.items()]
        sentences = [f"Imported: {', '.join(said)}."]
        if self.own:
            sentences += [_VECTORS] * bool(self.kept) + [_NOT_BROUGHT]
        if self.above_cap:
            sentences.append(_ABOVE.format(count=self.above_cap))
        return " ".join(sentences)


@dataclass(frozen=True)
class ErasedUser:
    """How many rows went, by table. Where the caches could not be reached, what they hold of the
    user runs out by itself within 7 days."""

    rows: Mapping[str, int]
    caches_cleared: bool


class Portability:
    """Every method names its user."""

    def __init__(
        self,
        store: PortabilityStore,
        keeper: Keeper,
        importing: Importing,
        copies: Copies,
        pairs: Pairs,
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
        head = json.dumps({"format": FORMAT, "version": VERSION, "exported_at": at})
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

    def read_import(self, file: BinaryIO, space: str = DEFAULT_SPACE) -> OwnExport | list[NewItem]:
        """What is in a file; see `imports.read_import`. Raises InvalidInput."""
        return read_import(file, space)

    async def import_(
        self,
        user_id: str,
        found: OwnExport | Sequence[NewItem],
        origin: Origin,
        progress: Progress = _untold,
    ) -> Imported:
        """Keeps what `read_import` found: an export of Keepsake as it was (`Importing`), and what
        is none one by one, as the user would. Secrets and what was just forgotten stay out, a
        second time changes nothing, and what was replaced meanwhile stays so. Nothing is trimmed
        for an export that is brought back; after the others the cap is kept.

        Raises MemoryOff and DatabaseUnavailable, with what came before it kept.
        """
        if isinstance(found, OwnExport):
            brought = await self._importing.bring_in(user_id, found, origin, progress)
            imported = Imported(brought.kept, brought.repeated, brought.refused, own=True)
        else:
            imported = await self._keep_each(user_id, found, origin, progress)
        imported = replace(imported, above_cap=await self._keeper.above_cap(user_id))
        counts = {"kept": imported.kept, "repeated": imported.repeated}
        await self._store.note_import(user_id, origin, **counts, refused=dict(imported.refused))
        return imported

    async def _keep_each(
        self, user_id: str, items: Sequence[NewItem], origin: Origin, progress: Progress
    ) -> Imported:
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
        return Imported(kinds.total(), repeated, dict(refused))

    async def _keep(self, user_id: str, item: NewItem, origin: Origin) -> str:
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
