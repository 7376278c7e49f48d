"""The real model, from the installed packages."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest

from memory.embeddings.local import LocalEmbedder
from memory.embeddings.minilm import MiniLM, load_minilm

TEXTS = [
    "The user prefers uv over pip for Python projects.",
    "Her sister's birthday is in May.",
    "He is allergic to peanuts.",
    "word " * 1_000,
    "Kurz.",
]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return load_minilm()


@pytest.fixture
async def embedder(minilm: MiniLM) -> AsyncIterator[LocalEmbedder]:
    made = LocalEmbedder(load=lambda: minilm)
    yield made
    await made.aclose()


async def test_the_nearest_text_is_the_one_that_answers(embedder: LocalEmbedder) -> None:
    rows = np.stack(await embedder.embed_texts(TEXTS))
    for query, answer in [
        ("Which package manager does the user like?", 0),
        ("When was my sister born?", 1),
        ("What food must he avoid?", 2),
    ]:
        assert int(np.argmax(rows @ await embedder.embed_query(query))) == answer


async def test_vectors_have_the_promised_shape_and_length(embedder: LocalEmbedder) -> None:
    for vector in await embedder.embed_texts([*TEXTS, "", " \n", "\0", "\ud800", "😀" * 9_000]):
        assert vector.dtype == np.float32
        assert vector.shape == (embedder.dimensions,)
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


async def test_a_text_has_one_vector_whatever_stands_beside_it(embedder: LocalEmbedder) -> None:
    together = await embedder.embed_texts(TEXTS)
    alone = [await embedder.embed_query(text) for text in TEXTS]
    for one, other in zip(together, alone, strict=True):
        assert float(one @ other) > 0.9999


def test_similarities_are_those_of_the_published_model(minilm: MiniLM) -> None:
    # all-MiniLM-L6-v2 in fp32, sbert.net/docs/sentence_transformer/usage/usage.html
    sentences = [
        "The weather is lovely today.",
        "It's so sunny outside!",
        "He drove to the stadium.",
    ]
    rows = minilm.embed(minilm.tokenise(sentences))
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    np.testing.assert_allclose(rows @ rows.T, published, atol=0.01)


def test_a_text_is_truncated_at_256_tokens_and_never_padded(minilm: MiniLM) -> None:
    assert [len(ids) for ids in minilm.tokenise(["word " * 1_000, "", "a"])] == [256, 2, 3]
