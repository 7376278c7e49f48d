from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from memory.actions.forgetting.proof import TombstoneDigester
from memory.embeddings.protocol import Embedder
from memory.errors import (
    DatabaseUnavailable,
    Incognito,
    MemoryOff,
    MessageRefused,
    RecentlyForgotten,
    SecretRefused,
)
from memory.fingerprints import KeyedDigester
from memory.ingestion.classification import salience_of
from memory.ingestion.deduplication import Relate, RelationCache
from memory.ingestion.preparation import MemoryPreparer
from memory.ingestion.remainders import RemainderFinder
from memory.ingestion.writer import MemoryWriter
from memory.metrics import MemoryMetrics
from memory.store.audit import AuditStore
from memory.store.conflicts import ConflictStore
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.store.messages import NewMessage
from memory.store.remainders import FindRemainders
from memory.types import NewMemory, Origin, SaveOutcome, StoredMemory
from memory.understanding import OfflineReader
from memory.understanding.relations import UNRELATED, relations_of
from tests.memory.fakes import BrokenEmbedder, WordEmbedder, nothing_stays, vector_of
from tests.memory.store.forgetting.test_tombstones import bury

MARKER = TombstoneDigester(KeyedDigester(b"k" * 32))
OSLO, BERGEN = "I live in Oslo", "I live in Bergen now"
SURELY = replace(UNRELATED, replaces=0.99)


def remember(
    database: Database,
    embedder: Embedder | None = None,
    counters: MemoryMetrics | None = None,
    relate: Relate = relations_of,
    remainders: FindRemainders | None = None,
) -> MemoryWriter:
    preparer = MemoryPreparer(embedder or WordEmbedder(), OfflineReader(), embedding_timeout=30.0)
    return MemoryWriter(
        database,
        preparer,
        MARKER,
        counters or MemoryMetrics(),
        RelationCache(relate=relate),
        remainders=remainders or RemainderFinder(preparer).find,
    )


async def keep(database: Database, user_id: str, content: str, **fields: Any) -> SaveOutcome:
    return await remember(database).keep(user_id, NewMemory(content=content, **fields))


async def living(database: Database, user_id: str, space: str = "default") -> list[StoredMemory]:
    return await MemoryStore(database).list_recent(user_id, space=space)


async def contents(database: Database, user_id: str, space: str = "default") -> list[str]:
    return sorted(item.content for item in await living(database, user_id, space))


async def message(database: Database, user_id: str, content: str = "hello") -> UUID:
    said, _ = await DatabaseConversations(database).add_message(
        user_id, uuid4(), NewMessage("user", content, uuid4())
    )
    return said.id


async def actions(database: Database, user_id: str) -> list[str]:
    return [entry.action for entry in reversed(await AuditStore(database).read(user_id))]


def counted(counters: MemoryMetrics, name: str, **labels: str) -> float:
    return counters.registry.get_sample_value(f"keepsake_{name}_total", labels) or 0.0


async def test_something_new_is_kept_with_what_is_known_of_it(
    database: Database, user_id: str
) -> None:
    said = await message(database, user_id)
    origin = Origin("assistant", uuid4())
    item = NewMemory(content=OSLO, tags=("home",), source_message_id=said, source_ids=("mail:1",))
    outcome = await remember(database).keep(user_id, item, origin)
    assert (outcome.kind, outcome.item.content, outcome.older) == ("kept", OSLO, ())
    assert outcome.item.tags[0] == "home"
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT * FROM memory_items")
    assert row is not None
    assert row["source_ids"] == [str(said), "mail:1"]
    assert row["simhash"] is not None
    assert row["salience"] > 0
    assert not row["needs_embedding"]
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.actor, entry.item_id) == ("kept", "assistant", outcome.item.id)
    assert entry.correlation_id == origin.correlation_id


