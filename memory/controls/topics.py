"""Which memories a topic names, from its words and its meaning."""

from __future__ import annotations

from functools import partial

from memory.controls.finding import (
    MIN_COSINE,
    asked_words,
    choose_about,
    choose_matching,
    names_for,
    topic,
    without_copies,
)
from memory.embedders.timely import Timely
from memory.models import KeptItem
from memory.recall.question import as_searched
from memory.store.memories.entries import EntryStore, NearItem


class Topics:
    """Every method names its user. Where the embedder does not answer, the words alone are
    compared."""

    def __init__(self, store: EntryStore, embedder: Timely) -> None:
        self._store = store
        self._embedder = embedder

    async def about(self, user_id: str, space: str, words: str) -> list[KeptItem]:
        """Everything known about the words, the best first, whether memory is on or off."""
        near, concepts, names = await self._near(user_id, space, topic(words))
        return [each.item for each in choose_about(near, concepts, names)]

    async def matching(
        self, user_id: str, space: str, words: str, *, removed: bool = False
    ) -> list[KeptItem]:
        """The memories that the words plainly mean, the best first; with `removed` also what was
        replaced or trimmed or has expired, without what says the same as another of them."""
        asked = topic(words)
        near, concepts, names = await self._near(user_id, space, asked, removed=removed)
        found = [each.item for each in choose_matching(asked, near, concepts, names)]
        return without_copies(found) if removed else found

    async def _near(
        self, user_id: str, space: str, asked: str, *, removed: bool = False
    ) -> tuple[list[NearItem], list[frozenset[str]], frozenset[str]]:
        """The memories near a topic, its words as lexemes, and those of the names it goes by."""
        lexemes = await self._store.lexemes(user_id, asked_words(asked))
        concepts = [each for each in lexemes if each]
        embedding = await self._embedder.embed(as_searched(asked) or None)
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
