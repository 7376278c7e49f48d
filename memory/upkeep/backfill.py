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
from memory.store.embeddings import Embeddings, Noun, Waiting

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
        """Stops too where a batch filled nothing: another process is at the same rows, or
        somebody is changing them."""
        filled = 0
        while rows := await self._embeddings.waiting(noun, user_id, BATCH):
            model = self._embedder.model  # before the call, see CurrentEmbedder
            vectors = await self._embed(noun, rows)
            waits = await self._embeddings.write(noun, user_id, rows, vectors, model)
            for waited in waits:
                self._counters.embedding_wait.observe(waited)
            filled += len(waits)
            if len(rows) < BATCH or not waits:
                break
        return filled

    async def _embed(self, noun: Noun, rows: Sequence[Waiting]) -> list[Embedding]:
        texts = await asyncio.to_thread(embedded_texts, noun, rows)
        try:
            async with asyncio.timeout(BATCH_TIMEOUT):
                return await self._embedder.embed_texts(texts)
        except Exception:
            self._counters.embedding_failures.inc()
            raise


def embedded_texts(noun: Noun, rows: Sequence[Waiting]) -> list[str]:
    """What is embedded of them. Where the user has messages stored with their secrets, no vector is
    made of a secret all the same."""
    made = as_first_person if noun == "items" else redact
    return [made(row.content) for row in rows]