async def test_the_same_again_is_counted_and_merged(database: Database, user_id: str) -> None:
    counters = MemoryMetrics()
    first = await keep(database, user_id, OSLO, tags=("home",), source_ids=("one",))
    said = NewMemory(content="i live in Oslo!", tags=("city",), source_ids=("two",), pinned=True)
    again = await remember(database, counters=counters).keep(user_id, said)
    assert (again.kind, again.item.id) == ("repeated", first.item.id)
    assert (again.item.content, again.item.repeat_count) == (OSLO, 1)
    assert {"home", "city"} <= set(again.item.tags)
    assert again.item.importance > first.item.importance
    assert again.item.pinned
    async with database.as_user(user_id) as connection:
        weight = await connection.fetchval("SELECT salience FROM memory_items")
    assert weight == pytest.approx(salience_of(again.item))
    assert counted(counters, "dedupe_saves") == 1
    asked = await keep(database, user_id, OSLO, manually_saved=True)
    assert asked.item.manually_saved
    assert await actions(database, user_id) == ["kept", "repeated", "repeated"]
    async with database.as_user(user_id) as connection:
        sources = await connection.fetchval("SELECT source_ids FROM memory_items")
    assert sources == ["one", "two"]


async def test_the_same_message_again_changes_nothing(database: Database, user_id: str) -> None:
    said = await message(database, user_id)
    first = await keep(database, user_id, OSLO, source_message_id=said)
    again = await keep(database, user_id, OSLO, source_message_id=said)
    assert (again.kind, again.item) == ("repeated", first.item)
    other = await keep(database, user_id, OSLO, source_message_id=await message(database, user_id))
    assert other.item.repeat_count == 1
    assert await keep(database, user_id, OSLO, source_message_id=said) == SaveOutcome(
        "repeated", other.item
    )
    assert await actions(database, user_id) == ["kept", "repeated"]


async def test_a_message_that_was_deleted_is_no_source(database: Database, user_id: str) -> None:
    said = await message(database, user_id)
    async with database.as_user(user_id) as connection:
        await connection.execute("DELETE FROM messages WHERE id = $1", said)
    first = await keep(database, user_id, OSLO, source_message_id=said)
    assert (first.kind, await contents(database, user_id)) == ("kept", [OSLO])
    async with database.as_user(user_id) as connection:
        source = await connection.fetchval("SELECT source_message_id FROM memory_items")
    assert source is None
    again = await keep(database, user_id, OSLO, source_message_id=said)
    assert (again.kind, again.item) == ("repeated", first.item)


async def test_it_says_how_many_memories_the_space_holds(database: Database, user_id: str) -> None:
    await keep(database, user_id, "My dog is called Rex", space="work")
    assert (await keep(database, user_id, OSLO)).held == 1
    assert (await keep(database, user_id, "My bicycle is green")).held == 2
    assert (await keep(database, user_id, BERGEN)).held == 2
    assert (await keep(database, user_id, BERGEN)).held is None


async def test_asking_outright_counts_although_the_message_was_learned_from(
    database: Database, user_id: str
) -> None:
    said = await message(database, user_id)
    learned = await keep(database, user_id, OSLO, source_message_id=said)
    asked = await keep(database, user_id, OSLO, source_message_id=said, manually_saved=True)
    assert asked.item.manually_saved
    assert asked.item.repeat_count == 0
    assert asked.item.importance == learned.item.importance


async def test_an_update_takes_the_older_one_out(database: Database, user_id: str) -> None:
    counters = MemoryMetrics()
    old = (await keep(database, user_id, OSLO)).item
    outcome = await remember(database, counters=counters).keep(user_id, NewMemory(content=BERGEN))
    assert outcome.kind == "replaced"
    assert [each.id for each in outcome.older] == [old.id]
    assert outcome.older[0].superseded_by == outcome.item.id
    assert await contents(database, user_id) == [BERGEN]
    assert counted(counters, "supersedes") == 1
    assert await actions(database, user_id) == ["kept", "kept", "superseded"]


async def test_a_replaced_message_learned_from_again_changes_nothing(
    database: Database, user_id: str
) -> None:
    said = [await message(database, user_id), await message(database, user_id)]
    for _ in range(2):
        await keep(database, user_id, OSLO, source_message_id=said[0])
        await keep(database, user_id, BERGEN, source_message_id=said[1])
        [item] = await living(database, user_id)
        assert (item.content, item.repeat_count) == (BERGEN, 0)


