from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from memory.config import LOCAL_MODEL
from memory.embeddings.cached import CachedEmbedder, content_hash
from tests.memory.embedders.fakes import DIMENSIONS, FakeEmbedder, FakeVectorBytes, vector_of


@pytest.fixture
def inner() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def kept() -> FakeVectorBytes:
    return FakeVectorBytes()


@pytest.fixture
def embedder(inner: FakeEmbedder, kept: FakeVectorBytes) -> CachedEmbedder:
    return CachedEmbedder(inner, kept)


async def test_only_misses_are_sent_each_once_and_in_one_call(
    embedder: CachedEmbedder, inner: FakeEmbedder
) -> None:
    await embedder.embed_texts(["b"])
    embedded = await embedder.embed_texts(["a", "b", "c", "a"])
    assert inner.calls == [["b"], ["a", "c"]]
    np.testing.assert_allclose(embedded, [vector_of(text) for text in "abca"])


async def test_all_kept_is_no_call(embedder: CachedEmbedder, inner: FakeEmbedder) -> None:
    await embedder.embed_texts(["a", "b"])
    await embedder.embed_texts(["b", "a"])
    await embedder.embed_texts([])
    assert len(inner.calls) == 1


async def test_queries_and_texts_share_what_is_kept(
    embedder: CachedEmbedder, inner: FakeEmbedder
) -> None:
    await embedder.embed_texts(["a"])
    np.testing.assert_array_equal(await embedder.embed_query("a"), vector_of("a"))
    assert inner.queries == []
    await embedder.embed_query("b")
    await embedder.embed_query("b")
    assert inner.queries == ["b"]


async def test_of_the_local_model_a_query_is_no_text(
    inner: FakeEmbedder, kept: FakeVectorBytes
) -> None:
    inner.model = LOCAL_MODEL
    embedder = CachedEmbedder(inner, kept)
    await embedder.embed_texts(["a"])
    await embedder.embed_query("a")
    await embedder.embed_query("a")
    assert (inner.queries, len(kept.kept)) == (["a"], 2)
    assert await embedder.forget(["a"])
    assert not kept.kept


async def test_a_long_query_is_cut_and_logged_once(
    embedder: CachedEmbedder, inner: FakeEmbedder
) -> None:
    with capture_logs() as logs:
        await embedder.embed_query("x" * 9_000)
    assert [len(query) for query in inner.queries] == [8_192]
    assert [entry["event"] for entry in logs] == ["query_cut"]


@pytest.mark.parametrize(
    "corrupt",
    [
        lambda raw: raw[:-1],
        lambda raw: raw + b"\0" * 4,
        lambda _: b"",
        lambda raw: b"\0" * len(raw),
        lambda raw: np.full(len(raw) // 4, np.nan, dtype="<f4").tobytes(),
    ],
    ids=["short", "long", "empty", "zero", "nan"],
)
async def test_corrupted_bytes_are_a_miss_and_replaced(
    corrupt: Callable[[bytes], bytes],
    embedder: CachedEmbedder,
    inner: FakeEmbedder,
    kept: FakeVectorBytes,
) -> None:
    await embedder.embed_texts(["a"])
    kept.kept = {key: corrupt(raw) for key, raw in kept.kept.items()}
    for _ in range(2):
        np.testing.assert_array_equal((await embedder.embed_texts(["a"]))[0], vector_of("a"))
    assert inner.calls == [["a"], ["a"]]


async def test_without_the_cache_everything_is_a_miss(
    embedder: CachedEmbedder, inner: FakeEmbedder, kept: FakeVectorBytes
) -> None:
    kept.away = True
    for _ in range(2):
        np.testing.assert_array_equal((await embedder.embed_texts(["a"]))[0], vector_of("a"))
        np.testing.assert_array_equal(await embedder.embed_query("a"), vector_of("a"))
    assert len(inner.calls) == len(inner.queries) == 2


async def test_a_kept_vector_is_the_callers_own(embedder: CachedEmbedder) -> None:
    await embedder.embed_texts(["a"])
    (await embedder.embed_texts(["a"]))[0][:] = 0
    np.testing.assert_array_equal((await embedder.embed_texts(["a"]))[0], vector_of("a"))


async def test_forgotten_texts_leave_the_cache(
    embedder: CachedEmbedder, kept: FakeVectorBytes
) -> None:
    await embedder.embed_texts(["a", "b"])
    assert await embedder.forget(["a", "never"]) is True
    assert list(kept.kept) == [content_hash("fake", DIMENSIONS, "b")]
    kept.away = True
    assert await embedder.forget(["b"]) is False


async def test_it_is_its_inner_embedder_to_others(
    embedder: CachedEmbedder, inner: FakeEmbedder
) -> None:
    assert (embedder.model, embedder.dimensions) == ("fake", DIMENSIONS)
    await embedder.aclose()
    assert inner.closed


keys = st.tuples(
    st.sampled_from(["m", "m1"]),
    st.sampled_from([1, 11]),
    st.sampled_from(["", "1", "\0"]),
    st.booleans(),
)
Key = tuple[str, int, str, bool]


@given(keys, keys)
def test_model_dimensions_text_and_use_each_have_a_part_in_the_hash(one: Key, other: Key) -> None:
    hashes = [content_hash(*key[:3], asks=key[3]) for key in (one, other)]
    assert (hashes[0] == hashes[1]) == (one == other)
