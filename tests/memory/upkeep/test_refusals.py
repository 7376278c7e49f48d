from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.embeddings.protocol import Embedding
from memory.errors import EmbeddingRefused, EmbeddingUnavailable
from memory.maintenance.backfill import embed_accepted
from tests.memory.fakes import RefusingEmbedder, vector_of


@given(st.lists(st.booleans(), min_size=1, max_size=64))
async def test_every_text_but_those_that_are_refused_has_its_own_vector(bad: list[bool]) -> None:
    texts = [f"{'refused' if each else 'word'} {number}" for number, each in enumerate(bad)]
    embedder = RefusingEmbedder()
    vectors = await embed_accepted(embedder.embed_texts, texts)
    assert [vector is None for vector in vectors] == bad
    for text, vector in zip(texts, vectors, strict=True):
        assert vector is None or (vector == vector_of(text)).all()
    assert embedder.calls <= 2 * len(texts) + 1


async def test_one_that_is_refused_among_many_is_found_in_few_calls() -> None:
    embedder = RefusingEmbedder()
    texts = [f"word {number}" for number in range(63)] + ["refused"]
    vectors = await embed_accepted(embedder.embed_texts, texts)
    assert vectors[-1] is None
    assert embedder.calls == 2 + 2 * math.log2(len(texts))


async def test_what_is_taken_at_once_is_one_call() -> None:
    embedder = RefusingEmbedder()
    assert len(await embed_accepted(embedder.embed_texts, ["one", "two"])) == 2
    assert embedder.calls == 1


async def test_a_model_that_takes_nothing_refuses_no_text() -> None:
    with pytest.raises(EmbeddingRefused):
        await embed_accepted(RefusingEmbedder(everything=True).embed_texts, ["one", "two"])


async def test_an_outage_while_it_is_looked_for_is_an_outage() -> None:
    embedder = RefusingEmbedder()

    async def embed(texts: Sequence[str]) -> list[Embedding]:
        if embedder.calls == 3:
            raise EmbeddingUnavailable(model="m", reason="its server cannot be reached")
        return await embedder.embed_texts(texts)

    with pytest.raises(EmbeddingUnavailable, match="cannot be reached"):
        await embed_accepted(embed, ["refused", "one", "two", "three"])