async def test_what_holds_again_is_revived(database: Database, user_id: str) -> None:
    writer = remember(database, relate=lambda _, older: [SURELY] * len(older))
    old = (await writer.keep(user_id, NewMemory(content=OSLO))).item
    newer = (await writer.keep(user_id, NewMemory(content=BERGEN))).item
    back = await writer.keep(user_id, NewMemory(content=OSLO))
    assert (back.kind, back.item.id, back.item.superseded_by) == ("replaced", old.id, None)
    assert [(each.id, each.superseded_by) for each in back.older] == [(newer.id, old.id)]
    assert await contents(database, user_id) == [OSLO]
    assert (await actions(database, user_id))[-2:] == ["revived", "superseded"]


async def test_what_replaces_a_memory_matters_as_much_and_was_not_asked_for(
    database: Database, user_id: str
) -> None:
    old = (await keep(database, user_id, OSLO, importance=0.9)).item
    outcome = await keep(database, user_id, BERGEN)
    assert outcome.kind == "replaced"
    assert not outcome.item.manually_saved
    assert outcome.item.importance >= old.importance


async def test_a_pinned_memory_is_only_replaced_by_the_users_answer(
    database: Database, user_id: str
) -> None:
    old = (await keep(database, user_id, OSLO, pinned=True, manually_saved=True)).item
    outcome = await keep(database, user_id, BERGEN)
    assert outcome.kind == "doubtful"
    assert await contents(database, user_id) == [BERGEN, OSLO]
    answered = await ConflictStore(database, salience_of, nothing_stays).answer(
        user_id, outcome.doubt_ids[0], holds="newer", origin=Origin()
    )
    assert [each.id for each in answered.older] == [old.id]
    assert (answered.item.pinned, answered.item.manually_saved) == (True, False)
    assert await contents(database, user_id) == [BERGEN]


async def test_an_import_of_what_is_there_to_the_letter_changes_nothing(
    database: Database, user_id: str
) -> None:
    brought = NewMemory(content=OSLO, source_ids=("mail:1",), importance=0.4)
    imported = Origin("import")
    one = remember(database)
    first = await one.keep(user_id, brought, imported)
    before = await actions(database, user_id)
    assert await one.keep(user_id, brought, imported) == SaveOutcome("repeated", first.item)
    assert await actions(database, user_id) == before
    from_elsewhere = brought.model_copy(update={"source_ids": ("mail:2",)})
    assert (await one.keep(user_id, from_elsewhere, imported)).item.repeat_count == 1
    assert (await one.keep(user_id, brought)).item.repeat_count == 2
    asked = brought.model_copy(update={"manually_saved": True})
    flagged = (await one.keep(user_id, asked, imported)).item
    assert (flagged.manually_saved, flagged.repeat_count) == (True, 2)


async def test_an_import_brings_nothing_back_that_was_replaced(
    database: Database, user_id: str
) -> None:
    one, brought = remember(database), NewMemory(content=OSLO)
    await one.keep(user_id, brought, Origin("import"))
    await keep(database, user_id, BERGEN)
    assert (await one.keep(user_id, brought, Origin("import"))).kind == "repeated"
    assert await contents(database, user_id) == [BERGEN]


LATELY = datetime(2026, 5, 1, tzinfo=UTC)


async def test_what_is_imported_and_older_takes_nothing_out_that_was_told_since(
    database: Database, user_id: str
) -> None:
    told = (await keep(database, user_id, BERGEN)).item
    brought = NewMemory(content="I live in Oslo now", created_at=LATELY)
    outcome = await remember(database).keep(user_id, brought, Origin("import"))
    assert outcome.kind == "doubtful"
    [doubt] = await ConflictStore(database, salience_of, nothing_stays).open(user_id)
    assert (doubt.older.id, doubt.newer.id) == (outcome.item.id, told.id)


async def test_what_is_imported_and_newer_is_judged_as_what_is_told(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, OSLO, created_at=LATELY)
    brought = NewMemory(content=BERGEN, created_at=LATELY + timedelta(days=1))
    outcome = await remember(database).keep(user_id, brought, Origin("import"))
    assert [each.content for each in outcome.older] == [OSLO]
    assert await contents(database, user_id) == [BERGEN]


