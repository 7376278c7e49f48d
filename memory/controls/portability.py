"""Taking everything along, bringing memories in, and leaving nothing behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from memory.controls.imports import FORMAT, VERSION, read_import
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
from memory.write.reader import Reader

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
}


class Keeper(Protocol):
    """`memory.upkeep.keeping.Keeping` is one: an import keeps the cap as well."""

    async def keep(self, user_id: str, item: NewItem, origin: Origin) -> Outcome: ...


@dataclass(frozen=True)
class Imported:
    """How many memories were new (`replaced` and `doubtful` ones among them), were there already,
    or were refused, and why."""

    kept: int = 0
    repeated: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)

    def as_text(self) -> str:
        """In a sentence or two."""
        said = [f"{self.kept} new", f"{self.repeated} known already"]
        said += [f"{count} {REFUSED[name]}" for name, count in self.refused.items()]
        return f"Imported: {', '.join(said)}."


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
        copies: Copies,
        reader: Reader,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._copies = copies
        self._reader = reader

    async def export(
        self, user_id: str, origin: Origin = _USER, now: datetime | None = None
    ) -> dict[str, Any]:
        """Everything that is kept of the user, to be written as JSON: settings, memories with what
        was replaced or trimmed, conversations, doubts, when something was forgotten, what is known
        of the API keys, and the audit log. What waits for its erasure is not in it, nor are vectors
        and digests."""
        at = (now or datetime.now(UTC)).isoformat()
        head = {"format": FORMAT, "version": VERSION, "exported_at": at}
        return head | await self._store.read_all(user_id, origin)

    def read_import(self, text: str, space: str = DEFAULT_SPACE) -> list[NewItem]:
        """The memories in a file; see `imports.read_import`. Raises InvalidInput."""
        return read_import(text, space)

    async def import_(self, user_id: str, items: Sequence[NewItem], origin: Origin) -> Imported:
        """Keeps what `read_import` found, one by one, as the user would: secrets, what was just
        forgotten and what contradicts are treated as ever. What is there to the letter is not
        counted as said again, so a second time changes nothing, and what was replaced meanwhile
        stays so.

        Raises MemoryOff and DatabaseUnavailable, with what came before it kept.
        """
        kinds: dict[str, int] = {}
        refused: dict[str, int] = {}
        for item in items:
            try:
                outcome = await self._keeper.keep(user_id, item, origin)
            except _OF_ONE as error:
                reason = type(error).__name__
                refused[reason] = refused.get(reason, 0) + 1
            else:
                kinds[outcome.kind] = kinds.get(outcome.kind, 0) + 1
        repeated = kinds.pop("repeated", 0)
        imported = Imported(sum(kinds.values()), repeated, refused)
        await self._store.note_import(
            user_id, origin, kept=imported.kept, repeated=repeated, refused=refused
        )
        return imported

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
        self._reader.clear()
        return erased
