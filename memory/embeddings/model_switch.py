"""Which embedder is the active one, while the database may be given the vectors of another
model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import structlog

from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import EmbeddingUnavailable, KeepsakeError
from memory.types import EmbeddingModel, EmbeddingProfile


class NullEmbedder:
    """Never answers, so that recall goes on with keywords and what is kept waits for its vector."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.model = model.name
        self.dimensions = model.dimensions

    async def embed_query(self, text: str) -> Embedding:
        raise self._unavailable()

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise self._unavailable()

    async def aclose(self) -> None:
        return

    def _unavailable(self) -> EmbeddingUnavailable:
        reason = "this program's settings lack what it needs; set OPENAI_API_KEY or OPENAI_BASE_URL"
        return EmbeddingUnavailable(model=self.model, reason=reason)


# A re-embedding announces itself for longer than this before the vectors are swapped.
POLL_SECONDS = 2.0
_log = structlog.get_logger(__name__)

OpenModel: TypeAlias = Callable[[EmbeddingModel], Embedder]
"""Raises InvalidSettings where the settings do not suffice for the model."""
ReadProfile: TypeAlias = Callable[[], Awaitable[EmbeddingProfile]]


class ModelSwitch:
    """The embedder of the model that the database was made for, and those before it.

    While another model is announced its embedder is opened beforehand, and every call looks first
    whether it is time, so that the change is noticed with the first one after it. A model that this
    program cannot ask is stood for by one that never answers: recall goes on with keywords.
    """

    def __init__(self, first: Embedder, open_model: OpenModel, read: ReadProfile) -> None:
        self.now = first
        self.opened = {EmbeddingModel(first.model, first.dimensions): first}
        self._open_model = open_model
        self._read = read
        self._announced = False
        self._away = False

    async def refresh_if_announced(self) -> None:
        if self._announced:
            await self.look()

    async def look(self) -> None:
        """Follows the profile of the database; stays as it is where that cannot be read."""
        try:
            profile = await self._read()
        except (KeepsakeError, TimeoutError) as error:
            if not self._away:  # once: whoever else needs the database says the rest
                _log.warning("embedding_profile_not_read", reason=str(error) or "timeout")
            self._away = True
            return
        self._away = False
        self._announced = profile.following is not None
        if profile.following is not None:
            self._opened(profile.following)
        successor = self._opened(profile.current)
        if successor is not self.now:
            self.now = successor
            _log.info("embedding_model_changed", model=successor.model)

    async def watch(self, pause: float = POLL_SECONDS) -> None:
        """Looks every `pause` seconds, until it is cancelled."""
        while True:
            await asyncio.sleep(pause)
            try:
                await self.look()
            except Exception as error:  # nobody looks at this task: it says so and goes on
                _log.error("watching the embedding model failed", exc_info=error)

    async def aclose(self) -> None:
        for embedder in self.opened.values():
            await embedder.aclose()

    def _opened(self, model: EmbeddingModel) -> Embedder:
        if model not in self.opened:
            self.opened[model] = self._open(model)
        return self.opened[model]

    def _open(self, model: EmbeddingModel) -> Embedder:
        try:
            return self._open_model(model)
        except KeepsakeError as error:
            _log.error("embedding_model_not_usable", model=model.name, reason=str(error))
            return NullEmbedder(model)


EmbedderView: TypeAlias = Callable[[Embedder], Embedder]
"""What of an embedder is used: the one behind its cache, for instance."""


def _itself(embedder: Embedder) -> Embedder:
    return embedder


class ActiveEmbedder:
    """Each call goes whole to the embedder that is the one of now as it begins.

    Who stores a vector reads `model` before the call: a change in between then leaves a vector
    under the name of the old model, which is found and made anew, never the other way round.
    """

    def __init__(self, succession: ModelSwitch, view: EmbedderView = _itself) -> None:
        self._succession = succession
        self._view = view

    @property
    def model(self) -> str:
        return self._succession.now.model

    @property
    def dimensions(self) -> int:
        return self._succession.now.dimensions

    async def refresh_if_announced(self) -> None:
        """Where another model is announced: whether its time has come."""
        await self._succession.refresh_if_announced()

    def seen_as(self, view: EmbedderView) -> ActiveEmbedder:
        """The same, of which only a part is used."""
        return ActiveEmbedder(self._succession, lambda whole: view(self._view(whole)))

    async def embed_query(self, text: str) -> Embedding:
        await self._succession.refresh_if_announced()
        return await self._view(self._succession.now).embed_query(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        await self._succession.refresh_if_announced()
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


async def active_model_name(embedder: Embedder) -> str:
    """The name of its model; while another one is announced, as the database has it at this
    moment, so that who asks before and after a search knows whether it was of one model."""
    if isinstance(embedder, ActiveEmbedder):
        await embedder.refresh_if_announced()
    return embedder.model
