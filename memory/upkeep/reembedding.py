"""Makes the vectors of the model that follows, while those of the old one are searched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import structlog

from memory.embedders.protocol import Embedder, Embedding
from memory.errors import KeepsakeError, ReembeddingStopped
from memory.store.embeddings import Noun, Waiting
from memory.store.reembedding import BEGINNING, NextVectors
from memory.upkeep.backfill import BATCH_TIMEOUT, embedded_texts

BATCH = 128
NOUNS: tuple[Noun, ...] = ("items", "messages")
# Seconds before each further try of a batch; a model that is away for a minute is waited for.
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
_log = structlog.get_logger(__name__)

Progress: TypeAlias = Callable[[int, int], None]
"""How many vectors of how many are made."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


class Reembedding:
    """Goes on where an earlier run ended, since what has a new vector is not looked at again."""

    def __init__(
        self,
        vectors: NextVectors,
        embedder: Embedder,
        progress: Progress,
        *,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._progress = progress
        self._sleep = sleep
        self._made = 0
        self._total = 0

    async def fill(self) -> int:
        """Passes over everything until a pass finds nothing to do: what was written or changed
        meanwhile comes with the next one. How many vectors were made. Raises ReembeddingStopped
        where the model does not answer for a minute, and DatabaseUnavailable."""
        counts = [await self._vectors.count(noun) for noun in NOUNS]
        self._made = sum(count.made for count in counts)
        self._total = sum(count.all_of_them for count in counts)
        self._progress(self._made, self._total)
        before = self._made
        while sum([await self._pass(noun) for noun in NOUNS]):
            pass
        await self._vectors.set_aside()
        return self._made - before

    async def _pass(self, noun: Noun) -> int:
        """How many rows were written. Those that somebody was changing are left for the next."""
        written, after = 0, BEGINNING
        while rows := await self._vectors.waiting(noun, after, BATCH):
            after = (rows[-1].user_id, rows[-1].id)
            texts = await asyncio.to_thread(embedded_texts, noun, rows)
            written += await self._write(noun, rows, await self._embed(texts))
        return written

    async def _write(
        self, noun: Noun, rows: Sequence[Waiting], vectors: Sequence[Embedding]
    ) -> int:
        written = await self._vectors.write(noun, rows, vectors, self._embedder.model)
        self._made += written
        self._total = max(self._total, self._made)
        self._progress(self._made, self._total)
        return written

    async def _embed(self, texts: Sequence[str]) -> list[Embedding]:
        for pause in PAUSES:
            try:
                return await self._try(texts)
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("reembedding_waits", seconds=pause, reason=_reason(error))
                await self._sleep(pause)
        try:
            return await self._try(texts)
        except (KeepsakeError, TimeoutError) as error:
            raise ReembeddingStopped(reason=_reason(error)) from error

    async def _try(self, texts: Sequence[str]) -> list[Embedding]:
        async with asyncio.timeout(BATCH_TIMEOUT):
            return await self._embedder.embed_texts(texts)


def _reason(error: Exception) -> str:
    return str(error) or "the model did not answer in time"
