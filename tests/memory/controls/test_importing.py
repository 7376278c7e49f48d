"""An export that is brought back is what it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Sequence
from contextlib import aclosing
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.actions.forgetting.proof import TombstoneDigester
from memory.actions.import_formats import EXPORT_BATCH, ExportedMemory, KeepsakeExport, read_import
from memory.actions.portability import ExportImporter, ImportRun
from memory.fingerprints import KeyedDigester
from memory.ingestion.classification import salience_of
from memory.ingestion.preparation import MemoryPreparer
from memory.service import MemoryService
from memory.store.conflicts import ConflictStore
from memory.store.database import Database
from memory.store.portability import ImportContext, ImportRow, ImportStore, PortabilityStore
from memory.store.spaces import SpaceSettingsStore
from memory.types import NewMemory, Origin
from memory.understanding import OfflineReader
from tests.memory.controls.conftest import NOW, Kept
from tests.memory.exports import a_memory, brought, export_of, exported, file_of
from tests.memory.fakes import WordEmbedder, nothing_stays

ORIGIN = Origin("import")
EXTENSION = "Olga's phone extension is 5512"
MOMENTS = st.timedeltas(timedelta(days=-40_000), timedelta(days=300_000)).map(lambda far: NOW + far)
REMOVED = MOMENTS.map(lambda at: {"deleted_at": at, "removed_because": "trimmed"})
WORDS = st.lists(
    st.sampled_from(["tea", "Bergen", "müsli", "日本", "🚲", "\n", "it’s"]), min_size=1
)
SHARES = st.floats(0, 1)
COUNTS = st.integers(0, 10_000)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=50)


@st.composite
def memories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows as the table may hold them, some of which were replaced, again and again."""
    ids = draw(st.lists(st.uuids(version=4), max_size=7, unique=True))
    rows = [
        {
            "id": each,
            "content": f"{number} " + " ".join(draw(WORDS)).strip(),
            "type": draw(st.sampled_from(["fact", "preference", "procedure"])),
            "space": draw(st.sampled_from(["default", "wörk"])),
            "bank": draw(st.sampled_from(["General", "Work"])),
            "role": draw(st.sampled_from(["user", "assistant"])),
            "tags": draw(st.lists(NAMES, max_size=3)),
            "source_ids": draw(st.lists(NAMES, max_size=3)),
            "repeat_count": draw(COUNTS),
            "importance": draw(SHARES),
            "salience": draw(SHARES),
            "metadata_confidence": draw(SHARES),
            "pinned": draw(st.booleans()),
            "manually_saved": draw(st.booleans()),
            "slot": draw(st.none() | NAMES),
            "created_at": draw(MOMENTS),
            "occurred_at": draw(st.none() | MOMENTS),
            "valid_to": draw(st.none() | MOMENTS),
            "superseded_by": draw(st.none() | st.sampled_from(ids[:number])) if number else None,
            "summary_of": draw(st.lists(st.sampled_from(ids), max_size=2)),
            "rest_of": draw(st.none() | st.sampled_from(ids)),
            "expires_at": draw(st.none() | MOMENTS),
            "access_count": draw(COUNTS),
            "last_accessed_at": draw(st.none() | MOMENTS),
        }
        | draw(st.just({}) | REMOVED)
        for number, each in enumerate(ids)
    ]
    return draw(st.permutations(rows))


class Counted(ImportStore):
    """Notes how much it is asked for."""

    def __init__(self, database: Database, stop_after: int = 1_000) -> None:
        super().__init__(database)
        self.asked: list[int] = []
        self.marked = 0
        self._stop_after = stop_after

    async def marks(self, user_id: str, but: Collection[UUID]) -> dict[int, list[UUID]]:
        self.marked += 1
        return await super().marks(user_id, but)

    async def around(
        self, user_id: str, ids: Sequence[UUID], alike: Sequence[UUID], spaces: Sequence[str]
    ) -> ImportContext:
        self.asked.append(len(ids) + len(alike))
        return await super().around(user_id, ids, alike, spaces)

    async def add(self, user_id: str, rows: Sequence[ImportRow]) -> int:
        if not self._stop_after:
            raise asyncio.CancelledError
        self._stop_after -= 1
        return await super().add(user_id, rows)


