"""What stays of a memory of which a new one changes a part."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from memory.embeddings.protocol import Embedding
from memory.ingestion.classification import salience_of
from memory.ingestion.preparation import MemoryPreparer
from memory.ingestion.remainders import RemainderFinder, remaining_text, text_without
from memory.store.conflicts import ConflictStore
from memory.store.database import Database
from memory.store.forgetting import ForgettingStore
from memory.store.portability import PortabilityStore
from memory.types import NewMemory, Origin, StoredMemory
from memory.understanding import OfflineReader
from memory.understanding.relations import UNRELATED
from tests.memory.fakes import BrokenEmbedder, WordEmbedder
from tests.memory.store.memories.test_doubts import SECOND_HALF_OF_ANOTHER_MODEL
from tests.memory.write.test_remember import MARKER, SURELY, actions, contents, living, remember

READER = OfflineReader()
SCHOOL = "Mabel has swimming on Tuesdays and goes to Hillside Primary"
CHANGED = "Mabel goes to St Mark's now, not Hillside Primary"
SWIMMING = "Mabel has swimming on Tuesdays"


@pytest.mark.parametrize(
    ("old", "new", "stays"),
    [
        (SCHOOL, CHANGED, SWIMMING),
        (SCHOOL, "Mabel has swimming on Fridays now",
         "Mabel has swimming and goes to Hillside Primary"),
        ("My brother Tom studies medicine in Leeds and plays the cello", "Tom studies in York now",
         "My brother Tom studies medicine and plays the cello"),
        ("My sister Nina is a vet in Leeds, has twins and comes every second Sunday",
         "Nina's practice is in York",
         "My sister Nina is a vet, has twins and comes every second Sunday"),
        ("My boss is Karin and my desk is on the third floor", "My boss is Paul now",
         "My desk is on the third floor"),
        ("My sister Maria lives in Oslo", "Maria moved to Bergen", None),
        ("I live in Oslo", "I live in Bergen now", None),
        ("I play tennis on Mondays and Thursdays", "I play tennis on Fridays now", None),
        pytest.param("Ich wohne in Halle, und mein Sohn Max spielt Handball",
                     "Ich bin nach Erfurt gezogen", "Mein Sohn Max spielt Handball",
                     marks=pytest.mark.xfail(strict=True, reason="all of it goes")),
    ],
)  # fmt: skip
def test_what_the_new_memory_does_not_speak_of_stays(old: str, new: str, stays: str | None) -> None:
    assert remains(old, new) == stays


@pytest.mark.parametrize(
    ("old", "goes", "stays"),
    [
        ("I have a cat. We rent. My boss is Ann", "We rent.", "I have a cat. My boss is Ann"),
        ("I have a cat. We rent.", "We rent", "I have a cat."),
        ("Dmitri has a bakery in Astoria, opens at five", "in Astoria",
         "Dmitri has a bakery, opens at five"),
        ("We met in 2012 (the old hall) and live in Leeds", "in 2012",
         "We met (the old hall) and live in Leeds"),
        ("We rent. I have a cat and a dog", "We rent", "I have a cat and a dog"),
    ],
)  # fmt: skip
def test_what_stays_is_put_together_as_one_text(old: str, goes: str, stays: str) -> None:
    start = old.index(goes)
    assert text_without(old, start, start + len(goes)) == stays


def test_of_letters_that_the_model_does_not_know_the_whole_goes() -> None:
    old = "Я живу в Осло и работаю в школе"
    assert remains(old, "Я живу в Бергене") is None


def test_what_is_said_of_a_thing_that_is_over_goes_with_it() -> None:
    assert remains("We have a cat, and she is called Mia", "The cat died last week") is None


async def test_the_rest_is_a_memory_and_the_whole_comes_back_in_its_place(
    database: Database, user_id: str
) -> None:
    writer = remember(database)
    old = (await writer.keep(user_id, NewMemory(content=SCHOOL, importance=0.7))).item
    outcome = await writer.keep(user_id, NewMemory(content=CHANGED))
    assert [each.id for each in outcome.older] == [old.id]
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}
    rest = await swimming(database, user_id)
    assert (rest.created_at, rest.bank, rest.importance) == (old.created_at, old.bank, 0.7)
    assert await actions(database, user_id) == ["kept", "kept", "kept", "superseded"]
    await conflicts(database).undo_supersede(user_id, old.id, origin=Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SCHOOL}


async def test_what_a_memory_tells_alone_leaves_nothing(database: Database, user_id: str) -> None:
    writer = remember(database)
    await writer.keep(user_id, NewMemory(content="I live in Oslo"))
    await writer.keep(user_id, NewMemory(content="I live in Bergen now"))
    assert await contents(database, user_id) == ["I live in Bergen now"]


async def test_a_rest_without_a_vector_waits_for_one(database: Database, user_id: str) -> None:
    await remember(database).keep(user_id, NewMemory(content=SCHOOL))
    writer = remember(database, SameForTheRest())
    await writer.keep(user_id, NewMemory(content=CHANGED))
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}
    async with database.as_user(user_id) as connection:
        waiting = await connection.fetch("SELECT content FROM memory_items WHERE needs_embedding")
    assert [row["content"] for row in waiting] == [SWIMMING]


async def test_it_stays_where_the_user_says_that_the_newer_one_holds(
    database: Database, user_id: str
) -> None:
    writer = remember(database)
    await writer.keep(user_id, NewMemory(content=SCHOOL, manually_saved=True))
    asked = await writer.keep(user_id, NewMemory(content=CHANGED))
    assert asked.kind == "doubtful"
    await conflicts(database).answer(user_id, asked.doubt_ids[0], holds="newer", origin=Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}


async def test_a_rest_whose_vector_is_of_another_model_is_kept_without_it(
    database: Database, user_id: str
) -> None:
    """Where the database was given those of a new model while the rest was looked for, although
    the new memory has no vector at all."""
    blind = BrokenEmbedder()
    await remember(database, blind).keep(user_id, NewMemory(content=SCHOOL))
    writer = remember(database, blind, remainders=SECOND_HALF_OF_ANOTHER_MODEL)
    other = SCHOOL.replace("Hillside", "Oakwood")
    outcome = await writer.keep(user_id, NewMemory(content=other), told={SCHOOL: SURELY})
    assert outcome.kind == "replaced"
    assert set(await contents(database, user_id)) == {other, "goes to Hillside Primary"}


async def test_to_forget_the_rest_forgets_its_words_in_the_whole(
    database: Database, user_id: str
) -> None:
    old, rest = await change_school(database, user_id)
    store = ForgettingStore(database, MARKER)
    forgotten = await store.forget(user_id, [rest.id], Origin(), old.created_at)
    assert set(forgotten.ids) == {rest.id, old.id}
    assert await contents(database, user_id) == [CHANGED]
    await store.undo(user_id, [rest.id], Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}


async def test_to_forget_what_took_the_place_leaves_the_rest(
    database: Database, user_id: str
) -> None:
    old, _ = await change_school(database, user_id)
    newer = next(each for each in await living(database, user_id) if each.content == CHANGED)
    store = ForgettingStore(database, MARKER)
    await store.forget(user_id, [newer.id], Origin(), old.created_at)
    assert await contents(database, user_id) == [SWIMMING]
    await store.undo(user_id, [newer.id], Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}


async def test_what_is_told_again_has_no_rest_beside_it(database: Database, user_id: str) -> None:
    moved = "Mabel goes to St Mark's School now"
    writer = remember(database)
    await writer.keep(user_id, NewMemory(content=SCHOOL))
    await writer.keep(user_id, NewMemory(content=moved))
    assert set(await contents(database, user_id)) == {moved, SWIMMING}
    back = remember(
        database,
        relate=lambda _, texts: [SURELY if each == moved else UNRELATED for each in texts],
    )
    again = await back.keep(user_id, NewMemory(content=SCHOOL))
    assert again.kind == "replaced"
    assert await contents(database, user_id) == [SCHOOL]


async def test_an_export_says_of_what_it_is_the_rest(database: Database, user_id: str) -> None:
    old, rest = await change_school(database, user_id)
    rows = []
    async for part, found in PortabilityStore(database).read_all(user_id, Origin()):
        rows += [json.loads(each) for each in found if part == "memories"]
    assert {row["id"]: row["rest_of"] for row in rows if row["rest_of"]} == {
        str(rest.id): str(old.id)
    }


def remains(old: str, new: str) -> str | None:
    return remaining_text(new, old)


def conflicts(database: Database) -> ConflictStore:
    preparer = MemoryPreparer(WordEmbedder(), READER, embedding_timeout=30.0)
    return ConflictStore(database, salience_of, RemainderFinder(preparer).find)


async def change_school(database: Database, user_id: str) -> tuple[StoredMemory, StoredMemory]:
    """The memory that was replaced, and what stayed of it."""
    writer = remember(database)
    old = (await writer.keep(user_id, NewMemory(content=SCHOOL))).item
    await writer.keep(user_id, NewMemory(content=CHANGED))
    return old, await swimming(database, user_id)


async def swimming(database: Database, user_id: str) -> StoredMemory:
    return next(each for each in await living(database, user_id) if each.content == SWIMMING)


class SameForTheRest(BrokenEmbedder):
    """Has the vector of what is told, and none of what stays."""

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        if any("swimming" in each for each in texts):
            return await super().embed_texts(texts)
        return await WordEmbedder().embed_texts(texts)
