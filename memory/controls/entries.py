"""What a user does with single memories: look at them, find them, correct them, pin them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated
from uuid import UUID

import structlog
from pydantic import Field

from memory.controls.editing import clean_words, known_bank, refuse_secret_tags, wording_of
from memory.controls.finding import (
    MIN_COSINE,
    asked_words,
    choose_about,
    choose_matching,
    names_for,
    topic,
    without_copies,
)
from memory.embedders.protocol import Embedder, Embedding
from memory.first_person import as_first_person
from memory.models import (
    BANKS,
    DEFAULT_SPACE,
    BankName,
    Frozen,
    ItemType,
    KeptItem,
    Name,
    Origin,
    Share,
)
from memory.recall.question import as_searched
from memory.store.details import Details
from memory.store.entries import BankCount, EntryStore, NearItem
from memory.store.forgetting import MarkerOf
from memory.store.items import Still
from memory.store.listing import EntryFilter, Page
from memory.write.importance import when_pinned
from memory.write.salience import salience_of

IMPORTANT_OF_BANK = 5
_log = structlog.get_logger(__name__)


class Changes(Frozen):
    """What is corrected in a memory; None leaves it as it is, but an `occurred_at` that is given as
    None goes."""

    content: str | None = None
    type: ItemType | None = None
    bank: BankName | None = None
    tags: tuple[Annotated[str, Name, Field(max_length=100)], ...] | None = None
    importance: Share | None = None
    occurred_at: datetime | None = None

    @property
    def fields(self) -> dict[str, object]:
        """What is given, but for the content."""
        given = {name: value for name, value in self if value is not None}
        if "occurred_at" in self.model_fields_set:
            given["occurred_at"] = self.occurred_at
        return {name: value for name, value in given.items() if name != "content"}


@dataclass(frozen=True)
class BankSummary:
    """One bank: how much it holds, and what in it matters most."""

    bank: str
    count: int
    pinned: int
    items: tuple[KeptItem, ...]


@dataclass(frozen=True)
class Summary:
    """The banks of a space, the fullest first."""

    space: str
    banks: tuple[BankSummary, ...]

    @property
    def count(self) -> int:
        return sum(bank.count for bank in self.banks)


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
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._marker = marker
        self._embedding_timeout = embedding_timeout
        self._banks = banks

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
        banks = [
            BankSummary(
                each.bank,
                each.count,
                each.pinned,
                tuple(item for item in items if item.bank == each.bank),
            )
            for each in counts
        ]
        return Summary(space, tuple(banks))

    async def about(self, user_id: str, space: str, words: str) -> list[KeptItem]:
        """Everything known about the words, the best first, whether memory is on or off."""
        asked = topic(words)
        near, concepts, names = await self._near(user_id, space, asked)
        return [each.item for each in choose_about(near, concepts, names)]

    async def find_matching(
        self, user_id: str, space: str, words: str, *, removed: bool = False
    ) -> list[KeptItem]:
        """The memories that the words plainly mean, the best first; `removed` as in `all`, without
        what says the same as another of them."""
        asked = topic(words)
        near, concepts, names = await self._near(user_id, space, asked, removed=removed)
        found = [each.item for each in choose_matching(asked, near, concepts, names)]
        return without_copies(found) if removed else found

    async def pin(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """Never trimmed or replaced from now on, and more important where nobody had asked to keep
        it before (000). Raises NotFound."""
        return await self._store.pin(
            user_id, item_id, origin, raised=_importance_of_pinned, weigh=salience_of
        )

    async def unpin(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """As before it was pinned, but that it stays as important. Raises NotFound."""
        return await self._store.unpin(user_id, item_id, origin, weigh=salience_of)

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
        wording = None
        if changes.content is not None:
            content = clean_words(changes.content)
            embedding = await self._embed(as_first_person(content))
            wording = wording_of(content, embedding, self._embedder.model, self._marker)
        fields = changes.fields
        if changes.bank is not None:
            fields["bank"] = known_bank(changes.bank, self._banks)
        return await self._store.edit(
            user_id,
            item_id,
            origin,
            changes=fields,
            wording=wording,
            weigh=salience_of,
            still=still,
        )

    async def _near(
        self, user_id: str, space: str, asked: str, *, removed: bool = False
    ) -> tuple[list[NearItem], list[frozenset[str]], frozenset[str]]:
        """The memories near a topic, its words as lexemes, and those of the names it goes by."""
        lexemes = await self._store.lexemes(user_id, asked_words(asked))
        concepts = [each for each in lexemes if each]
        embedding = await self._embed(as_searched(asked))
        find = partial(
            self._store.find_near,
            user_id,
            space,
            embedding=embedding,
            min_cosine=MIN_COSINE,
            removed=removed,
        )
        words = frozenset[str]().union(*concepts)
        near = await find(words=words)
        called = names_for(asked, [each.item.content for each in near if each.held])
        if not called:
            return near, concepts, frozenset()
        names = frozenset[str]().union(*await self._store.lexemes(user_id, called))
        near = await find(words=words | names)
        return near, concepts, names

    async def _embed(self, text: str) -> Embedding | None:
        if not text:
            return None
        try:
            async with asyncio.timeout(self._embedding_timeout):
                return await self._embedder.embed_query(text)
        except Exception as error:  # the words alone are compared
            _log.warning("words_not_embedded", reason=type(error).__name__)
            return None


def _importance_of_pinned(item: KeptItem) -> float:
    return when_pinned(item.importance)