def importing(store: ImportStore) -> ExportImporter:
    marker = TombstoneDigester(KeyedDigester(b"k" * 32))
    return ExportImporter(
        store, marker, MemoryPreparer(WordEmbedder(), OfflineReader(), embedding_timeout=30)
    )


async def bring(store: ImportStore, user_id: str, export: object) -> ImportRun:
    found = read_import(file_of(export))
    assert isinstance(found, KeepsakeExport)
    return await importing(store).run(user_id, found, ORIGIN, lambda done, of: None)


async def there(database: Database, user_id: str) -> dict[str, Any]:
    """What an export says of the user now."""
    read = PortabilityStore(database).read_all(user_id, ORIGIN)
    found: dict[str, Any] = {}
    async with aclosing(read) as parts:
        async for part, rows in parts:
            found.setdefault(part, []).extend(map(json.loads, rows))
    return found


def rows_of(export: dict[str, Any]) -> list[ExportedMemory]:
    found = [ExportedMemory.model_validate(each) for each in export["memories"]]
    return sorted(found, key=lambda each: each.id)


def contents(found: dict[str, Any]) -> set[str]:
    return {each["content"] for each in found["memories"]}


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(memories())
def test_every_kind_of_row_comes_back_as_it_was(
    own_database_url: str, rows: list[dict[str, Any]]
) -> None:
    """In a database of its own, since other tests look at plans that its rows would change."""
    export = export_of(*json.loads(json.dumps(rows, default=str)))

    async def there_and_back() -> None:
        database = await Database.open(own_database_url)
        user_id, store = f"user-{uuid4().hex}", ImportStore(database)
        try:
            assert (await bring(store, user_id, export)).kept == len(rows)
            assert rows_of(await there(database, user_id)) == rows_of(export)
            again = await bring(store, user_id, export)
            assert (again.kept, again.repeated) == (0, len(rows))
            assert rows_of(await there(database, user_id)) == rows_of(export)
        finally:
            await database.close()

    asyncio.run(there_and_back())


async def test_what_came_in_is_searched_once_it_has_its_vectors(
    database: Database, kept: Kept, user_id: str
) -> None:
    living, gone = a_memory(), a_memory("milk", deleted_at="2026-05-04T12:00:00+00:00")
    await bring(ImportStore(database), user_id, export_of(living, gone))
    waiting = "SELECT array_agg(content) FROM memory_items WHERE needs_embedding AND user_id = $1"
    assert await kept.value(user_id, waiting, user_id) == ["User likes tea"]


async def test_an_import_that_was_stopped_is_whole_and_the_same_again_brings_the_rest(
    database: Database, user_id: str
) -> None:
    """Nothing that was replaced holds in between."""
    rows = [a_memory(f"User owns kayak {number}") for number in range(EXPORT_BATCH + 10)]
    for number in range(0, EXPORT_BATCH, 3):
        rows[number]["superseded_by"] = rows[number + 1]["id"]
    rows[1]["superseded_by"] = rows[2]["id"]
    export = export_of(*rows)
    for stop_after in (0, 1, 0):
        with pytest.raises(asyncio.CancelledError):
            await bring(Counted(database, stop_after), user_id, export)
        replaced = {each["content"] for each in rows if each.get("superseded_by")}
        found = await there(database, user_id)
        living = {each["content"] for each in found["memories"] if not each["superseded_by"]}
        assert not living & replaced
    await bring(ImportStore(database), user_id, export)
    assert rows_of(await there(database, user_id)) == rows_of(export)


@pytest.mark.parametrize("before", [0, 3 * EXPORT_BATCH])
async def test_a_batch_asks_for_as_much_however_much_there_is(
    database: Database, user_id: str, before: int
) -> None:
    old = export_of(*[a_memory(f"User owns kayak {number}") for number in range(before)])
    await bring(ImportStore(database), user_id, old)
    new = export_of(*[a_memory(f"User sold lamp {number}") for number in range(2 * EXPORT_BATCH)])
    store = Counted(database)
    await bring(store, user_id, new)
    assert store.asked == [EXPORT_BATCH, EXPORT_BATCH]
    assert store.marked == 1


