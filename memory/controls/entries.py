"""What a user does with single memories: look at them, find them, correct them, pin them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from uuid import UUID

from memory.controls.changes import Changes
from memory.controls.editing import clean_words, known_bank, refuse_secret_tags, wording_of
from memory.controls.finding import Meant
from memory.controls.summary import IMPORTANT_OF_BANK, Summary, summarise
from memory.controls.topics import Topics
from memory.counters import Counters
from memory.embedders.protocol import Embedder
from memory.embedders.timely import Timely
from memory.errors import EmbeddingOutdated
from memory.first_person import as_first_person
from memory.models import BANKS, DEFAULT_SPACE, KeptItem, Origin
from memory.store.forgetting.forgetting import MarkerOf
from memory.store.memories.details import Details
from memory.store.memories.editing import Wording
from memory.store.memories.entries import BankCount, EntryStore
from memory.store.memories.items import Still
from memory.store.memories.listing import EntryFilter, Page
from memory.write.importance import when_pinned
from memory.write.salience import salience_of


class Entries:
    """Every method names its user. An id of another user is NotFound.

    The `embedder` has no cache: a topic names a memory in words that its erasure does not know.
    """

    def __init__(
        self,
        store: EntryStore,
        embedder: Embedder,
        marker: MarkerOf,
        *,
        embedding_timeout: float,
        banks: Sequence[str] = BANKS,
        counters: Counters | None = None,
    ) -> None:
        self._store = store
        self._embedding_model = embedder
        self._embedder = Timely(embedder, embedding_timeout, event="words_not_embedded")
        self._topics = Topics(store, self._embedder)
        self._marker = marker
        self._banks = banks
        self._counters = counters or Counters()

    async def browse(self, user_id: str, wanted: EntryFilter) -> Page:
        """See `EntryFilter`; the newest first."""
        return await self._store.browse(user_id, wanted)

    async def all(
        self, user_id: str, space: str = DEFAULT_SPACE, *, removed: bool = False
    ) -> list[KeptItem]:
        """Every living memory of a space, the newest first; with `removed` also what was replaced
        or trimmed or has expired, which is to be forgotten as well."""
        return await self._store.all(user_id, space, removed=removed)

    async def read(self, user_id: str, item_id: UUID) -> KeptItem:
        """Raises NotFound."""
        return await self._store.read(user_id, item_id)

    async def details(self, user_id: str, item_id: UUID) -> Details:
        """A memory with what is around it; see `Details`. Raises NotFound."""
        return await self._store.details(user_id, item_id)

    async def banks(self, user_id: str, space: str = DEFAULT_SPACE) -> list[BankCount]:
        """The banks of the settings, empty ones too, then others that hold something."""
        held = {each.bank: each for each in await self._store.count_banks(user_id, space)}
        named = [held.pop(bank, BankCount(bank, 0, 0)) for bank in self._banks]
        return [*named, *held.values()]

    async def spaces(self, user_id: str) -> list[str]:
        """The spaces that hold a memory or a conversation of the user, by name."""
        return await self._store.spaces(user_id)

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> dict[UUID, KeptItem]:
        """Those of the memories that were not forgotten, by their id."""
        return await self._store.read_several(user_id, ids) if ids else {}

    async def learned_from(self, user_id: str, message_id: UUID) -> list[KeptItem]:
        """The living memories that came from a message."""
        return await self._store.learned_from(user_id, message_id)

    async def summary(self, user_id: str, space: str = DEFAULT_SPACE) -> Summary:
        counts, items = await self._store.most_important(user_id, space, IMPORTANT_OF_BANK)
        return summarise(space, counts, items)

    async def about(self, user_id: str, space: str, words: str) -> list[KeptItem]:
        """See `Topics.about`."""
        return await self._topics.about(user_id, space, words)

    async def find_matching(
        self, user_id: str, space: str, words: str, *, removed: bool = False
    ) -> list[KeptItem]:
        """See `Topics.matching`."""
        return await self._topics.matching(user_id, space, words, removed=removed)

    async def meant(self, user_id: str, space: str, wish: str) -> list[Meant]:
        """See `Topics.meant`."""
        return await self._topics.meant(user_id, space, wish)

    async def telling_words(self, user_id: str, text: str) -> list[str]:
        """Its words but for stop words, as the keyword search knows them."""
        return await self._topics.telling_words(user_id, text)

    async def pin(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """Never trimmed or replaced from now on, and more important where nobody had asked to keep
        it before (000). Raises NotFound."""
        pinned = await self._store.pin(
            user_id, item_id, origin, raised=_importance_of_pinned, weigh=salience_of
        )
        self._counters.count_action("pin")
        return pinned

    async def unpin(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """As before it was pinned, but that it stays as important. Raises NotFound."""
        unpinned = await self._store.unpin(user_id, item_id, origin, weigh=salience_of)
        self._counters.count_action("unpin")
        return unpinned

    async def edit(
        self,
        user_id: str,
        item_id: UUID,
        changes: Changes,
        origin: Origin,
        *,
        still: Still | None = None,
    ) -> KeptItem:
        """Corrects a living memory. With new words the old ones stay as a replaced memory, and
        where the embedder does not answer the vector is made at the next upkeep.

        Raises NotFound, ChangedMeanwhile where `still` says that it is not what was looked at,
        SecretRefused for a tag that holds one, and InvalidInput for a bank that is not one of the
        settings'; for new words also what would be refused as a new memory: SecretRefused,
        MessageRefused, RecentlyForgotten and MemoryOff, and InvalidInput where another memory says
        the same.
        """
        refuse_secret_tags(changes.tags or ())
        wording = None if changes.content is None else await self._wording(changes.content)
        fields = changes.fields
        if changes.bank is not None:
            fields["bank"] = known_bank(changes.bank, self._banks)
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

    async def _wording(self, content: str) -> Wording:
        content = await asyncio.to_thread(clean_words, content)
        model = self._embedding_model.model
        embedding = await self._embedder.embed(as_first_person(content) or None)
        return await asyncio.to_thread(wording_of, content, embedding, model, self._marker)


def _importance_of_pinned(item: KeptItem) -> float:
    return when_pinned(item.importance)
