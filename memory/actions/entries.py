"""Single memories as their user looks at them, and what correcting, pinning and summing them up
means."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated
from uuid import UUID

from pydantic import Field

from memory.actions.correction import CorrectionFinder
from memory.actions.matching import MEANT_FROM, MatchedMemory, MemoryMatcher
from memory.embeddings.protocol import BestEffortEmbedder, Embedder, Embedding
from memory.errors import EmbeddingOutdated, InvalidInput, SecretRefused
from memory.fingerprints import simhash64
from memory.ingestion.classification import match_bank, pinned_importance, salience_of
from memory.ingestion.deduplication import Relate, decide_novelty
from memory.ingestion.normalisation import clean_message, normalise
from memory.ingestion.preparation import retag
from memory.ingestion.writer import to_near_memory
from memory.metrics import MemoryMetrics
from memory.secrets import find_secrets, find_sure_secrets
from memory.store.forgetting import UNDO_TIME, ComputeDigests
from memory.store.memories import IsUnchanged, MemoryFilter, MemoryPage, SimilarMemory
from memory.store.memory_entries import (
    BankCount,
    FittedWording,
    MemoryDetails,
    MemoryEntryStore,
    RewordedMemory,
)
from memory.text import to_first_person
from memory.types import (
    BANKS,
    DEFAULT_SPACE,
    MAX_MEMORY_CHARS,
    BankName,
    FrozenModel,
    MemoryType,
    Origin,
    PrintableName,
    StoredMemory,
    UnitInterval,
)
from memory.understanding.relations import relations_of


class MemoryChanges(FrozenModel):
    """What is corrected in a memory; None leaves it as it is, but an `occurred_at` that is given as
    None goes."""

    content: str | None = None
    type: MemoryType | None = None
    bank: BankName | None = None
    tags: tuple[Annotated[str, PrintableName, Field(max_length=100)], ...] | None = None
    importance: UnitInterval | None = None
    occurred_at: datetime | None = None

    @property
    def fields(self) -> dict[str, object]:
        """What is given, but for the content."""
        given = {name: value for name, value in self if value is not None}
        if "occurred_at" in self.model_fields_set:
            given["occurred_at"] = self.occurred_at
        return {name: value for name, value in given.items() if name != "content"}


KNOWN_ALREADY = (
    "Another memory says that already, so nothing was changed. Forget this one instead, or say "
    "what is different."
)


def clean_content(content: str, before: StoredMemory | None = None) -> str:
    """The words as they may be kept; what is only guessed to be a secret in them may stay where the
    memory `before`, which its user asked to have saved, holds it already. Raises InvalidInput,
    MessageRefused and SecretRefused."""
    content = clean_message(content)
    if len(content) > MAX_MEMORY_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_MEMORY_CHARS:,} characters long at most.")
    sure = find_sure_secrets(content)
    wanted = before.content if before is not None and before.manually_saved else ""
    for secret in find_secrets(content):
        if secret in sure or content[secret.start : secret.end] not in wanted:
            raise SecretRefused(kind=secret.kind)
    return content


def refuse_secret_tags(tags: Sequence[str]) -> None:
    """Raises SecretRefused."""
    for tag in tags:
        if secrets := find_secrets(tag):
            raise SecretRefused(kind=secrets[0].kind)


def make_wording(
    content: str, embedding: Embedding | None, model: str, marker: ComputeDigests
) -> RewordedMemory:
    """Of words that are clean."""
    return RewordedMemory(
        content,
        simhash64(normalise(content)),
        marker(content, embedding),
        embedding,
        model,
        partial(_fit, content),
    )


def _fit(content: str, old: StoredMemory, others: Sequence[SimilarMemory]) -> FittedWording:
    """See `memory.store.memory_entries.FitWording`. Nothing is replaced by itself: the user looked
    at one memory alone, and undoing the edit brings no other one back."""
    around = [to_near_memory(each) for each in others]
    decision = decide_novelty(content, simhash64(normalise(content)), around)
    if decision.kind == "repeat":
        raise InvalidInput(reason=KNOWN_ALREADY)
    return FittedWording(retag(old.tags, old.content, content), decision.of)


def require_bank(bank: str, banks: Sequence[str]) -> str:
    """The bank as it is spelt. Raises InvalidInput where it is none of them."""
    known = match_bank(bank, banks)
    if known is None:
        named = ", ".join(banks)
        raise InvalidInput(reason=f"There is no bank of that name. Choose one of {named}.")
    return known


IMPORTANT_OF_BANK = 5


@dataclass(frozen=True)
class BankSummary:
    """One bank: how much it holds, and what in it matters most."""

    bank: str
    count: int
    pinned: int
    items: tuple[StoredMemory, ...]


@dataclass(frozen=True)
class MemorySummary:
    """The banks of a space, the fullest first."""

    space: str
    banks: tuple[BankSummary, ...]

    @property
    def count(self) -> int:
        return sum(bank.count for bank in self.banks)


def summarise_banks(
    space: str, counts: Sequence[BankCount], items: Sequence[StoredMemory]
) -> MemorySummary:
    """Banks and memories in the order that they come in."""
    banks = [
        BankSummary(
            each.bank,
            each.count,
            each.pinned,
            tuple(item for item in items if item.bank == each.bank),
        )
        for each in counts
    ]
    return MemorySummary(space, tuple(banks))


class Entries:
    """What a user does with single memories: looks at them, finds, corrects and pins them. Every
    method names its user. An id of another user is NotFound.

    `corrections` finds what a correction in words is of. The `embedder` has no cache: a topic names
    a memory in words that its erasure does not know.
    """

    def __init__(
        self,
        store: MemoryEntryStore,
        embedder: Embedder,
        marker: ComputeDigests,
        *,
        embedding_timeout: float,
        banks: Sequence[str] = BANKS,
        counters: MemoryMetrics | None = None,
        relate: Relate = relations_of,
    ) -> None:
        self._store = store
        self._embedding_model = embedder
        self._embedder = BestEffortEmbedder(embedder, embedding_timeout, event="words_not_embedded")
        self._topics = MemoryMatcher(store, self._embedder, relate)
        self.corrections = CorrectionFinder(store, self._topics)
        self._marker = marker
        self._banks = banks
        self._counters = counters or MemoryMetrics()

    async def browse(self, user_id: str, wanted: MemoryFilter) -> MemoryPage:
        """See `MemoryFilter`; the newest first."""
        return await self._store.browse(user_id, wanted)

    async def all(
        self, user_id: str, space: str = DEFAULT_SPACE, *, removed: bool = False
    ) -> list[StoredMemory]:
        """Every living memory of a space, the newest first; with `removed` also what was replaced
        or trimmed or has expired, which is to be forgotten as well."""
        return await self._store.all(user_id, space, removed=removed)

    async def read(self, user_id: str, item_id: UUID) -> StoredMemory:
        """Raises NotFound."""
        return await self._store.read(user_id, item_id)

    async def details(self, user_id: str, item_id: UUID) -> MemoryDetails:
        """A memory with what is around it; see `MemoryDetails`. Raises NotFound."""
        return await self._store.details(user_id, item_id)

    async def banks(self, user_id: str, space: str = DEFAULT_SPACE) -> list[BankCount]:
        """The banks of the settings, empty ones too, then others that hold something."""
        held = {each.bank: each for each in await self._store.count_banks(user_id, space)}
        named = [held.pop(bank, BankCount(bank, 0, 0)) for bank in self._banks]
        return [*named, *held.values()]

    async def spaces(self, user_id: str) -> list[str]:
        """The spaces that hold a memory or a conversation of the user, by name."""
        return await self._store.spaces(user_id)

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> dict[UUID, StoredMemory]:
        """Those of the memories that were not forgotten, by their id."""
        return await self._store.read_several(user_id, ids) if ids else {}

    async def summary(self, user_id: str, space: str = DEFAULT_SPACE) -> MemorySummary:
        counts, items = await self._store.most_important(user_id, space, IMPORTANT_OF_BANK)
        return summarise_banks(space, counts, items)

    async def about(self, user_id: str, space: str, words: str) -> list[StoredMemory]:
        """See `MemoryMatcher.about`."""
        return await self._topics.about(user_id, space, words)

    async def find_matching(
        self, user_id: str, space: str, words: str, *, removed: bool = False
    ) -> list[StoredMemory]:
        """See `MemoryMatcher.matching`."""
        return await self._topics.matching(user_id, space, words, removed=removed)

    async def holding(self, user_id: str, space: str, said: str) -> list[StoredMemory]:
        """See `MemoryMatcher.holding`."""
        return await self._topics.holding(user_id, space, said)

    async def meant(
        self, user_id: str, space: str, wish: str, least: float = MEANT_FROM
    ) -> list[MatchedMemory]:
        """See `MemoryMatcher.meant`."""
        return await self._topics.meant(user_id, space, wish, least)

    async def telling_words(self, user_id: str, text: str) -> list[str]:
        """Its words but for stop words, as the keyword search knows them."""
        return await self._topics.telling_words(user_id, text)

    async def pin(self, user_id: str, item_id: UUID, origin: Origin) -> StoredMemory:
        """Never trimmed or replaced from now on, and more important where nobody had asked to keep
        it before (000). Raises NotFound."""
        pinned = await self._store.pin(
            user_id, item_id, origin, raised=_importance_of_pinned, weigh=salience_of
        )
        self._counters.count_action("pin")
        return pinned

    async def unpin(self, user_id: str, item_id: UUID, origin: Origin) -> StoredMemory:
        """As before it was pinned, but that it stays as important. Raises NotFound."""
        unpinned = await self._store.unpin(user_id, item_id, origin, weigh=salience_of)
        self._counters.count_action("unpin")
        return unpinned

    async def edit(
        self,
        user_id: str,
        item_id: UUID,
        changes: MemoryChanges,
        origin: Origin,
        *,
        still: IsUnchanged | None = None,
    ) -> StoredMemory:
        """Corrects a living memory. With new words the old ones stay as a replaced memory, and
        where the embedder does not answer the vector is made at the next maintenance. Where another
        memory contradicts the new words, the user is asked which holds.

        Raises NotFound, ChangedMeanwhile where `still` says that it is not what was looked at,
        SecretRefused for a tag that holds one, and InvalidInput for a bank that is not one of the
        settings'; for new words also what would be refused as a new memory: SecretRefused,
        MessageRefused, RecentlyForgotten and MemoryOff, and InvalidInput where another memory says
        the same.
        """
        await asyncio.to_thread(refuse_secret_tags, changes.tags or ())
        wording = None
        if changes.content is not None:
            before = await self._store.read(user_id, item_id)
            wording = await self._wording(changes.content, before)
        fields = changes.fields
        if changes.bank is not None:
            fields["bank"] = require_bank(changes.bank, self._banks)
        store = partial(
            self._store.edit,
            user_id,
            item_id,
            origin,
            changes=fields,
            weigh=salience_of,
            still=still,
        )
        try:
            edited = await store(wording=wording)
        except EmbeddingOutdated:
            bare = None if wording is None else replace(wording, embedding=None)
            edited = await store(wording=bare)
        self._counters.count_action("edit")
        return edited

    async def reword(
        self, user_id: str, item_id: UUID, before: str, after: str, origin: Origin
    ) -> StoredMemory:
        """New words for a memory that says `before`; see `edit`."""

        def is_unchanged(item: StoredMemory) -> bool:
            return item.content == before

        changes = MemoryChanges(content=after)
        return await self.edit(user_id, item_id, changes, origin, still=is_unchanged)

    async def check_words(self, content: str) -> None:
        """Raises what words may be refused for by themselves: see `clean_content`."""
        await asyncio.to_thread(clean_content, content)

    async def undo_edit(
        self,
        user_id: str,
        origin: Origin,
        item_id: UUID | None = None,
        *,
        space: str | None = None,
    ) -> StoredMemory | None:
        """Takes the last new words of a memory back, and what was corrected with them or since;
        without an id, those of the memory of the space corrected last, within a day. None where
        there is none, or where something was forgotten there since. Raises MemoryOff."""
        back = await self._store.take_back_edit(user_id, item_id, UNDO_TIME, origin, space)
        self._counters.count_action("restore", int(back is not None))
        return back

    async def _wording(self, content: str, before: StoredMemory) -> RewordedMemory:
        content = await asyncio.to_thread(clean_content, content, before)
        model = self._embedding_model.model
        embedding = await self._embedder.embed_text(to_first_person(content) or None)
        return await asyncio.to_thread(make_wording, content, embedding, model, self._marker)


def _importance_of_pinned(item: StoredMemory) -> float:
    return pinned_importance(item.importance)
