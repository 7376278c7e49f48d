from __future__ import annotations

from memory.database import Database
from memory.models import NewItem
from memory.store.memories.items import EmbeddedItem, Items
from memory.store.upkeep.relearning import Marked, Relearnable
from memory.upkeep.relearning import BATCH, Relearning
from tests.memory.write.test_remember import keep


def bare(content: str) -> EmbeddedItem:
    return EmbeddedItem(NewItem(content=content), None, None)


async def test_an_old_memory_is_found_by_its_words_afterwards(
    database: Database, user_id: str
) -> None:
    old = await Items(database).save(user_id, bare("I live in Oslo"))
    other = await Items(database).save(f"{user_id}-other", bare("I live in Oslo"))
    relearning = Relearning(Relearnable(database))
    assert await relearning.run(user_id) == 1
    assert await relearning.run(user_id) == 0
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT salience, simhash FROM memory_items")
    assert row is not None
    assert row["simhash"] is not None
    assert row["salience"] > 0
    again = await keep(database, user_id, "i live in Oslo!")
    assert (again.kind, again.item.id) == ("repeated", old.id)
    [left] = await Relearnable(database).unmarked(f"{user_id}-other", 9)
    assert left.id == other.id


async def test_more_than_a_batch(database: Database, user_id: str) -> None:
    await Items(database).save_all(user_id, [bare(f"memory {n}") for n in range(BATCH + 1)])
    assert await Relearning(Relearnable(database)).run(user_id) == BATCH + 1


async def test_what_was_reworded_meanwhile_is_left(database: Database, user_id: str) -> None:
    kept = await Items(database).save(user_id, bare("new words"))
    relearnable = Relearnable(database)
    await relearnable.mark(user_id, [Marked(kept.id, "old words", 7, 0.1)])
    [left] = await relearnable.unmarked(user_id, 9)
    assert left.content == "new words"
