from __future__ import annotations

from memory.maintenance.backfill import FINGERPRINT_BATCH, FingerprintBackfill
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.vectors import FingerprintedMemory, MissingFingerprintStore
from memory.types import NewMemory
from tests.memory.write.test_remember import keep


def bare(content: str) -> EmbeddedMemory:
    return EmbeddedMemory(NewMemory(content=content), None, None)


async def test_an_old_memory_is_found_by_its_words_afterwards(
    database: Database, user_id: str
) -> None:
    old = await MemoryStore(database).save(user_id, bare("I live in Oslo"))
    other = await MemoryStore(database).save(f"{user_id}-other", bare("I live in Oslo"))
    relearning = FingerprintBackfill(MissingFingerprintStore(database))
    assert await relearning.run(user_id) == 1
    assert await relearning.run(user_id) == 0
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT salience, simhash FROM memory_items")
    assert row is not None
    assert row["simhash"] is not None
    assert row["salience"] > 0
    again = await keep(database, user_id, "i live in Oslo!")
    assert (again.kind, again.item.id) == ("repeated", old.id)
    [left] = await MissingFingerprintStore(database).unmarked(f"{user_id}-other", 9)
    assert left.id == other.id


async def test_more_than_a_batch(database: Database, user_id: str) -> None:
    await MemoryStore(database).save_all(
        user_id, [bare(f"memory {n}") for n in range(FINGERPRINT_BATCH + 1)]
    )
    assert (
        await FingerprintBackfill(MissingFingerprintStore(database)).run(user_id)
        == FINGERPRINT_BATCH + 1
    )


async def test_what_was_reworded_meanwhile_is_left(database: Database, user_id: str) -> None:
    kept = await MemoryStore(database).save(user_id, bare("new words"))
    relearnable = MissingFingerprintStore(database)
    await relearnable.mark(user_id, [FingerprintedMemory(kept.id, "old words", 7, 0.1)])
    [left] = await relearnable.unmarked(user_id, 9)
    assert left.content == "new words"
