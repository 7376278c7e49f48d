from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from memory.controls.imports import read_import
from memory.controls.portability import Imported, Portability
from memory.errors import MemoryOff, RecentlyForgotten, SecretRefused
from memory.models import KeptItem, NewItem, Origin, Outcome
from memory.store.modes import Modes
from memory.store.portability import PortabilityStore
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept

IMPORT = Origin("import")


class Keeper:
    """Keeps a text once; refuses what it is told to."""

    def __init__(self, **refused: Exception) -> None:
        self.items: list[NewItem] = []
        self._refused = refused

    async def keep(self, user_id: str, item: NewItem, origin: Origin) -> Outcome:
        if item.content in self._refused:
            raise self._refused[item.content]
        known = item.content in [each.content for each in self.items]
        self.items.append(item)
        return Outcome("repeated" if known else "kept", _kept(item))


def _kept(item: NewItem) -> KeptItem:
    return KeptItem(
        **{name: getattr(item, name) for name in KeptItem.model_fields if hasattr(item, name)}
        | {"created_at": NOW},
        id=uuid4(),
        repeat_count=0,
        superseded_by=None,
        deleted_at=None,
    )


def portability(controls: Controls, keeper: Any) -> Portability:
    store = PortabilityStore(controls.database)
    return Portability(store, keeper, controls.copies, controls.reader)


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
    await Modes(controls.database).change(user_id, "work", ORIGIN, memory_mode="off")
    exported = await portability(controls, Keeper()).export(user_id, ORIGIN, NOW)
    text = json.dumps(exported)
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


async def test_the_same_import_twice_adds_nothing(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    await kept.item(user_id, "User likes tea", tags=["drink"], pinned=True, importance=0.9)
    await kept.item(user_id, "User lives in Bergen", occurred_at=NOW, bank="Personal")
    keeper = Keeper()
    mine = portability(controls, keeper)
    items = read_import(json.dumps(await mine.export(user_id, ORIGIN)))
    assert await mine.import_(user_id, items, IMPORT) == Imported(kept=2)
    assert await mine.import_(user_id, items, IMPORT) == Imported(repeated=2)
    tea, bergen = sorted(keeper.items[:2], key=lambda item: item.content)
    assert bergen.content == "User lives in Bergen"
    assert (bergen.bank, bergen.occurred_at) == ("Personal", NOW)
    assert (tea.tags, tea.pinned, tea.importance) == (("drink",), True, 0.9)


async def test_what_is_refused_is_counted_and_the_rest_is_kept(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    keeper = Keeper(
        secret=SecretRefused(kind="password"),
        gone=RecentlyForgotten(what="this", day="Monday", until="noon"),
    )
    mine = portability(controls, keeper)
    imported = await mine.import_(user_id, mine.read_import("secret\ntea\ngone\nmilk"), IMPORT)
    assert imported == Imported(kept=2, refused={"SecretRefused": 1, "RecentlyForgotten": 1})
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


async def test_an_import_ends_where_memory_is_off(controls: Controls, user_id: str) -> None:
    with pytest.raises(MemoryOff):
        mine = portability(controls, Keeper(tea=MemoryOff()))
        await mine.import_(user_id, mine.read_import("milk\ntea"), IMPORT)