async def test_what_is_imported_and_older_than_its_replacement_is_not_revived(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, OSLO)
    await keep(database, user_id, BERGEN)
    brought = NewMemory(content=f"{OSLO}!", created_at=LATELY)
    outcome = await remember(database).keep(user_id, brought, Origin("import"))
    assert outcome.kind == "repeated"
    assert await contents(database, user_id) == [BERGEN]


async def test_a_replacement_is_undone(database: Database, user_id: str) -> None:
    old = (await keep(database, user_id, OSLO)).item
    await keep(database, user_id, BERGEN)
    await ConflictStore(database, salience_of, nothing_stays).undo_supersede(
        user_id, old.id, origin=Origin()
    )
    assert await contents(database, user_id) == [BERGEN, OSLO]


async def test_where_it_is_doubtful_both_are_kept_and_the_user_is_asked(
    database: Database, user_id: str
) -> None:
    old = (await keep(database, user_id, "I live in Oslo", manually_saved=True)).item
    outcome = await keep(database, user_id, "I live in Bergen")
    assert outcome.kind == "doubtful"
    assert [each.id for each in outcome.older] == [old.id]
    [doubt] = await ConflictStore(database, salience_of, nothing_stays).open(user_id)
    assert outcome.doubt_ids == (doubt.id,)
    assert await contents(database, user_id) == ["I live in Bergen", "I live in Oslo"]
    assert (await actions(database, user_id))[-1] == "doubted"


async def test_users_and_spaces_are_apart(database: Database, user_id: str) -> None:
    other = f"{user_id}-other"
    await keep(database, user_id, OSLO)
    for whose, space in ((user_id, "work"), (other, "default")):
        outcome = await keep(database, whose, BERGEN, space=space)
        assert outcome.kind == "kept"
        assert (await keep(database, whose, OSLO, space=space)).kind != "repeated"
    [item] = await living(database, user_id)
    assert (item.content, item.repeat_count) == (OSLO, 0)


async def test_ten_writers_of_the_same_keep_one_and_lose_no_count(
    database: Database, user_id: str
) -> None:
    outcomes = await asyncio.gather(*(keep(database, user_id, OSLO) for _ in range(10)))
    assert sorted(each.kind for each in outcomes) == ["kept"] + ["repeated"] * 9
    [item] = await living(database, user_id)
    assert item.repeat_count == 9


async def test_ten_writers_who_contradict_each_other_leave_one(
    database: Database, user_id: str
) -> None:
    cities = ("Oslo", "Bergen", "Rome", "Lyon", "Porto", "Ghent", "Kyoto", "Lima", "Quito", "Cork")
    one = remember(database, relate=lambda _, older: [SURELY] * len(older))
    told = (NewMemory(content=f"I moved to {city}") for city in cities)
    await asyncio.gather(*(one.keep(user_id, each) for each in told))
    assert len(await living(database, user_id)) == 1


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("My sister Maria lives in Oslo", "this"),
        ("my sister Maria lives in OSLO.", "this"),
        ("Maria my sister lives in Oslo", "something much like this"),
    ],
    ids=["the same words", "a trivial edit", "a paraphrase, by its vector"],
)
async def test_what_was_forgotten_does_not_come_back_yet(
    database: Database, user_id: str, content: str, what: str
) -> None:
    gone = "My sister Maria lives in Oslo"
    stone = await bury(database, user_id, MARKER(gone, vector_of("my sister Maria lives in Oslo")))
    counters = MemoryMetrics()
    with pytest.raises(RecentlyForgotten) as refusal:
        await remember(database, counters=counters).keep(user_id, NewMemory(content=content))
    assert str(refusal.value).startswith(f"You asked me to forget {what} on ")
    assert "remember it anyway" in str(refusal.value)
    assert await living(database, user_id) == []
    assert counted(counters, "refused", reason="forgotten") == 1
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.item_id, entry.detail) == ("refused_forgotten", stone, {})