async def test_the_same_words_are_not_kept_twice_whatever_their_id(
    database: Database, user_id: str
) -> None:
    """What stands in their place in the file is the one that is there."""
    store = ImportStore(database)
    mine = a_memory("I prefer uv over pip", pinned=True)
    await bring(store, user_id, export_of(mine))
    same = a_memory("I prefer UV over pip ")
    older = a_memory("I prefer pip", superseded_by=same["id"])
    elsewhere = a_memory("I prefer uv over pip", space="work")
    for kept in (2, 0):
        brought = await bring(store, user_id, export_of(same, older, elsewhere))
        assert (brought.kept, brought.repeated) == (kept, 3 - kept)
    found = {each["content"]: each for each in (await there(database, user_id))["memories"]}
    assert found["I prefer pip"]["superseded_by"] == mine["id"]
    assert len(found) == 2


async def test_two_memories_of_the_file_may_say_the_same(database: Database, user_id: str) -> None:
    """Who moved back said it twice, in between something else."""
    back = a_memory("I live in Oslo")
    between = a_memory("I live in Rome", superseded_by=back["id"])
    first = a_memory("I live in Oslo", superseded_by=between["id"])
    for kept in (3, 0):
        brought = await bring(ImportStore(database), user_id, export_of(first, between, back))
        assert brought.kept == kept


async def test_an_id_that_has_other_words_here_or_a_tombstone_is_not_taken(
    database: Database, kept: Kept, user_id: str
) -> None:
    edited, forgotten = uuid4(), uuid4()
    await kept.item(user_id, "User lives in Rome", id=edited)
    await kept.execute(
        user_id,
        "INSERT INTO tombstones (user_id, item_id, digest, simhash, expires_at, erase_after,"
        " erased_at) VALUES ($1, $2, '', 0, now() - interval '1 day', now(), now())",
        user_id,
        forgotten,
    )
    rows = [a_memory("User lives in Oslo", id=str(edited)), a_memory(id=str(forgotten))]
    assert (await bring(ImportStore(database), user_id, export_of(*rows))).kept == 2
    found = {each["content"]: each["id"] for each in (await there(database, user_id))["memories"]}
    assert found["User lives in Rome"] == str(edited)
    assert str(forgotten) not in found.values()
    again = await bring(ImportStore(database), user_id, export_of(*rows))
    assert (again.kept, again.repeated) == (0, 2)


async def test_rows_of_another_user_stay_theirs(
    database: Database, kept: Kept, user_id: str, other: str
) -> None:
    """Whatever a file says of its user, its ids and its sources."""
    message, _ = await kept.message(other, "I like tea")
    item = await kept.item(other, "theirs")
    row = a_memory("mine", id=str(item), source_message_id=str(message), user_id=other)
    before = await there(database, other)
    await bring(ImportStore(database), user_id, export_of(row))
    theirs = await there(database, other)
    assert theirs["memories"] == before["memories"]
    [mine] = (await there(database, user_id))["memories"]
    assert (mine["content"], mine["id"], mine["source_message_id"]) == ("mine", str(item), None)


async def test_the_message_it_was_learned_from_is_its_source_where_it_is_here(
    database: Database, kept: Kept, user_id: str
) -> None:
    message, _ = await kept.message(user_id, "I like tea")
    row = a_memory(source_message_id=str(message))
    await bring(ImportStore(database), user_id, export_of(row))
    [found] = (await there(database, user_id))["memories"]
    assert found["source_message_id"] == str(message)


async def test_secrets_stay_out_with_all_that_they_replaced(
    database: Database, user_id: str
) -> None:
    secret = a_memory("My AWS key is AKIAIOSFODNN7EXAMPLE")
    older = a_memory("My AWS key is in the safe", superseded_by=secret["id"])
    lost = a_memory("I live in Rome", superseded_by=str(uuid4()))
    tagged = a_memory("User likes milk", tags=["AKIAIOSFODNN7EXAMPLE"])
    brought = await bring(
        ImportStore(database), user_id, export_of(secret, older, lost, tagged, a_memory())
    )
    assert (brought.kept, brought.refused) == (1, {"SecretRefused": 3, "NotFound": 1})
    assert contents(await there(database, user_id)) == {"User likes tea"}


