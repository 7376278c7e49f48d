"""All that can be said of a new memory before anybody looks at the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import structlog

from memory.clock import Clock, local_clock
from memory.dates import resolve_dates
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import InvalidInput, SecretRefused
from memory.fingerprints import simhash64
from memory.ingestion.classification import (
    BASE,
    importance,
    item_type_of,
    match_bank,
    resolve_bank,
    salience,
)
from memory.ingestion.deduplication import merge_sources, merge_tags
from memory.ingestion.metadata import MemoryMetadata, extract_metadata
from memory.ingestion.normalisation import clean_message, normalise
from memory.secrets import find_secrets, find_sure_secrets
from memory.store.memories import EmbeddedMemory
from memory.text import to_first_person
from memory.types import BANKS, DEFAULT_BANK, MAX_MEMORY_CHARS, NewMemory
from memory.understanding import MessageReader

_log = structlog.get_logger(__name__)


class MemoryPreparer:
    """Cleans, dates, describes, weighs and embeds; a vector that does not come is left to
    maintenance. The words are looked at on threads: a memory full of dates takes a second.

    `banks` and `default_bank` are those of the settings.
    """

    def __init__(
        self,
        embedder: Embedder,
        reader: MessageReader,
        *,
        embedding_timeout: float,
        banks: Sequence[str] = BANKS,
        default_bank: str = DEFAULT_BANK,
        clock: Clock = local_clock,
    ) -> None:
        self._embedder = embedder
        self._reader = reader
        self._embedding_timeout = embedding_timeout
        self._banks = banks
        self._default_bank = default_bank
        self._clock = clock

    @property
    def model(self) -> str:
        """Of the embedder."""
        return self._embedder.model

    async def prepare(self, item: NewMemory, category: str | None = None) -> EmbeddedMemory:
        """A memory with all that it is found, compared and ranked by.

        What was not given is found out: the type and the bank by what it is about, when it happened
        by the dates in it, which are then put into words that stay true, as of `created_at` or now.
        A bank that is not allowed becomes the default one (003). An importance that comes with a
        category, as an extraction's does, is where the weighing begins; without one it stays as it
        was given.
        Raises SecretRefused, MessageRefused and InvalidInput.
        """
        item = await asyncio.to_thread(self._read, item)
        [embedded] = await self._embed([item])
        return replace(
            await asyncio.to_thread(_described, item, category),
            embedding=embedded.embedding,
            embedding_model=embedded.embedding_model,
        )

    async def as_given(self, items: Sequence[NewMemory]) -> list[EmbeddedMemory]:
        """Memories that are kept as they are: nothing is added but what finds their duplicates,
        and a bank that is not allowed becomes the default one."""
        known = await asyncio.to_thread(
            lambda: [self._in_known_bank(self._typed(clean_item(item))) for item in items]
        )
        embedded = await self._embed(known)
        return await asyncio.to_thread(lambda: [_identified(new) for new in embedded])

    def _read(self, item: NewMemory) -> NewMemory:
        return self._placed(
            self._typed(
                date_item(refuse_secrets(clean_item(item)), item.created_at or self._clock())
            )
        )

    def _typed(self, item: NewMemory) -> NewMemory:
        if "type" in item.model_fields_set:
            return item
        return item.model_copy(
            update={"type": item_type_of(self._reader.describe(item.content).category)}
        )

    async def vectors_of(self, contents: Sequence[str]) -> list[Embedding] | None:
        """None where the embedder gives none, whatever it raises, or not in time."""
        texts = [to_first_person(content) for content in contents]
        try:
            async with asyncio.timeout(self._embedding_timeout * (1 + len(texts) / 100)):
                vectors = await self._embedder.embed_texts(texts)
            return [vector for vector, _ in zip(vectors, texts, strict=True)]
        except Exception as error:
            _log.warning("kept_without_vector", count=len(texts), reason=type(error).__name__)
            return None

    def known_bank(self, bank: str) -> str:
        """As it is spelt here; the default one for one that is not allowed."""
        return match_bank(bank, self._banks) or self._default_bank

    def _placed(self, item: NewMemory) -> NewMemory:
        """In the bank that was given, else in the one that it is about."""
        if "bank" not in item.model_fields_set:
            read = self._reader.describe(item.content).bank
            bank = resolve_bank(read, self._banks, self._default_bank)
            return item.model_copy(update={"bank": bank})
        return self._in_known_bank(item)

    def _in_known_bank(self, item: NewMemory) -> NewMemory:
        bank = self.known_bank(item.bank)
        return item if bank == item.bank else item.model_copy(update={"bank": bank})

    async def _embed(self, items: Sequence[NewMemory]) -> list[EmbeddedMemory]:
        model = self._embedder.model
        vectors = await self.vectors_of([item.content for item in items])
        if vectors is None:  # the words are kept
            return [EmbeddedMemory(item, None, None) for item in items]
        return [EmbeddedMemory(*pair, model) for pair in zip(items, vectors, strict=True)]


def clean_item(item: NewMemory) -> NewMemory:
    content = clean_message(item.content)
    if len(content) > MAX_MEMORY_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_MEMORY_CHARS:,} characters long at most.")
    return item.model_copy(update={"content": content})


def date_item(item: NewMemory, said_at: datetime) -> NewMemory:
    """With its relative dates resolved, unless it was said when it happened."""
    if "occurred_at" in item.model_fields_set:
        return item
    content, occurred_at = resolve_dates(item.content, said_at)
    if len(content) > MAX_MEMORY_CHARS:
        return item
    return item.model_copy(update={"content": content, "occurred_at": occurred_at})


def refuse_secrets(item: NewMemory) -> NewMemory:
    """The same item; raises SecretRefused where its words or tags hold a secret."""
    find = find_sure_secrets if item.is_no_secret else find_secrets
    for text in (item.content, *item.tags):
        if found := find(text):
            raise SecretRefused(kind=found[0].kind)
    return item


def sources_of(item: NewMemory) -> tuple[str, ...]:
    """The message it was said in, then the sources that were given."""
    said_in = () if item.source_message_id is None else (str(item.source_message_id),)
    return merge_sources(said_in, item.source_ids)


def _described(item: NewMemory, category: str | None) -> EmbeddedMemory:
    metadata = extract_metadata(item.content)
    full = item.model_copy(
        update={
            "tags": merge_tags(item.tags, metadata.tags),
            "importance": _weighed(item, category, metadata),
            "source_ids": sources_of(item),
        }
    )
    new = EmbeddedMemory(full, None, None, metadata_confidence=metadata.confidence)
    return _identified(new)


def _weighed(item: NewMemory, category: str | None, metadata: MemoryMetadata) -> float:
    given = "importance" in item.model_fields_set
    if given and category is None:
        return item.importance
    return importance(
        asked=item.manually_saved or item.pinned,
        category=category or item.type,
        confidence=metadata.confidence,
        has_tags=bool(metadata.tags),
        base=item.importance if given else BASE,
    )


def _identified(new: EmbeddedMemory) -> EmbeddedMemory:
    content = new.item.content
    return replace(
        new,
        simhash=simhash64(normalise(content)),
        salience=salience(content, new.item.type, pinned=new.item.pinned),
    )


def retag(tags: Sequence[str], old: str, new: str) -> tuple[str, ...]:
    """The tags without what the old words alone gave, or hold, and with what the new ones give."""
    gone = set(_words(old)) - set(_words(new))
    derived = {tag.casefold() for tag in extract_metadata(old).tags}
    given = [tag for tag in tags if tag.casefold() not in derived and not gone & set(_words(tag))]
    return merge_tags(given, extract_metadata(new).tags)


def _words(text: str) -> list[str]:
    letters = "".join(each if each.isalnum() else " " for each in text.casefold())
    return letters.split()
