"""What a user does with single memories: look at them, find them, correct them, pin them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

import structlog
from pydantic import Field

from memory.controls.finding import (
    MIN_COSINE,
    asked_words,
    choose_about,
    choose_matching,
    names_for,
    topic,
)
from memory.embedders.protocol import Embedder, Embedding
from memory.errors import InvalidInput, SecretRefused
from memory.models import (
    DEFAULT_SPACE,
    MAX_ITEM_CHARS,
    BankName,
    Frozen,
    ItemType,
    KeptItem,
    Name,
    Origin,
    Share,
)
from memory.recall.question import as_searched
from memory.secrets import find_secrets
from memory.simhash import simhash64
from memory.store.entries import EntryStore, NearItem, Wording
from memory.store.listing import EntryFilter, Page
from memory.write.normalise import clean_message, normalise
from memory.write.salience import salience
from memory.write.slots import key_of, slot_of

IMPORTANT_OF_BANK = 5
_log = structlog.get_logger(__name__)


class Changes(Frozen):
    """What is corrected in a memory; None leaves it as it is."""

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
    """Every method names its user. An id of another user is NotFound."""

    def __init__(self, store: EntryStore, embedder: Embedder, *, embedding_timeout: float) -> None:
        self._store = store
        self._embedder = embedder
        self._embedding_timeout = embedding_timeout

    async def browse(self, user_id: str, wanted: EntryFilter) -> Page:
        """See `EntryFilter`; the newest first."""
        return await self._store.browse(user_id, wanted)

    async def all(self, user_id: str, space: str = DEFAULT_SPACE) -> list[KeptItem]:
        """Every living memory of a space, the newest first."""
        return await self._store.all(user_id, space)

    async def read(self, user_id: str, item_id: UUID) -> KeptItem:
        """Raises NotFound."""
        return await self._store.read(user_id, item_id)

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

    async def find_matching(self, user_id: str, space: str, words: str) -> list[KeptItem]:
        """The memories that the words plainly mean, the best first."""
        asked = topic(words)
        near, concepts, names = await self._near(user_id, space, asked)
        return [each.item for each in choose_matching(asked, near, concepts, names)]

    async def pin(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """Raises NotFound."""
        return await self._store.pin(user_id, item_id, origin, pinned=True, weigh=_salience)

    async def unpin(self, user_id: str, item_id: UUID, origin: Origin) -> KeptItem:
        """Raises NotFound."""
        return await self._store.pin(user_id, item_id, origin, pinned=False, weigh=_salience)

    async def edit(self, user_id: str, item_id: UUID, changes: Changes, origin: Origin) -> KeptItem:
        """Corrects a living memory. New words get a new vector at the next upkeep, and none
        until then. Raises NotFound, InvalidInput and SecretRefused."""
        wording = None if changes.content is None else _wording(changes.content)
        return await self._store.edit(
            user_id, item_id, origin, changes=changes.fields, wording=wording, weigh=_salience
        )

    async def _near(
        self, user_id: str, space: str, asked: str
    ) -> tuple[list[NearItem], list[frozenset[str]], frozenset[str]]:
        """The memories near a topic, its words as lexemes, and those of the names it goes by."""
        lexemes = await self._store.lexemes(user_id, asked_words(asked))
        concepts = [each for each in lexemes if each]
        embedding = await self._embed(asked)
        words = frozenset[str]().union(*concepts)
        near = await self._store.find_near(user_id, space, words, embedding, MIN_COSINE)
        called = names_for(asked, [each.item.content for each in near if each.held])
        if not called:
            return near, concepts, frozenset()
        names = frozenset[str]().union(*await self._store.lexemes(user_id, called))
        near = await self._store.find_near(user_id, space, words | names, embedding, MIN_COSINE)
        return near, concepts, names

    async def _embed(self, asked: str) -> Embedding | None:
        text = as_searched(asked)
        if not text:
            return None
        try:
            async with asyncio.timeout(self._embedding_timeout):
                return await self._embedder.embed_query(text)
        except Exception as error:  # the words alone still find what holds them
            _log.warning("topic_not_embedded", reason=type(error).__name__)
            return None


def _wording(content: str) -> Wording:
    content = clean_message(content)
    if len(content) > MAX_ITEM_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_ITEM_CHARS:,} characters long at most.")
    if secrets := find_secrets(content):
        raise SecretRefused(kind=secrets[0].kind)
    slot = slot_of(content)
    return Wording(content, simhash64(normalise(content)), None if slot is None else key_of(slot))


def _salience(item: KeptItem) -> float:
    return salience(item.content, item.type, pinned=item.pinned)
