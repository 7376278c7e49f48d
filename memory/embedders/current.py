"""The embedder of now as everybody holds it, whichever that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from memory.embedders.cached import CachedEmbedder
from memory.embedders.protocol import Embedder, Embedding
from memory.embedders.succession import Succession

View: TypeAlias = Callable[[Embedder], Embedder]
"""What of an embedder is used: the one behind its cache, for instance."""


def _itself(embedder: Embedder) -> Embedder:
    return embedder


class CurrentEmbedder:
    """Each call goes whole to the embedder that is the one of now as it begins.

    Who stores a vector reads `model` before the call: a change in between then leaves a vector
    under the name of the old model, which is found and made anew, never the other way round.
    """

    def __init__(self, succession: Succession, view: View = _itself) -> None:
        self._succession = succession
        self._view = view

    @property
    def model(self) -> str:
        return self._succession.now.model

    @property
    def dimensions(self) -> int:
        return self._succession.now.dimensions

    async def look_if_announced(self) -> None:
        """Where another model is announced: whether its time has come."""
        await self._succession.look_if_announced()

    def seen_as(self, view: View) -> CurrentEmbedder:
        """The same, of which only a part is used."""
        return CurrentEmbedder(self._succession, lambda whole: view(self._view(whole)))

    async def embed_query(self, text: str) -> Embedding:
        await self._succession.look_if_announced()
        return await self._view(self._succession.now).embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        await self._succession.look_if_announced()
        return await self._view(self._succession.now).embed_texts(texts)

    async def forget(self, texts: Sequence[str]) -> bool:
        """Removes what is cached of these texts, by the earlier models too; False where the cache
        could not be asked."""
        every = [self._view(each) for each in self._succession.opened.values()]
        cached = [each for each in every if isinstance(each, CachedEmbedder)]
        forgotten = [await each.forget(texts) for each in cached]
        return all(forgotten)

    async def aclose(self) -> None:
        await self._succession.aclose()


async def model_of_now(embedder: Embedder) -> str:
    """The name of its model; while another one is announced, as the database has it at this
    moment, so that who asks before and after a search knows whether it was of one model."""
    if isinstance(embedder, CurrentEmbedder):
        await embedder.look_if_announced()
    return embedder.model
