from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest
import structlog

from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import InvalidInput, MessageRefused, SecretRefused
from memory.ingestion.classification import BASE
from memory.ingestion.preparation import MemoryPreparer
from memory.types import MAX_MEMORY_CHARS, NewMemory
from memory.understanding import OfflineReader
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder, vector_of


def preparer(embedder: Embedder | None = None, timeout: float = 30.0) -> MemoryPreparer:
    return MemoryPreparer(embedder or WordEmbedder(), OfflineReader(), embedding_timeout=timeout)


async def test_a_memory_is_embedded_in_the_first_person_and_kept_as_said() -> None:
    embedder = WordEmbedder()
    new = await preparer(embedder).prepare(NewMemory(content=" User prefers\x00 uv\r\n"))
    assert new.item.content == "User prefers uv"
    assert embedder.texts == ["I prefer uv"]
    assert new.embedding is not None
    assert new.embedding.tolist() == vector_of("I prefer uv").tolist()
    assert new.embedding_model == "words"


async def test_the_message_is_the_first_source() -> None:
    said = uuid4()
    item = NewMemory(content="I prefer uv", source_message_id=said, source_ids=("mail:1",))
    assert (await preparer().prepare(item)).item.source_ids == (str(said), "mail:1")


async def importance(category: str | None, **fields: object) -> float:
    item = NewMemory.model_validate({"content": "the shed is locked"} | fields)
    return (await preparer().prepare(item, category)).item.importance


async def test_an_extractors_importance_is_where_the_weighing_begins() -> None:
    least, given = await importance("possession"), await importance("possession", importance=0.4)
    assert BASE <= least < given
    for wish in ("manually_saved", "pinned"):
        asked = await importance("possession", importance=0.4, **{wish: True})
        assert asked == pytest.approx(1 - (1 - given) / 2)


async def test_an_importance_that_is_given_alone_stays() -> None:
    assert await importance(None, importance=0.4, manually_saved=True, type="preference") == 0.4


async def test_what_is_low_signal_is_worth_less_than_the_least() -> None:
    item = NewMemory(content="it was so so", type="note")
    assert (await preparer().prepare(item)).item.importance == pytest.approx(BASE - 0.1)


@pytest.mark.parametrize(
    ("fields", "bank"),
    [
        ({}, "Relationships"),
        ({"bank": "Work"}, "Work"),
        ({"bank": "work"}, "Work"),
        ({"bank": "Attic"}, "Kept"),
        ({"content": "It is so"}, "Kept"),
    ],
)
async def test_the_bank_is_the_given_one_where_it_is_allowed_else_by_the_words(
    fields: dict[str, str], bank: str
) -> None:
    banks = MemoryPreparer(
        WordEmbedder(),
        OfflineReader(),
        embedding_timeout=30.0,
        banks=("Work", "Relationships", "Kept"),
        default_bank="Kept",
    )
    item = NewMemory.model_validate({"content": "My sister Maria lives in Oslo"} | fields)
    assert (await banks.prepare(item)).item.bank == bank
    if "bank" in fields:
        assert [new.item.bank for new in await banks.as_given([item])] == [bank]


async def test_relative_dates_are_put_into_words_that_stay_true() -> None:
    oslo = timezone(timedelta(hours=2))
    told = datetime(2026, 6, 17, 9, tzinfo=oslo)
    embedder = WordEmbedder()
    moved = NewMemory(content="I moved to Bergen last Friday", created_at=told)
    new = await preparer(embedder).prepare(moved)
    assert new.item.content == "I moved to Bergen on 12 June 2026"
    assert new.item.occurred_at == datetime(2026, 6, 12, tzinfo=oslo)
    assert embedder.texts == [new.item.content]


async def test_without_a_date_of_its_own_it_was_said_now() -> None:
    now = datetime(2026, 3, 1, 9, tzinfo=UTC)
    by_clock = MemoryPreparer(
        WordEmbedder(), OfflineReader(), embedding_timeout=30.0, clock=lambda: now
    )
    new = await by_clock.prepare(NewMemory(content="I moved to Bergen yesterday"))
    assert new.item.content == "I moved to Bergen on 28 February 2026"
    assert new.item.occurred_at == datetime(2026, 2, 28, tzinfo=UTC)


@pytest.mark.parametrize("occurred_at", [None, datetime(2026, 1, 2, tzinfo=UTC)])
async def test_what_came_with_its_date_keeps_its_words(occurred_at: datetime | None) -> None:
    item = NewMemory(content="I moved to Bergen yesterday", occurred_at=occurred_at)
    new = await preparer().prepare(item)
    assert (new.item.content, new.item.occurred_at) == (item.content, occurred_at)


async def test_the_category_is_the_type_where_there_is_none() -> None:
    prefers = NewMemory(content="the shed is locked", type="preference")
    by_type = await preparer().prepare(prefers)
    by_category = await preparer().prepare(NewMemory(content="the shed is locked"), "preference")
    assert by_type.item.importance == by_category.item.importance


@pytest.mark.parametrize("embedder", [BrokenEmbedder(), SilentEmbedder()])
async def test_without_a_vector_the_rest_is_there(embedder: Embedder) -> None:
    with structlog.testing.capture_logs() as logs:
        new = await preparer(embedder, 0.05).prepare(NewMemory(content="I live in Oslo"))
    assert (new.embedding, new.embedding_model) == (None, None)
    assert new.simhash is not None
    assert [each["event"] for each in logs] == ["kept_without_vector"]


@pytest.mark.parametrize("where", ["content", "tag"])
async def test_secrets_are_refused_wherever_they_are(where: str) -> None:
    secret = "my password is hunter2Xy"
    item = (
        NewMemory(content=secret) if where == "content" else NewMemory(content="x", tags=(secret,))
    )
    embedder = WordEmbedder()
    with pytest.raises(SecretRefused, match="password"):
        await preparer(embedder).prepare(item)
    assert embedder.texts == []


async def test_what_cannot_be_stored_is_refused() -> None:
    with pytest.raises(MessageRefused):
        await preparer().prepare(NewMemory(content="\x00"))
    # Each comes apart into two characters in the composed form.
    with pytest.raises(InvalidInput, match="8,192"):
        await preparer().prepare(NewMemory(content="\u0958" * MAX_MEMORY_CHARS))


async def test_a_long_memory_is_described_too() -> None:
    new = await preparer().prepare(NewMemory(content="The garden has an old oak tree. " * 60))
    assert set(new.item.tags) == {"oak", "tree", "garden"}


async def test_what_is_kept_as_given_gets_nothing_but_its_marks() -> None:
    item = NewMemory(content="I live in Oslo with Maria", importance=0.3, tags=("home",))
    [new] = await preparer().as_given([item])
    assert new.item == item
    assert new.metadata_confidence == 0.0
    assert new.simhash is not None
    assert new.salience > 0


class Strange(WordEmbedder):
    """Answers with what no embedder promises."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self._error = error

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        if self._error is not None:
            raise self._error
        return []


@pytest.mark.parametrize("error", [RuntimeError("I live in Oslo"), MemoryError(), None])
async def test_whatever_an_embedder_does_the_words_are_kept(error: Exception | None) -> None:
    with structlog.testing.capture_logs() as logs:
        new = await preparer(Strange(error)).prepare(NewMemory(content="I live in Oslo"))
    assert (new.item.content, new.embedding, new.embedding_model) == ("I live in Oslo", None, None)
    assert [line["event"] for line in logs] == ["kept_without_vector"]
    assert "Oslo" not in str(logs)
