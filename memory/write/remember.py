"""Keeping what the user asked to keep."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

import structlog

from memory.embedders.protocol import Embedder, Embedding
from memory.errors import InvalidInput, KeepsakeError
from memory.first_person import as_first_person
from memory.models import MAX_ITEM_CHARS, ItemType, KeptItem, NewItem
from memory.store.items import EmbeddedItem, Items
from memory.write.normalise import clean_message

_log = structlog.get_logger(__name__)

_DECISION = re.compile(
    r"\b(decided|decision|agreed|chose|settled on|going with|will go with)\b", re.I
)
_PREFERENCE = re.compile(
    r"\b(prefer\w*|favou?rite|likes?|loves?|enjoys?|hates?|dislikes?|rather|can't stand)\b", re.I
)


class Remember:
    """Stores memories with their vectors; a vector that does not come is left to upkeep."""

    def __init__(self, items: Items, embedder: Embedder, *, embedding_timeout: float) -> None:
        self._items = items
        self._embedder = embedder
        self._embedding_timeout = embedding_timeout

    async def keep(self, user_id: str, item: NewItem) -> KeptItem:
        """Keeps one memory; the same words again count as a repeat. Fails loudly."""
        item = _cleaned(item)
        [embedded] = await self._embed([item])
        return await self._items.save(user_id, embedded)

    async def keep_all(self, user_id: str, items: Sequence[NewItem]) -> list[KeptItem]:
        """Keeps all of them as they are, or none."""
        embedded = await self._embed([_cleaned(item) for item in items])
        return await self._items.save_all(user_id, embedded)

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


def type_of(content: str) -> ItemType:
    """decision, preference or fact, by the words that say so."""
    if _DECISION.search(content):
        return "decision"
    return "preference" if _PREFERENCE.search(content) else "fact"


def _cleaned(item: NewItem) -> NewItem:
    content = clean_message(item.content)
    if len(content) > MAX_ITEM_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_ITEM_CHARS:,} characters long at most.")
    return item.model_copy(update={"content": content})
