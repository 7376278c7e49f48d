"""Which embedder is the one of now, where the database may be given the vectors of another model
while the program runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from memory.embedders.absent import AbsentEmbedder
from memory.embedders.protocol import Embedder
from memory.errors import KeepsakeError
from memory.models import EmbeddingModel, EmbeddingProfile

# A re-embedding announces itself for longer than this before the vectors are swapped.
LOOK_SECONDS = 2.0
_log = structlog.get_logger(__name__)

OpenModel: TypeAlias = Callable[[EmbeddingModel], Embedder]
"""Raises InvalidSettings where the settings do not suffice for the model."""
ReadProfile: TypeAlias = Callable[[], Awaitable[EmbeddingProfile]]


class Succession:
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

    async def look_if_announced(self) -> None:
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

    async def watch(self, pause: float = LOOK_SECONDS) -> None:
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
            return AbsentEmbedder(model)
