"""What stays of a memory of which a new one changes a part."""

from __future__ import annotations

import pytest

from memory.database import Database
from memory.models import NewItem, Origin
from memory.store.forgetting.forgetting import ForgettingStore
from memory.store.memories.doubts import Doubts
from memory.understanding import OfflineReader
from memory.understanding.pieces import pieces_of
from memory.understanding.relations import relations_of
from memory.write.preparing import Preparer
from memory.write.rests import CUT_FROM, Rests, rest_of
from memory.write.salience import salience_of
from tests.memory.fakes import WordEmbedder
from tests.memory.write.test_remember import MARKER, contents, living, remember

READER = OfflineReader()
SCHOOL = "Mabel goes to Hillside Primary and she has swimming on Tuesdays"
CHANGED = "Mabel goes to St Mark's Primary now"
SWIMMING = "Mabel: and she has swimming on Tuesdays"


def rest(old: str, new: str) -> str | None:
    return rest_of(new, old, pieces_of(READER.gaps(old), CUT_FROM), relations_of)


@pytest.mark.parametrize(
    ("old", "new", "stays"),
    [
        (SCHOOL, CHANGED, SWIMMING),
        (SCHOOL, "Swimming has moved to Fridays", "Mabel goes to Hillside Primary"),
        ("I live in Oslo", "I live in Bergen now", None),
        ("Ich wohne in Halle, und mein Sohn Max spielt Handball",
         "Ich bin nach Erfurt gezogen", "Und mein Sohn Max spielt Handball"),
    ],
)  # fmt: skip
def test_what_the_new_memory_does_not_speak_of_stays(old: str, new: str, stays: str | None) -> None:
    assert rest(old, new) == stays


def test_what_is_said_of_a_thing_that_is_over_goes_with_it() -> None:
    assert rest("I drive a blue Golf, had it since 2012", "sold the golf last week") is None


async def test_the_rest_is_a_memory_and_the_whole_comes_back_in_its_place(
    database: Database, user_id: str
) -> None:
    one = remember(database)
    old = (await one.keep(user_id, NewItem(content=SCHOOL, pinned=False))).item
    await one.keep(user_id, NewItem(content=CHANGED))
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}
    kept = next(each for each in await living(database, user_id) if each.content == SWIMMING)
    assert (kept.created_at, kept.bank) == (old.created_at, old.bank)
    await doubts(database).undo_supersede(user_id, old.id, origin=Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SCHOOL}


async def test_it_stays_where_the_user_says_that_the_newer_one_holds(
    database: Database, user_id: str
) -> None:
    one = remember(database)
    await one.keep(user_id, NewItem(content=SCHOOL, manually_saved=True))
    asked = await one.keep(user_id, NewItem(content=CHANGED))
    assert asked.kind == "doubtful"
    await doubts(database).answer(user_id, asked.doubt_ids[0], holds="newer", origin=Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}


async def test_to_forget_the_rest_forgets_its_words_in_the_whole(
    database: Database, user_id: str
) -> None:
    one, store = remember(database), ForgettingStore(database, MARKER)
    old = (await one.keep(user_id, NewItem(content=SCHOOL))).item
    await one.keep(user_id, NewItem(content=CHANGED))
    kept = next(each for each in await living(database, user_id) if each.content == SWIMMING)
    forgotten = await store.forget(user_id, [kept.id], Origin(), old.created_at)
    assert set(forgotten.ids) == {kept.id, old.id}
    assert await contents(database, user_id) == [CHANGED]
    await store.undo(user_id, [kept.id], Origin())
    assert set(await contents(database, user_id)) == {CHANGED, SWIMMING}


async def test_what_is_told_again_has_no_rest_beside_it(database: Database, user_id: str) -> None:
    one = remember(database)
    await one.keep(user_id, NewItem(content=SCHOOL))
    await one.keep(user_id, NewItem(content=CHANGED))
    assert (await one.keep(user_id, NewItem(content=SCHOOL))).kind == "replaced"
    assert await contents(database, user_id) == [SCHOOL]


def doubts(database: Database) -> Doubts:
    preparer = Preparer(WordEmbedder(), READER, embedding_timeout=5.0)
    return Doubts(database, salience_of, Rests(preparer, READER.gaps).of)
