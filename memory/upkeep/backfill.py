"""Fills the vectors that are missing: of messages, after the reply, and of memories."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from memory.counters import Counters
from memory.embedders.protocol import Embedder, Embedding
from memory.errors import KeepsakeError
from memory.first_person import as_first_person
from memory.secrets import redact
from memory.store.vectors.embeddings import Embeddings, Noun, Waiting
from memory.upkeep.refusals import embed_apart

BATCH = 64
BATCH_TIMEOUT = 60.0
NOUNS: tuple[Noun, ...] = ("items", "messages")
_log = structlog.get_logger(__name__)


class Backfill:
    def __init__(
        self, embeddings: Embeddings, embedder: Embedder, counters: Counters | None = None
    ) -> None:
        self._embeddings = embeddings
        self._embedder = embedder
        self._counters = counters or Counters()

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

    async def _fill(self, noun: Noun, user_id: str | None) -> int:
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
        self, noun: Noun, user_id: str | None, rows: Sequence[Waiting]
    ) -> tuple[int, int]:
        """How many of them have a vector now, and how many were set aside."""
        model = self._embedder.model  # before the call, see CurrentEmbedder
        vectors = await self._embed(await asyncio.to_thread(embedded_texts, noun, rows))
        made = zip(rows, vectors, strict=True)
        taken = {row: vector for row, vector in made if vector is not None}
        refused = [row for row in rows if row not in taken]
        waits = await self._embeddings.write(noun, user_id, list(taken), [*taken.values()], model)
        for waited in waits:
            self._counters.embedding_wait.observe(waited)
        return len(waits), await self._set_aside(noun, user_id, refused, model)

    async def _set_aside(
        self, noun: Noun, user_id: str | None, rows: Sequence[Waiting], model: str
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
            return await embed_apart(self._try, texts)
        except Exception:
            self._counters.embedding_failures.inc()
            raise

    async def _try(self, texts: Sequence[str]) -> list[Embedding]:
        async with asyncio.timeout(BATCH_TIMEOUT):
            return await self._embedder.embed_texts(texts)


def embedded_texts(noun: Noun, rows: Sequence[Waiting]) -> list[str]:
    """What is embedded of them. Where the user has messages stored with their secrets, no vector is
    made of a secret all the same."""
    made = as_first_person if noun == "items" else redact
    return [made(row.content) for row in rows]
