from __future__ import annotations

from uuid import uuid4

import pytest
import structlog

from memory.embedders.protocol import Embedder
from memory.errors import InvalidInput, MessageRefused, SecretRefused
from memory.models import MAX_ITEM_CHARS, NewItem
from memory.write.importance import BASE
from memory.write.preparing import Preparer
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder, vector_of


def preparer(embedder: Embedder | None = None, timeout: float = 5.0) -> Preparer:
    return Preparer(embedder or WordEmbedder(), embedding_timeout=timeout)


async def test_a_memory_is_embedded_in_the_first_person_and_kept_as_said() -> None:
    embedder = WordEmbedder()
    new = await preparer(embedder).prepare(NewItem(content=" User prefers\x00 uv\r\n"))
    assert new.item.content == "User prefers uv"
    assert embedder.texts == ["I prefer uv"]
    assert new.embedding is not None
    assert new.embedding.tolist() == vector_of("I prefer uv").tolist()
    assert new.embedding_model == "words"


async def test_the_message_is_the_first_source() -> None:
    said = uuid4()
    item = NewItem(content="I prefer uv", source_message_id=said, source_ids=("mail:1",))
    assert (await preparer().prepare(item)).item.source_ids == (str(said), "mail:1")


async def test_a_given_importance_is_the_base_and_asking_adds() -> None:
    async def importance(**fields: object) -> float:
        item = NewItem.model_validate({"content": "the shed is locked"} | fields)
        return (await preparer().prepare(item, "possession")).item.importance

    least, given = await importance(), await importance(importance=0.4)
    assert least >= BASE
    assert given == pytest.approx(least + 0.4 - BASE)
    assert await importance(manually_saved=True) == pytest.approx(least + 0.5)
    assert await importance(pinned=True) == pytest.approx(least + 0.5)


async def test_the_category_is_the_type_where_there_is_none() -> None:
    prefers = NewItem(content="the shed is locked", type="preference")
    by_type = await preparer().prepare(prefers)
    by_category = await preparer().prepare(NewItem(content="the shed is locked"), "preference")
    assert by_type.item.importance == by_category.item.importance


@pytest.mark.parametrize("embedder", [BrokenEmbedder(), SilentEmbedder()])
async def test_without_a_vector_the_rest_is_there(embedder: Embedder) -> None:
    with structlog.testing.capture_logs() as logs:
        new = await preparer(embedder, 0.05).prepare(NewItem(content="I live in Oslo"))
    assert (new.embedding, new.embedding_model) == (None, None)
    assert (new.slots, new.simhash is None) == (("i/home",), False)
    assert [each["event"] for each in logs] == ["kept_without_vector"]


@pytest.mark.parametrize("where", ["content", "tag"])
async def test_secrets_are_refused_wherever_they_are(where: str) -> None:
    secret = "my password is hunter2Xy"
    item = NewItem(content=secret) if where == "content" else NewItem(content="x", tags=(secret,))
    embedder = WordEmbedder()
    with pytest.raises(SecretRefused, match="password"):
        await preparer(embedder).prepare(item)
    assert embedder.texts == []


async def test_what_cannot_be_stored_is_refused() -> None:
    with pytest.raises(MessageRefused):
        await preparer().prepare(NewItem(content="\x00"))
    # Each comes apart into two characters in the composed form.
    with pytest.raises(InvalidInput, match="8,192"):
        await preparer().prepare(NewItem(content="\u0958" * MAX_ITEM_CHARS))


async def test_a_long_memory_is_described_too() -> None:
    new = await preparer().prepare(NewItem(content="The garden has an old oak tree. " * 60))
    assert set(new.item.tags) == {"oak", "tree", "garden"}


async def test_what_is_kept_as_given_gets_nothing_but_its_marks() -> None:
    item = NewItem(content="I live in Oslo with Maria", importance=0.3, tags=("home",))
    [new] = await preparer().as_given([item])
    assert new.item == item
    assert (new.slots, new.metadata_confidence) == (("i/home",), 0.0)
    assert new.simhash is not None
    assert new.salience > 0