async def test_it_comes_back_when_the_user_wants_it(database: Database, user_id: str) -> None:
    await bury(database, user_id, MARKER(OSLO, vector_of(OSLO)))
    wanted = await keep(database, user_id, OSLO, despite_forgotten=True)
    assert wanted.kind == "kept"
    assert await actions(database, user_id) == ["kept", "tombstone_lifted"]
    assert (await keep(database, user_id, OSLO)).kind == "repeated"


async def test_a_secret_is_refused_by_its_kind_and_reaches_no_embedder(
    database: Database, user_id: str
) -> None:
    embedder, counters = WordEmbedder(), MemoryMetrics()
    with pytest.raises(SecretRefused, match="card number"):
        await remember(database, embedder, counters).keep(
            user_id, NewMemory(content="My card is 4111 1111 1111 1111")
        )
    assert embedder.texts == []
    assert await living(database, user_id) == []
    assert counted(counters, "refused", reason="secret") == 1
    [entry] = await AuditStore(database).read(user_id)
    assert (entry.action, entry.detail) == ("refused_secret", {"kind": "card number"})


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_where_memory_is_off_the_database_refuses(
    database: Database, user_id: str, mode: str
) -> None:
    await keep(database, user_id, OSLO)
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO memory_settings (user_id, space, memory_mode) VALUES ($1, 'default', $2)",
            user_id,
            mode,
        )
    for content in (OSLO, BERGEN):
        with pytest.raises(MemoryOff):
            await keep(database, user_id, content)
    [item] = await living(database, user_id)
    assert (item.content, item.repeat_count) == (OSLO, 0)
    assert (await keep(database, user_id, BERGEN, space="work")).kind == "kept"


async def test_incognito_writes_nothing(database: Database, user_id: str) -> None:
    await keep(database, user_id, OSLO)
    for access in ("read", "none"):
        for content in (OSLO, BERGEN):
            with pytest.raises(Incognito):
                await keep(database.with_access(access), user_id, content)
    [item] = await living(database, user_id)
    assert (item.content, item.repeat_count) == (OSLO, 0)
    assert await actions(database, user_id) == ["kept"]


async def test_without_vectors_repeats_are_found_and_nothing_is_replaced(
    database: Database, user_id: str
) -> None:
    blind = remember(database, BrokenEmbedder())
    await blind.keep(user_id, NewMemory(content=OSLO))
    assert (await blind.keep(user_id, NewMemory(content="i live in  Oslo."))).kind == "repeated"
    assert (await blind.keep(user_id, NewMemory(content=BERGEN))).kind == "kept"
    async with database.as_user(user_id) as connection:
        waiting = await connection.fetchval(
            "SELECT count(*) FROM memory_items WHERE needs_embedding"
        )
    assert waiting == 2


async def test_all_are_kept_as_they_are_or_none(database: Database, user_id: str) -> None:
    kept = await remember(database).keep_all(
        user_id, [NewMemory(content=OSLO), NewMemory(content=OSLO), NewMemory(content=BERGEN)]
    )
    assert [each.content for each in kept] == [OSLO, OSLO, BERGEN]
    assert {each.tags for each in kept} == {()}
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch("SELECT simhash FROM memory_items")
    assert None not in {row["simhash"] for row in rows}
    with pytest.raises(MessageRefused):
        await remember(database).keep_all(
            user_id, [NewMemory(content="three"), NewMemory(content="\x00")]
        )
    assert await MemoryStore(database).count(user_id) == 3
    assert await remember(database).keep_all(user_id, []) == []


@pytest.mark.usefixtures("own_database_url")
async def test_it_fails_loudly_without_a_database(database: Database, user_id: str) -> None:
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await keep(database, user_id, "tea")


@pytest.mark.parametrize(("shown", "kind"), [(OSLO, "replaced"), ("I live in Paris", "kept")])
async def test_what_was_said_of_a_memory_counts_while_its_words_are_those(
    database: Database, user_id: str, shown: str, kind: str
) -> None:
    """It may have been corrected while a model was reading."""
    one = remember(database, relate=lambda _, texts: [UNRELATED for _ in texts])
    await one.keep(user_id, NewMemory(content=OSLO))
    told = {shown: SURELY}
    outcome = await one.keep(user_id, NewMemory(content=BERGEN), told=told)
    assert outcome.kind == kind
