"""Which memories a topic names, from its words and its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memory.controls.finding import (
    MIN_COSINE,
    Meant,
    asked_words,
    choose_about,
    choose_matching,
    choose_meant,
    names_for,
    topic,
    without_copies,
    words_in,
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
        near, lexemes, names = await self._near(user_id, space, topic(words))
        return [each.item for each in choose_about(near, _concepts(lexemes), names)]

    async def matching(
        self, user_id: str, space: str, words: str, *, removed: bool = False
    ) -> list[KeptItem]:
        """The memories that the words plainly mean, the best first; with `removed` also what was
        replaced or trimmed or has expired, without what says the same as another of them."""
        asked = topic(words)
        near, lexemes, names = await self._near(user_id, space, asked, removed=removed)
        found = [each.item for each in choose_matching(asked, near, _concepts(lexemes), names)]
        return without_copies(found) if removed else found

    async def meant(self, user_id: str, space: str, wish: str) -> list[Meant]:
        """The living memories that a wish in whole words means, the best first."""
        near, lexemes, names = await self._near(user_id, space, wish)
        return choose_meant(words_in(wish, lexemes), near, names)

    async def telling_words(self, user_id: str, text: str) -> list[str]:
        """Its words but for stop words."""
        lexemes = await self._store.lexemes(user_id, asked_words(text))
        return [word.spoken for word in words_in(text, lexemes)]

    async def _near(
        self, user_id: str, space: str, asked: str, *, removed: bool = False
    ) -> tuple[list[NearItem], list[frozenset[str]], frozenset[str]]:
        """The memories near a topic, each of its words as lexemes, and those of the names it goes
        by."""
        lexemes = await self._store.lexemes(user_id, asked_words(asked))
        embedding = await self._embedder.embed(as_searched(asked) or None)
        find = partial(
            self._store.find_near,
            user_id,
            space,
            embedding=embedding,
            min_cosine=MIN_COSINE,
            removed=removed,
        )
        words = frozenset[str]().union(*lexemes)
        near = await find(words=words)
        called = names_for(asked, [each.item.content for each in near if each.held])
        if not called:
            return near, lexemes, frozenset()
        names = frozenset[str]().union(*await self._store.lexemes(user_id, called))
        near = await find(words=words | names)
        return near, lexemes, names


def _concepts(lexemes: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Without stop words."""
    return [each for each in lexemes if each]
