"""Fills the vectors that are missing: of messages, after the reply, and of memories."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import structlog

from memory.embedders.protocol import Embedder
from memory.errors import KeepsakeError
from memory.first_person import as_first_person
from memory.secrets import redact
from memory.store.embeddings import Embeddings, Noun, Waiting

BATCH = 64
BATCH_TIMEOUT = 60.0
_log = structlog.get_logger(__name__)


class Backfill:
    def __init__(self, embeddings: Embeddings, embedder: Embedder) -> None:
        self._embeddings = embeddings
        self._embedder = embedder

    async def run(self, user_id: str | None) -> int:
        """Embeds what waits, of one user or (as the worker) of all; the number of rows embedded.

        Memories stop at their first failure, and so do messages: the rest waits for the next
        run.
        """
        filled = 0
        for noun in ("items", "messages"):
            try:
                filled += await self._fill(noun, user_id)
            except (KeepsakeError, TimeoutError) as error:
                _log.warning("backfill_stopped", noun=noun, reason=str(error) or "timeout")
        return filled

    async def _fill(self, noun: Noun, user_id: str | None) -> int:
        filled = 0
        while rows := await self._embeddings.waiting(noun, user_id, BATCH):
            texts = await asyncio.to_thread(_texts, noun, rows)
            async with asyncio.timeout(BATCH_TIMEOUT):
                vectors = await self._embedder.embed_texts(texts)
            await self._embeddings.write(noun, user_id, rows, vectors, self._embedder.model)
            filled += len(rows)
            if len(rows) < BATCH:
                break
        return filled


def _texts(noun: Noun, rows: Sequence[Waiting]) -> list[str]:
    """What is embedded of them. Where the user has messages stored with their secrets, no vector is
    made of a secret all the same."""
    made = as_first_person if noun == "items" else redact
    return [made(row.content) for row in rows]
