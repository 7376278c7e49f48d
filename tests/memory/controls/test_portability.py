from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from memory.actions.forgetting.proof import TombstoneDigester
from memory.actions.portability import ExportImporter, ImportResult, Portability
from memory.errors import MemoryOff, RecentlyForgotten, SecretRefused
from memory.fingerprints import simhash64
from memory.ingestion.preparation import MemoryPreparer
from memory.store.portability import ImportStore, PortabilityStore
from memory.store.spaces import SpaceSettingsStore
from memory.types import NewMemory, Origin, SaveOutcome, StoredMemory
from memory.understanding import OfflineReader
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept
from tests.memory.exports import IMPORT, a_memory, brought, export_of, file_of, text_of


class Keeper:
    """Keeps a text once; refuses what it is told to."""

    def __init__(self, above: int = 0, **refused: Exception) -> None:
        self.items: list[NewMemory] = []
        self.trimmed: list[set[str]] = []
        self.above = above
        self._refused = refused

    async def keep_one_of_many(self, user_id: str, item: NewMemory, origin: Origin) -> SaveOutcome:
        if item.content in self._refused:
            raise self._refused[item.content]
        known = item.content in [each.content for each in self.items]
        self.items.append(item)
        return SaveOutcome("repeated" if known else "kept", _kept(item))

    async def trim_spaces(self, user_id: str, spaces: Iterable[str]) -> None:
        self.trimmed.append({*spaces})

    async def above_cap(self, user_id: str) -> int:
        return self.above


def _kept(item: NewMemory) -> StoredMemory:
    return StoredMemory(
        **{name: getattr(item, name) for name in StoredMemory.model_fields if hasattr(item, name)}
        | {"created_at": NOW},
        id=uuid4(),
        repeat_count=0,
        superseded_by=None,
        deleted_at=None,
    )


def portability(controls: Controls, keeper: Any) -> Portability:
    database = controls.database
    preparer = MemoryPreparer(controls.embedder, OfflineReader(), embedding_timeout=30)
    importing = ExportImporter(
        ImportStore(database), TombstoneDigester(controls.digester), preparer
    )
    store = PortabilityStore(database)
    return Portability(store, keeper, importing, controls.copies, controls.pairs)


async def test_an_export_holds_everything_but_vectors_and_the_forgotten(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    message, chat = await kept.message(user_id, "I live in Bergen.")
    await kept.message(other, "not mine")
    living = await kept.item(
        user_id, "User lives in Bergen", tags=["home"], source_message_id=message, pinned=True
    )
    await kept.item(user_id, "User lives in Rome", superseded_by=living)
    gone = await kept.item(user_id, "User likes liquorice")
    await kept.item(other, "not mine")
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW)
    await SpaceSettingsStore(controls.database).change(user_id, "work", ORIGIN, memory_mode="off")
    text = await text_of(portability(controls, Keeper()), user_id, ORIGIN, NOW)
    exported = json.loads(text)
    assert (exported["format"], exported["version"]) == ("keepsake-export", 1)
    assert datetime.fromisoformat(exported["exported_at"]) == NOW
    memories = {each["content"]: each for each in exported["memories"]}
    assert set(memories) == {"User lives in Bergen", "User lives in Rome"}
    assert memories["User lives in Bergen"]["tags"] == ["home"]
    assert memories["User lives in Bergen"]["pinned"]
    assert memories["User lives in Rome"]["superseded_by"] == str(living)
    [exported_chat] = exported["conversations"]
    assert exported_chat["id"] == str(chat)
    assert [each["content"] for each in exported_chat["messages"]] == ["I live in Bergen."]
    assert [each["space"] for each in exported["settings"]] == ["work"]
    assert [each["item_id"] for each in exported["forgotten"]] == [str(gone)]
    assert [each["action"] for each in exported["audit"]] == ["forgotten", "settings changed"]
    for absent in ("liquorice", "not mine", '"embedding"', '"simhash"', '"search"', '"digest"'):
        assert absent not in text
    assert (await kept.actions(user_id))[-1] == ("exported", None)