async def test_what_is_only_guessed_to_be_a_secret_comes_back_where_it_was_asked_to_be_saved(
    database: Database, user_id: str
) -> None:
    asked = a_memory(EXTENSION, manually_saved=True)
    heard = a_memory("Jonas has the phone extension 5513")
    sure = a_memory("My AWS key is AKIAIOSFODNN7EXAMPLE", manually_saved=True)
    brought = await bring(ImportStore(database), user_id, export_of(asked, heard, sure))
    assert (brought.kept, brought.refused) == (1, {"SecretRefused": 2})
    assert contents(await there(database, user_id)) == {EXTENSION}


async def test_what_stayed_of_a_memory_goes_when_that_comes_back_under_its_new_id(
    database: Database, kept: Kept, user_id: str
) -> None:
    taken = await kept.item(user_id, "User lives in Rome")
    newer = a_memory("I drink coffee")
    whole = a_memory("I drink tea and I eat rice", id=str(taken), superseded_by=newer["id"])
    rest = a_memory("I eat rice", rest_of=str(taken))
    await bring(ImportStore(database), user_id, export_of(rest, whole, newer))
    found = {each["content"]: each for each in (await there(database, user_id))["memories"]}
    assert found["I eat rice"]["rest_of"] == found[whole["content"]]["id"] != str(taken)
    doubts = ConflictStore(database, salience_of, nothing_stays)
    await doubts.undo_supersede(user_id, UUID(found[whole["content"]]["id"]), origin=Origin())
    assert "I eat rice" not in contents(await there(database, user_id))


@pytest.mark.parametrize("said", ["User likes tea", "user likes TEA!", "User likes tea a lot"])
async def test_what_was_forgotten_lately_stays_out(
    database: Database, memory: MemoryService, user_id: str, said: str
) -> None:
    """By its words and by its meaning, and whether or not it was erased meanwhile."""
    tea = (await memory.remember(user_id, NewMemory(content="User likes tea"))).item
    export = await exported(memory.portability, user_id)
    export["memories"] += [a_memory(said), a_memory("User owns a kayak")]
    for for_good in (False, True):
        if for_good:
            await memory.forgetting.forget(user_id, [tea.id], Origin(), for_good=True)
        else:
            await memory.forgetting.forget(user_id, [tea.id], Origin())
        imported = await brought(memory.portability, user_id, export)
        assert imported.refused == {"RecentlyForgotten": 2}
        assert contents(await there(database, user_id)) == {"User owns a kayak"}
        await memory.forgetting.undo(user_id, None, Origin())


async def test_questions_and_settings_come_back_where_there_are_none(
    database: Database, user_id: str
) -> None:
    older, newer = a_memory("User lives in Oslo"), a_memory("User lives in Rome")
    doubt = {
        "id": str(uuid4()),
        "older_id": older["id"],
        "newer_id": newer["id"],
        "created_at": "2026-05-04T12:00:00+00:00",
        "answer": None,
        "answered_at": None,
    }
    lost = doubt | {"id": str(uuid4()), "older_id": str(uuid4())}
    quiet = {"space": "work", "memory_mode": "read_only", "incognito_default": True}
    loud = {"space": "home", "redact_messages": False}
    mine = {"space": "mine", "memory_mode": "off"}
    export = export_of(older, newer, doubts=[doubt, lost], settings=[quiet, loud, mine])
    modes = SpaceSettingsStore(database)
    await modes.change(user_id, "mine", Origin(), incognito_default=True)
    for _ in range(2):
        await bring(ImportStore(database), user_id, export)
        found = await there(database, user_id)
        assert [each | {"created_at": NOW} for each in found["doubts"]] == [
            doubt | {"created_at": NOW}
        ]
    assert dict(await modes.read(user_id, "work")) == {
        "memory_mode": "read_only",
        "incognito_default": True,
        "redact_messages": True,
    }
    assert (await modes.read(user_id, "home")).redact_messages
    assert (await modes.read(user_id, "mine")).memory_mode == "full"


async def test_a_space_in_which_memory_is_off_takes_nothing_and_the_others_do(
    database: Database, user_id: str
) -> None:
    await SpaceSettingsStore(database).change(user_id, "work", Origin(), memory_mode="off")
    rows = [a_memory(), a_memory("User likes milk", space="work")]
    brought = await bring(ImportStore(database), user_id, export_of(*rows))
    assert (brought.kept, brought.refused) == (1, {"MemoryOff": 1})
