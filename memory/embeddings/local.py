"""The embedder that needs no key and no network, on two threads of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL
from memory.embeddings.protocol import Embedding, cut_query, embeddable
from memory.errors import EmbeddingUnavailable, KeepsakeError
from memory.understanding.sentence_encoder import PASSAGE, QUERY, load_sentence_encoder

# A batch takes some 60 ms.
BATCH_TEXTS = 8
BATCH_CHARACTERS = 800

Answer = TypeVar("Answer")


class TextModel(Protocol):
    """A blocking call, made from two threads."""

    def embed(self, texts: Sequence[str]) -> Embedding: ...


class LocalEmbedder:
    """The local model, loaded at first use or by `preload`; text beyond 256 tokens has no part in a
    vector.

    Load and inference run beside the event loop: queries on one thread, so that who asks waits
    for no batch, and batches on another, one at a time, whose callers take turns.
    """

    model = LOCAL_MODEL
    dimensions = LOCAL_DIMENSIONS

    def __init__(self, load: Callable[[], TextModel] | None = None) -> None:
        self._load = load or load_sentence_encoder
        self._loaded: TextModel | None = None
        self._loading = threading.Lock()
        self._queries = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._batches = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder-batches")
        self._turn = asyncio.Lock()
        self._closed = False

    def preload(self) -> None:
        """Loads the model behind the caller's back; a fault shows at the first query."""
        self._queries.submit(self._work, lambda _: None)

    async def embed_query(self, text: str) -> Embedding:
        query = QUERY + embeddable(cut_query(text, self.model))
        rows = await self._on(self._queries, lambda model: model.embed([query]))
        embedded: Embedding = rows[0]
        return embedded

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        embedded: list[Embedding] = []
        for batch in batches([PASSAGE + embeddable(text) for text in texts]):
            embedded.extend(await self._in_turn(batch))
        return embedded

    async def aclose(self) -> None:
        self._closed = True
        await asyncio.to_thread(self._queries.shutdown)
        await asyncio.to_thread(self._batches.shutdown)

    async def _in_turn(self, batch: list[str]) -> Embedding:
        async with self._turn:
            return await self._on(self._batches, lambda model: model.embed(batch))

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[TextModel], Answer]) -> Answer:
        if self._closed:
            raise EmbeddingUnavailable(model=self.model, reason="it was closed")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(thread, self._work, work)

    def _work(self, work: Callable[[TextModel], Answer]) -> Answer:
        try:
            return work(self._model())
        except KeepsakeError:
            raise
        # The native libraries raise classes of their own that share no other parent.
        except Exception as error:
            reason = f"it failed with {type(error).__name__}"
            raise EmbeddingUnavailable(model=self.model, reason=reason) from error

    def _model(self) -> TextModel:
        with self._loading:
            self._loaded = self._loaded or self._load()
            return self._loaded


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in their order, at most BATCH_TEXTS and BATCH_CHARACTERS at once, or one text."""
    batch: list[str] = []
    for text in texts:
        full = len(batch) == BATCH_TEXTS or sum(map(len, batch)) + len(text) > BATCH_CHARACTERS
        if batch and full:
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch
