"""Fills the vectors and fingerprints that rows lack, and sets aside texts that the model
refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import structlog

from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import EmbeddingRefused, KeepsakeError
from memory.fingerprints import simhash64
from memory.ingestion.classification import salience
from memory.ingestion.normalisation import normalise
from memory.metrics import MemoryMetrics
from memory.secrets import redact
from memory.store.vectors import (
    EmbeddedTable,
    FingerprintedMemory,
    MissingFingerprintStore,
    MissingVectorStore,
    UnembeddedRow,
    UnfingerprintedMemory,
)
from memory.text import to_first_person

# What no model has a reason to refuse: where it is refused too, the fault is not the text's.
HARMLESS_TEXT = "Hello"

EmbedTexts: TypeAlias = Callable[[Sequence[str]], Awaitable[list[Embedding]]]
"""One call of a model. Raises EmbeddingRefused where it answers, but not to these texts."""


async def embed_accepted(embed: EmbedTexts, texts: Sequence[str]) -> list[Embedding | None]:
    """A vector for each text, in their order; None for one that the model refuses by itself while
    it takes another. Texts that are refused together are halved until those stand alone, in 2 n
    calls at most. Raises what `embed` raises, EmbeddingRefused where the model takes nothing."""
    try:
        return list(await embed(texts))
    except EmbeddingRefused:
        await embed([HARMLESS_TEXT])
    return await _in_halves(embed, texts)


async def _in_halves(embed: EmbedTexts, texts: Sequence[str]) -> list[Embedding | None]:
    if len(texts) == 1:
        return [None]
    middle = len(texts) // 2
    return [*await _half(embed, texts[:middle]), *await _half(embed, texts[middle:])]


async def _half(embed: EmbedTexts, texts: Sequence[str]) -> list[Embedding | None]:
    try:
        return list(await embed(texts))
    except EmbeddingRefused:
        return await _in_halves(embed, texts)


BATCH = 64
BATCH_TIMEOUT = 60.0
NOUNS: tuple[EmbeddedTable, ...] = ("items", "messages")
_log = structlog.get_logger(__name__)


class VectorBackfill:
    """Fills the vectors that are missing: of messages, after the reply, and of memories."""

    def __init__(
        self,
        embeddings: MissingVectorStore,
        embedder: Embedder,
        counters: MemoryMetrics | None = None,
    ) -> None:
        self._embeddings = embeddings
        self._embedder = embedder
        self._counters = counters or MemoryMetrics()

    async def run(self, user_id: str | None) -> int:
        """Embeds what waits, of one user or (as the worker) of all; the number of rows embedded.

        Memories stop at their first failure, and so do messages: the rest waits for the next
        run.
        """
        filled = 0
        for noun in NOUNS:
            try:
                filled += await self._fill(noun, user_id)
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("backfill_stopped", noun=noun, reason=str(error) or "timeout")
        return filled

    async def drain(self, user_id: str) -> int:
        """The same of one user for who tries again later: where memories or messages failed, the
        first failure is raised in the end."""
        filled = 0
        failed: KeepsakeError | TimeoutError | None = None
        for noun in NOUNS:
            try:
                filled += await self._fill(noun, user_id)
            except (KeepsakeError, TimeoutError) as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return filled

    async def _fill(self, noun: EmbeddedTable, user_id: str | None) -> int:
        """Stops too where a batch came to nothing: another process is at the same rows, or
        somebody is changing them."""
        filled = 0
        while rows := await self._embeddings.waiting(noun, user_id, BATCH):
            embedded, aside = await self._fill_batch(noun, user_id, rows)
            filled += embedded
            if len(rows) < BATCH or embedded + aside == 0:
                break
        return filled

    async def _fill_batch(
        self, noun: EmbeddedTable, user_id: str | None, rows: Sequence[UnembeddedRow]
    ) -> tuple[int, int]:
        """How many of them have a vector now, and how many were set aside."""
        model = self._embedder.model  # before the call, see ActiveEmbedder
        vectors = await self._embed(await asyncio.to_thread(texts_to_embed, noun, rows))
        made = zip(rows, vectors, strict=True)
        taken = {row: vector for row, vector in made if vector is not None}
        refused = [row for row in rows if row not in taken]
        waits = await self._embeddings.write(noun, user_id, list(taken), [*taken.values()], model)
        for waited in waits:
            self._counters.embedding_wait.observe(waited)
        return len(waits), await self._set_aside(noun, user_id, refused, model)

    async def _set_aside(
        self, noun: EmbeddedTable, user_id: str | None, rows: Sequence[UnembeddedRow], model: str
    ) -> int:
        """Those that the model refuses, so that they do not hold up the others. Where another model
        followed meanwhile, that one is asked with the next run."""
        if not rows or self._embedder.model != model:
            return 0
        aside = await self._embeddings.set_aside(noun, user_id, rows, model)
        self._counters.embedding_refusals.labels(noun).inc(aside)
        for row in rows:
            _log.warning("row_set_aside", noun=noun, id=str(row.id), model=model)
        return aside

    async def _embed(self, texts: Sequence[str]) -> list[Embedding | None]:
        try:
            return await embed_accepted(self._try, texts)
        except Exception:
            self._counters.embedding_failures.inc()
            raise

    async def _try(self, texts: Sequence[str]) -> list[Embedding]:
        async with asyncio.timeout(BATCH_TIMEOUT):
            return await self._embedder.embed_texts(texts)


def texts_to_embed(noun: EmbeddedTable, rows: Sequence[UnembeddedRow]) -> list[str]:
    """What is embedded of them. Where the user has messages stored with their secrets, no vector is
    made of a secret all the same."""
    made = to_first_person if noun == "items" else redact
    return [made(row.content) for row in rows]


FINGERPRINT_BATCH = 50


class FingerprintBackfill:
    """Fills what memories lack that were kept before there were SimHashes, so that their repeats
    are found too (000: “backfill simhash values for all existing entries”)."""

    def __init__(self, relearnable: MissingFingerprintStore) -> None:
        self._relearnable = relearnable

    async def run(self, user_id: str) -> int:
        """SimHash and salience of the user's memories that have no SimHash; how many."""
        filled = 0
        while rows := await self._relearnable.unmarked(user_id, FINGERPRINT_BATCH):
            marked = await asyncio.to_thread(_all_marked, rows)
            await self._relearnable.mark(user_id, marked)
            filled += len(rows)
            if len(rows) < FINGERPRINT_BATCH:
                break
        return filled


def _all_marked(rows: Sequence[UnfingerprintedMemory]) -> list[FingerprintedMemory]:
    return [_marked(row) for row in rows]


def _marked(row: UnfingerprintedMemory) -> FingerprintedMemory:
    return FingerprintedMemory(
        id=row.id,
        content=row.content,
        simhash=simhash64(normalise(row.content)),
        salience=salience(row.content, row.type, pinned=row.pinned),
    )