async def test_an_export_is_brought_back_and_a_second_time_adds_nothing(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    living = await kept.item(user_id, "User likes tea", tags=["drink"], pinned=True, importance=0.9)
    await kept.item(user_id, "User likes cocoa", superseded_by=living)
    await kept.item(user_id, "User lives in Bergen", occurred_at=NOW, bank="Personal")
    mine = portability(controls, Keeper(above=1))
    said = await text_of(mine, user_id)
    for owner, kept_now in ((user_id, 0), (other, 3), (other, 0)):
        imported = await brought(mine, owner, said)
        assert imported == ImportResult(kept_now, 3 - kept_now, above_cap=1, own=True)
    theirs = json.loads(await text_of(mine, other))["memories"]
    assert theirs == json.loads(said)["memories"]


async def test_what_an_import_does_not_bring_and_what_is_to_go_is_told() -> None:
    told = ImportResult(2, 1, own=True, above_cap=300).as_text()
    assert told.startswith("Imported: 2 new, 1 known already. ")
    assert "found by their words" in told
    assert "Conversations, episodes, keys and the log of an export are not imported." in told
    assert "300 are more than the cap" in told
    assert "words" not in ImportResult(0, 3, own=True).as_text()


async def test_the_cap_is_looked_at_once_however_many_lines_come_in(
    controls: Controls, user_id: str
) -> None:
    """To weigh all that a space holds for each would take the longer the more there is."""
    keeper = Keeper()
    await brought(portability(controls, keeper), user_id, "milk\ntea\nbread")
    assert keeper.trimmed == [{"default"}]


async def test_lines_that_are_there_are_known_without_a_look_at_the_rest(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    """What is asked for once more is added where it was not asked for before."""
    newer = await kept.item(user_id, "User drinks milk", simhash=simhash64("user drinks milk"))
    rows: dict[str, dict[str, object]] = {
        "User likes tea": {"manually_saved": True},
        "User likes rye bread": {},
        "User drinks cocoa": {"superseded_by": newer},
        "User owns a lamp": {"manually_saved": True, "space": "work"},
    }
    for content, fields in rows.items():
        await kept.item(user_id, content, simhash=simhash64(content.lower()), **fields)
    keeper = Keeper()
    lines = "\n".join([*rows, "User owns a kayak"])
    imported = await brought(portability(controls, keeper), user_id, lines)
    assert imported.repeated == 2
    asked = [item.content for item in keeper.items]
    assert asked == ["User likes rye bread", "User owns a lamp", "User owns a kayak"]


async def test_what_is_said_of_how_far_an_import_is(controls: Controls, user_id: str) -> None:
    told: list[tuple[int, int]] = []
    mine = portability(controls, Keeper())
    for said, steps in (("milk\ntea", [(1, 2), (2, 2)]), (export_of(a_memory()), [(1, 1)])):
        told.clear()
        found = mine.read_import(file_of(said))
        await mine.import_(user_id, found, IMPORT, lambda *step: told.append(step))
        assert told == steps


async def test_an_export_that_is_not_read_to_its_end_holds_no_connection(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    for _ in range(20):
        pieces = portability(controls, Keeper()).export(user_id)
        await anext(pieces)
        await anext(pieces)
        await pieces.aclose()
    assert await kept.actions(user_id) == []


async def test_what_is_refused_is_counted_and_the_rest_is_kept(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    keeper = Keeper(
        secret=SecretRefused(kind="password"),
        gone=RecentlyForgotten(what="this", day="Monday", until="noon"),
    )
    mine = portability(controls, keeper)
    imported = await brought(mine, user_id, "secret\ntea\ngone\nmilk")
    assert imported == ImportResult(kept=2, refused={"SecretRefused": 1, "RecentlyForgotten": 1})
    assert imported.as_text() == (
        "Imported: 2 new, 0 known already, 1 left out for a secret in it, 1 left out because you "
        "had it forgotten."
    )
    entry = await kept.value(user_id, "SELECT detail::text FROM audit_log")
    assert json.loads(entry) == {
        "kept": 2,
        "repeated": 0,
        "refused": {"SecretRefused": 1, "RecentlyForgotten": 1},
    }


async def test_what_of_a_file_was_not_taken_over_is_told(controls: Controls, user_id: str) -> None:
    rows = [
        {"text": "Likes tea", "created_at": "some day", "mood": "glad"},
        {"text": "Likes milk", "created_at": "2999-01-01", "tags": ["drink"]},
        {"title": "a chat"},
        {"text": "Likes cocoa", "expired_at": "2024-05-01"},
    ]
    imported = await brought(portability(controls, Keeper()), user_id, rows)
    assert imported.dropped == {"created_at": 2, "mood": 1}
    assert imported.as_text() == (
        "Imported: 2 new, 0 known already, 1 left out because there is no text in them, 1 left out "
        "because they hold no more where they come from. Not taken over, as it was not understood: "
        "created_at of 2, mood of 1."
    )


async def test_of_very_many_fields_the_most_frequent_are_named() -> None:
    told = ImportResult(2, dropped={f"field {number}": number for number in range(1, 31)}).as_text()
    assert "field 30 of 30, field 29 of 29" in told
    assert told.endswith("and 18 more.")
    assert "field 18 " not in told


async def test_an_import_ends_where_memory_is_off(controls: Controls, user_id: str) -> None:
    with pytest.raises(MemoryOff):
        mine = portability(controls, Keeper(tea=MemoryOff()))
        await brought(mine, user_id, "milk\ntea")
