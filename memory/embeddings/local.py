"""The embedder that needs no key and no network: all-MiniLM-L6-v2 on two threads of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from memory.embeddings.minilm import load_minilm
from memory.embeddings.protocol import Embedding, cut_query, embeddable
from memory.errors import EmbeddingUnavailable, KeepsakeError

# A batch of one model run, about 60 ms.
BATCH_TEXTS = 16
BATCH_TOKENS = 256
TOKENISE_TEXTS = 64

Answer = TypeVar("Answer")


class TextModel(Protocol):
    """Blocking calls, made from two threads."""

    def tokenise(self, texts: Sequence[str]) -> list[list[int]]: ...

    def embed(self, batch: Sequence[list[int]]) -> Embedding: ...


class LocalEmbedder:
    """all-MiniLM-L6-v2, loaded at first use or by `preload`; text beyond 256 tokens has no
    part in a vector.

    Load and inference run beside the event loop: queries on one thread, so that who asks waits
    for no batch, and batches on another, one at a time, whose callers take turns.
    Raises ModelFileChanged where the model's files are not the pinned ones.
    """

    model = "all-MiniLM-L6-v2-int8"
    dimensions = 384

    def __init__(self, load: Callable[[], TextModel] | None = None) -> None:
        self._load = load or load_minilm
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
        query = embeddable(cut_query(text, self.model))
        embedded: Embedding = await self._on(self._queries, lambda model: _embed_one(model, query))
        return embedded

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        token_ids = await self._tokenise([embeddable(text) for text in texts])
        embedded: dict[int, Embedding] = {}
        for batch in batch_by_length([len(ids) for ids in token_ids]):
            rows = await self._in_turn(_embed_batch([token_ids[index] for index in batch]))
            embedded.update(zip(batch, rows, strict=True))
        return [embedded[index] for index in range(len(texts))]

    async def aclose(self) -> None:
        self._closed = True
        await asyncio.to_thread(self._queries.shutdown)
        await asyncio.to_thread(self._batches.shutdown)

    async def _tokenise(self, texts: list[str]) -> list[list[int]]:
        token_ids: list[list[int]] = []
        for start in range(0, len(texts), TOKENISE_TEXTS):
            some = texts[start : start + TOKENISE_TEXTS]
            token_ids += await self._in_turn(_tokenise(some))
        return token_ids

    async def _in_turn(self, work: Callable[[TextModel], Answer]) -> Answer:
        async with self._turn:
            return await self._on(self._batches, work)

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


def batch_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of texts in batches for one run each, shortest texts first.

    A batch holds at most 16 texts and, padded to its longest, 256 tokens, or one text.
    Sorting keeps padding small; the bound on tokens keeps a run short.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: lengths[index]):
        full = len(batch) == BATCH_TEXTS or (len(batch) + 1) * lengths[index] > BATCH_TOKENS
        if batch and full:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _tokenise(texts: list[str]) -> Callable[[TextModel], list[list[int]]]:
    return lambda model: model.tokenise(texts)


def _embed_batch(batch: list[list[int]]) -> Callable[[TextModel], list[Embedding]]:
    return lambda model: list(model.embed(batch))


def _embed_one(model: TextModel, text: str) -> Embedding:
    embedded: Embedding = model.embed(model.tokenise([text]))[0]
    return embedded
