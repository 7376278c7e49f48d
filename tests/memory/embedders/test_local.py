from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.embeddings.local import BATCH_CHARACTERS, BATCH_TEXTS, LocalEmbedder, batches
from memory.embeddings.protocol import Embedding
from memory.errors import EmbeddingUnavailable, ModelFileChanged


class FakeModel:
    """Notes the runs it was asked for; each waits until it is let go, or a query alone does not."""

    def __init__(self) -> None:
        self.lets_queries_pass = False
        self.at_once = 0
        self.most_at_once = 0
        self.runs: list[int] = []
        self.threads: set[threading.Thread] = set()
        self.started = threading.Event()
        self.go_on = threading.Event()

    def embed(self, texts: Sequence[str]) -> Embedding:
        self.threads.add(threading.current_thread())
        self.runs.append(len(texts))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.started.set()
        if len(texts) > 1 or not self.lets_queries_pass:
            self.go_on.wait(timeout=60)
        self.at_once -= 1
        return np.array([[1.0, len(_said(text))] for text in texts], dtype=np.float32)


def _said(text: str) -> str:
    return text.partition(": ")[2]


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


@pytest.fixture
async def embedder(model: FakeModel) -> AsyncIterator[LocalEmbedder]:
    made = LocalEmbedder(load=lambda: model)
    yield made
    model.go_on.set()
    await made.aclose()


async def test_a_query_waits_for_no_batch(embedder: LocalEmbedder, model: FakeModel) -> None:
    texts = asyncio.create_task(embedder.embed_texts(["text"] * 3 * BATCH_TEXTS))
    assert await asyncio.to_thread(model.started.wait, 10)
    model.lets_queries_pass = True
    await embedder.embed_query("query")
    assert model.runs == [BATCH_TEXTS, 1]
    model.go_on.set()
    await texts
    assert model.runs == [BATCH_TEXTS, 1, BATCH_TEXTS, BATCH_TEXTS]


async def test_two_bulk_callers_take_turns(embedder: LocalEmbedder, model: FakeModel) -> None:
    bulk = [asyncio.create_task(embedder.embed_texts(["text"] * BATCH_TEXTS)) for _ in range(3)]
    assert await asyncio.to_thread(model.started.wait, 10)
    assert model.runs == [BATCH_TEXTS]
    model.go_on.set()
    await asyncio.gather(*bulk)
    assert model.most_at_once == 1


async def test_vectors_come_in_the_order_of_the_texts(
    embedder: LocalEmbedder, model: FakeModel
) -> None:
    model.go_on.set()
    texts = ["x" * (37 * number % 101) + "." for number in range(100)]
    embedded = await embedder.embed_texts(texts)
    assert [int(vector[1]) for vector in embedded] == [len(text) for text in texts]
    assert await embedder.embed_texts([]) == []


async def test_the_model_is_loaded_once_and_never_on_the_loops_thread() -> None:
    model = FakeModel()
    model.go_on.set()
    loads: list[threading.Thread] = []

    def load() -> FakeModel:
        loads.append(threading.current_thread())
        return model

    embedder = LocalEmbedder(load=load)
    assert loads == []
    await asyncio.gather(*(embedder.embed_query(f"{number}") for number in range(10)))
    await embedder.aclose()
    assert len(loads) == 1
    assert model.threads == set(loads)
    assert threading.current_thread() not in loads


async def test_a_failed_load_is_said_and_tried_again(model: FakeModel) -> None:
    model.go_on.set()
    loads: Iterator[Exception | FakeModel] = iter(
        [OSError("no memory"), ModelFileChanged(name="model.onnx"), model]
    )

    def load() -> FakeModel:
        loaded = next(loads)
        if isinstance(loaded, Exception):
            raise loaded
        return loaded

    embedder = LocalEmbedder(load=load)
    with pytest.raises(EmbeddingUnavailable, match="OSError"):
        await embedder.embed_query("a")
    with pytest.raises(ModelFileChanged):
        await embedder.embed_query("a")
    assert (await embedder.embed_query("a"))[0] == 1.0
    await embedder.aclose()


async def test_a_cancelled_query_leaves_the_embedder_usable(
    embedder: LocalEmbedder, model: FakeModel
) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await embedder.embed_query("slow")
    model.go_on.set()
    assert (await embedder.embed_query("four"))[1] == 4


async def test_closed_it_says_so_and_leaves_no_thread(model: FakeModel) -> None:
    model.go_on.set()
    embedder = LocalEmbedder(load=lambda: model)
    await embedder.embed_query("a")
    await embedder.aclose()
    await embedder.aclose()
    assert not any(thread.is_alive() for thread in model.threads)
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed_query("a")
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed_texts(["a"])


@given(st.lists(st.text(max_size=300), max_size=80))
def test_batches_hold_every_text_in_order_within_their_bounds(texts: list[str]) -> None:
    made = list(batches(texts))
    assert [text for batch in made for text in batch] == texts
    for batch in made:
        assert len(batch) <= BATCH_TEXTS
        assert len(batch) == 1 or sum(map(len, batch)) <= BATCH_CHARACTERS
