"""All that can be said of a new memory before anybody looks at the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import structlog

from memory.embedders.protocol import Embedder, Embedding
from memory.errors import InvalidInput, KeepsakeError, SecretRefused
from memory.first_person import as_first_person
from memory.models import MAX_ITEM_CHARS, NewItem
from memory.secrets import find_secrets
from memory.simhash import simhash64
from memory.store.items import EmbeddedItem
from memory.write.importance import BASE, importance
from memory.write.merging import merge_sources, merge_tags
from memory.write.metadata import describe
from memory.write.normalise import clean_message, normalise
from memory.write.salience import salience
from memory.write.slots import keys_of

_log = structlog.get_logger(__name__)


class Preparer:
    """Cleans, describes, weighs and embeds; a vector that does not come is left to upkeep."""

    def __init__(self, embedder: Embedder, *, embedding_timeout: float) -> None:
        self._embedder = embedder
        self._embedding_timeout = embedding_timeout

    async def prepare(self, item: NewItem, category: str | None = None) -> EmbeddedItem:
        """A memory with all that it is found, compared and ranked by.

        Where no importance was given, it is weighed from the least that 003 knows; the category
        is the type where there is none. Raises SecretRefused, MessageRefused and InvalidInput.
        """
        item = refuse_secrets(cleaned(item))
        [embedded] = await self._embed([item])
        return replace(
            _described(item, category),
            embedding=embedded.embedding,
            embedding_model=embedded.embedding_model,
        )

    async def as_given(self, items: Sequence[NewItem]) -> list[EmbeddedItem]:
        """Memories that are kept as they are: nothing is added but what finds their duplicates."""
        return [_identified(new) for new in await self._embed([cleaned(item) for item in items])]

    async def _embed(self, items: Sequence[NewItem]) -> list[EmbeddedItem]:
        texts = [as_first_person(item.content) for item in items]
        vectors: Sequence[Embedding | None]
        try:
            async with asyncio.timeout(self._embedding_timeout * (1 + len(texts) / 100)):
                vectors = await self._embedder.embed_texts(texts)
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("kept_without_vector", count=len(texts), reason=str(error) or "timeout")
            return [EmbeddedItem(item, None, None) for item in items]
        model = self._embedder.model
        return [EmbeddedItem(item, vec, model) for item, vec in zip(items, vectors, strict=True)]


def cleaned(item: NewItem) -> NewItem:
    content = clean_message(item.content)
    if len(content) > MAX_ITEM_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_ITEM_CHARS:,} characters long at most.")
    return item.model_copy(update={"content": content})


def refuse_secrets(item: NewItem) -> NewItem:
    """The same item; raises SecretRefused where its words or tags hold a secret."""
    for text in (item.content, *item.tags):
        if found := find_secrets(text):
            raise SecretRefused(kind=found[0].kind)
    return item


def sources_of(item: NewItem) -> tuple[str, ...]:
    """The message it was said in, then the sources that were given."""
    said_in = () if item.source_message_id is None else (str(item.source_message_id),)
    return merge_sources(said_in, item.source_ids)


def _described(item: NewItem, category: str | None) -> EmbeddedItem:
    metadata = describe(item.content)
    weight = importance(
        asked=item.manually_saved or item.pinned,
        category=category or item.type,
        confidence=metadata.confidence,
        has_tags=bool(metadata.tags),
        chit_chat=False,
        base=item.importance if "importance" in item.model_fields_set else BASE,
    )
    full = item.model_copy(
        update={
            "tags": merge_tags(item.tags, metadata.tags),
            "importance": weight,
            "source_ids": sources_of(item),
        }
    )
    new = EmbeddedItem(full, None, None, metadata_confidence=metadata.confidence)
    return _identified(new)


def _identified(new: EmbeddedItem) -> EmbeddedItem:
    content = new.item.content
    return replace(
        new,
        simhash=simhash64(normalise(content)),
        slots=keys_of(content),
        salience=salience(content, new.item.type, pinned=new.item.pinned),
    )
