"""The real model."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest

from memory.embeddings.local import LocalEmbedder
from memory.understanding.sentence_encoder import PASSAGE, SentenceEncoder, load_sentence_encoder

TEXTS = [
    "The user prefers uv over pip for Python projects.",
    "Her sister's birthday is in May.",
    "He is allergic to peanuts.",
    "word " * 1_000,
    "Kurz.",
]


@pytest.fixture(scope="module")
def model() -> SentenceEncoder:
    return load_sentence_encoder()


@pytest.fixture
async def embedder(model: SentenceEncoder) -> AsyncIterator[LocalEmbedder]:
    made = LocalEmbedder(load=lambda: model)
    yield made
    await made.aclose()


async def test_the_nearest_text_is_the_one_that_answers(embedder: LocalEmbedder) -> None:
    rows = np.stack(await embedder.embed_texts(TEXTS))
    for query, answer in [
        ("Which package manager does the user like?", 0),
        ("When was my sister born?", 1),
        ("What food must he avoid?", 2),
        ("Worauf reagiert er allergisch?", 2),
        ("¿cuándo nació mi hermana?", 1),
        ("hvilken pakkebehandler liker jeg?", 0),
    ]:
        assert int(np.argmax(rows @ await embedder.embed_query(query))) == answer


async def test_vectors_have_the_promised_shape_and_length(embedder: LocalEmbedder) -> None:
    for vector in await embedder.embed_texts([*TEXTS, "", " \n", "\0", "\ud800", "😀" * 9_000]):
        assert vector.dtype == np.float32
        assert vector.shape == (embedder.dimensions,)
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


async def test_a_text_has_one_vector_whatever_stands_beside_it(embedder: LocalEmbedder) -> None:
    together = await embedder.embed_texts(TEXTS)
    alone = [row for text in TEXTS for row in await embedder.embed_texts([text])]
    for one, other in zip(together, alone, strict=True):
        assert float(one @ other) > 0.9999


def test_what_stands_beyond_256_tokens_has_no_part_in_a_vector(model: SentenceEncoder) -> None:
    short, long = model.embed([PASSAGE + "word " * 300, PASSAGE + "word " * 300 + "peanuts"])
    np.testing.assert_array_equal(short, long)


def test_what_is_in_other_letters_is_not_all_the_same(model: SentenceEncoder) -> None:
    texts = ["Меня зовут Анна", "Моя кошка спит", "我住在北京", "猫が寝ている"]
    rows = model.embed([PASSAGE + text for text in (*texts, texts[0])])
    alike = rows[:4] @ rows.T
    assert alike[0, 4] == pytest.approx(1)
    assert (alike[:, :4] - np.eye(4)).max() < 0.6
