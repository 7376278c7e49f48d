"""Makes the vectors of the model that follows, while those of the old one are searched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

import structlog

from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import EmbeddingRefused, KeepsakeError, ReembeddingStopped
from memory.maintenance.backfill import BATCH_TIMEOUT, embed_accepted, texts_to_embed
from memory.store.vectors import FIRST_KEY, EmbeddedTable, NextVectorStore, UnembeddedRow

BATCH = 128
NOUNS: tuple[EmbeddedTable, ...] = ("items", "messages")
# Seconds before each further try of a batch; a model that is away for a minute is waited for.
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
_log = structlog.get_logger(__name__)

ReembeddingReport: TypeAlias = Callable[[int, int], None]
"""How many rows of how many are done."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]


class ReembeddingRun:
    """Goes on where an earlier run ended, since what has a new vector, or was refused one, is not
    looked at again."""

    def __init__(
        self,
        vectors: NextVectorStore,
        embedder: Embedder,
        progress: ReembeddingReport,
        *,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._progress = progress
        self._sleep = sleep
        self._done = 0
        self._total = 0

    async def fill(self) -> int:
        """Passes over everything until a pass finds nothing to do: what was written or changed
        meanwhile comes with the next one. How many vectors were made. Raises ReembeddingStopped
        where the model does not answer for a minute, and DatabaseUnavailable."""
        counts = [await self._vectors.count(noun) for noun in NOUNS]
        self._done = sum(count.made for count in counts)
        self._total = sum(count.all_of_them for count in counts)
        self._progress(self._done, self._total)
        made = 0
        while True:
            passes = [await self._pass(noun) for noun in NOUNS]
            made += sum(written for written, _ in passes)
            if not any(written + refused for written, refused in passes):
                break
        await self._vectors.set_aside()
        return made

    async def _pass(self, noun: EmbeddedTable) -> tuple[int, int]:
        """How many rows were written, and how many the model refused. Those that somebody was
        changing are left for the next."""
        written, refused, after = 0, 0, FIRST_KEY
        while rows := await self._vectors.waiting(noun, after, BATCH):
            after = (rows[-1].user_id, rows[-1].id)
            texts = await asyncio.to_thread(texts_to_embed, noun, rows)
            made = zip(rows, await self._embed(texts), strict=True)
            taken = {row: vector for row, vector in made if vector is not None}
            written += await self._write(noun, taken)
            refused += await self._refuse(noun, [row for row in rows if row not in taken])
            self._progress(self._done, self._total)
        return written, refused

    async def _write(self, noun: EmbeddedTable, vectors: Mapping[UnembeddedRow, Embedding]) -> int:
        model = self._embedder.model
        written = await self._vectors.write(noun, [*vectors], [*vectors.values()], model)
        self._count(written)
        return written

    async def _refuse(self, noun: EmbeddedTable, rows: Sequence[UnembeddedRow]) -> int:
        """After the swap they are found by their words alone."""
        if not rows:
            return 0
        refused = await self._vectors.refuse(noun, rows, self._embedder.model)
        for row in rows:
            _log.warning("row_set_aside", noun=noun, id=str(row.id), model=self._embedder.model)
        self._count(refused)
        return refused

    def _count(self, done: int) -> None:
        self._done += done
        self._total = max(self._total, self._done)

    async def _embed(self, texts: Sequence[str]) -> list[Embedding | None]:
        try:
            return await embed_accepted(self._patiently, texts)
        except (KeepsakeError, TimeoutError) as error:
            raise ReembeddingStopped(reason=_reason(error)) from error

    async def _patiently(self, texts: Sequence[str]) -> list[Embedding]:
        """Waits for a model that is away, not for one that refuses these texts."""
        for pause in PAUSES:
            try:
                return await self._try(texts)
            except EmbeddingRefused:
                raise
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("reembedding_waits", seconds=pause, reason=_reason(error))
                await self._sleep(pause)
        return await self._try(texts)

    async def _try(self, texts: Sequence[str]) -> list[Embedding]:
        async with asyncio.timeout(BATCH_TIMEOUT):
            return await self._embedder.embed_texts(texts)


def _reason(error: Exception) -> str:
    return str(error) or "the model did not answer in time"
