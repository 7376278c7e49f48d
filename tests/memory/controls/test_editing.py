"""New words for a memory: refused as a new memory would be, and the old ones kept."""

from __future__ import annotations

import pytest

from memory.actions.entries import KNOWN_ALREADY, MemoryChanges
from memory.errors import InvalidInput, MemoryOff, RecentlyForgotten, SecretRefused
from memory.fingerprints import simhash64
from memory.ingestion.classification import salience_of
from memory.ingestion.metadata import extract_metadata
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import retag
from memory.store.conflicts import ConflictStore
from memory.store.search import MemorySearch, SearchScope
from memory.store.spaces import SpaceSettingsStore
from memory.types import MemoryMode
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept
from tests.memory.fakes import BrokenEmbedder, nothing_stays, vector_of

OSLO, BERGEN = "User lives in Oslo", "User lives in Bergen"
ROWS = "SELECT count(*) FROM memory_items"


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_new_words_are_refused_unless_memory_is_on_and_nothing_else_is(
    controls: Controls, kept: Kept, user_id: str, mode: MemoryMode
) -> None:
    item = await kept.item(user_id, OSLO)
    gone = await kept.item(user_id, "User likes tea")
    await SpaceSettingsStore(controls.database).change(user_id, "default", ORIGIN, memory_mode=mode)
    with pytest.raises(MemoryOff):
        await controls.entries.edit(user_id, item, MemoryChanges(content=BERGEN), ORIGIN)
    assert (
        await controls.entries.edit(user_id, item, MemoryChanges(bank="Work"), ORIGIN)
    ).bank == "Work"
    assert (await controls.entries.pin(user_id, item, ORIGIN)).content == OSLO
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW)
    assert await controls.forgetting.undo(user_id, [gone], ORIGIN) == [gone]
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW, for_good=True)
    assert await kept.value(user_id, ROWS) == 1


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_the_database_itself_refuses_new_words(
    controls: Controls, kept: Kept, user_id: str, mode: MemoryMode
) -> None:
    await kept.item(user_id, OSLO)
    await SpaceSettingsStore(controls.database).change(user_id, "default", ORIGIN, memory_mode=mode)
    with pytest.raises(MemoryOff):
        await kept.execute(user_id, "UPDATE memory_items SET content = 'x'")
    await kept.execute(user_id, "UPDATE memory_items SET pinned = true")


@pytest.mark.parametrize("again", [OSLO, "user LIVES in Oslo!", "in Oslo I live"])
async def test_what_was_just_forgotten_does_not_come_back_by_an_edit(
    controls: Controls, kept: Kept, user_id: str, again: str
) -> None:
    gone = await kept.item(user_id, OSLO)
    item = await kept.item(user_id, "User likes tea")
    await controls.forgetting.forget(user_id, [gone], ORIGIN, for_good=True)
    with pytest.raises(RecentlyForgotten):
        await controls.entries.edit(user_id, item, MemoryChanges(content=again), ORIGIN)
    assert (await controls.entries.read(user_id, item)).content == "User likes tea"


async def test_two_memories_do_not_come_to_say_the_same(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    item = await kept.item(user_id, OSLO)
    words = {"simhash": simhash64(normalise(BERGEN))}
    there = await kept.item(user_id, BERGEN, **words)
    await kept.item(other, "User likes tea")
    with pytest.raises(InvalidInput) as refusal:
        await controls.entries.edit(user_id, item, MemoryChanges(content=f"{BERGEN}."), ORIGIN)
    assert str(refusal.value) == KNOWN_ALREADY
    assert (await controls.entries.read(user_id, item)).content == OSLO
    changed = await controls.entries.edit(
        user_id, there, MemoryChanges(content="user lives in Bergen!"), ORIGIN
    )
    assert changed.id == there
    await kept.item(user_id, "User likes milk", space="work", simhash=1)
    assert (
        await controls.entries.edit(user_id, item, MemoryChanges(content="User likes milk"), ORIGIN)
    ).id == item


async def test_what_contradicts_the_new_words_is_asked_about_until_the_edit_is_taken_back(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    oslo = await kept.item(user_id, "I live in Oslo", embedding=vector_of("I live in Oslo"))
    await kept.item(user_id, "I own a kayak", embedding=vector_of("I own a kayak"))
    item = await kept.item(user_id, "I like tea")
    doubts = ConflictStore(controls.database, salience_of, nothing_stays)
    for _ in range(2):
        changes = MemoryChanges(content="I live in Bergen now")
        await controls.entries.edit(user_id, item, changes, ORIGIN)
        [doubt] = await doubts.open(user_id)
        assert (doubt.older.id, doubt.newer.id) == (oslo, item)
        assert (await controls.entries.read(user_id, oslo)).superseded_by is None
        await controls.entries.undo_edit(user_id, ORIGIN, item)
        assert await doubts.open(user_id) == []


async def test_the_old_words_stay_as_a_replaced_memory_that_can_be_brought_back(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    message, _ = await kept.message(user_id, "I live in Oslo")
    item = await kept.item(user_id, OSLO, source_message_id=message, pinned=True)
    await controls.entries.edit(user_id, item, MemoryChanges(content=BERGEN), ORIGIN)
    before = await kept.value(user_id, "SELECT id FROM memory_items WHERE superseded_by = $1", item)
    old = await controls.entries.read(user_id, before)
    assert (old.content, old.superseded_by, old.source_message_id) == (OSLO, item, message)
    assert [each.content for each in await controls.entries.all(user_id)] == [BERGEN]
    assert (
        await MemorySearch(controls.database).search_by_keyword(
            SearchScope(user_id, NOW), "Oslo", 9
        )
        == []
    )
    await ConflictStore(controls.database, salience_of, nothing_stays).undo_supersede(
        user_id, before, origin=ORIGIN
    )
    assert {each.content for each in await controls.entries.all(user_id)} == {OSLO, BERGEN}


async def test_forgetting_an_edited_memory_takes_its_old_words_along(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, OSLO)
    await controls.entries.edit(user_id, item, MemoryChanges(content=BERGEN), ORIGIN)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    assert await kept.value(user_id, ROWS) == 0


async def test_the_same_words_leave_no_trace_of_a_change(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, OSLO)
    await controls.entries.edit(
        user_id, item, MemoryChanges(content=f" {OSLO} ", bank="Work"), ORIGIN
    )
    assert await kept.value(user_id, ROWS) == 1
    assert await kept.value(user_id, "SELECT needs_embedding FROM memory_items") is False


async def test_new_words_are_found_at_once_or_at_the_next_upkeep(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, OSLO)
    await controls.entries.edit(user_id, item, MemoryChanges(content=BERGEN), ORIGIN)
    search, scope = MemorySearch(controls.database), SearchScope(user_id, NOW)
    [hit] = await search.search_by_vector(scope, vector_of("I live in Bergen"), 9)
    assert hit.cosine == pytest.approx(1, abs=1e-3)
    controls.embedder = BrokenEmbedder()
    await controls.entries.edit(user_id, item, MemoryChanges(content="User lives in Rome"), ORIGIN)
    waits = "SELECT needs_embedding AND embedding IS NULL FROM memory_items WHERE id = $1"
    assert await kept.value(user_id, waits, item)


async def test_tags_of_the_old_words_go_and_given_ones_stay(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    tags = [*extract_metadata(OSLO).tags, "home", "oslo region"]
    item = await kept.item(user_id, OSLO, tags=tags)
    changed = await controls.entries.edit(user_id, item, MemoryChanges(content=BERGEN), ORIGIN)
    assert "home" in changed.tags
    assert set(extract_metadata(BERGEN).tags) <= set(changed.tags)
    assert not any("oslo" in tag for tag in changed.tags)
    chosen = MemoryChanges(content="User lives in Rome", tags=("mine",))
    assert (await controls.entries.edit(user_id, item, chosen, ORIGIN)).tags == ("mine",)


def test_a_tag_that_both_words_give_stays() -> None:
    tags = retag(("drinks", "tea", "green"), "User likes green tea", "User likes black tea")
    assert tags[0] == "drinks"
    assert "tea" in tags
    assert "green" not in tags


async def test_what_is_only_guessed_to_be_a_secret_may_stay_where_it_was_asked_to_be_saved(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    edit = controls.entries.edit
    asked = await kept.item(user_id, "Olga's phone extension is 5512", manually_saved=True)
    heard = await kept.item(user_id, "Olga likes tea")
    longer = MemoryChanges(content="Olga's phone extension at work is 5512")
    assert (await edit(user_id, asked, longer, ORIGIN)).content == longer.content
    for item, code in ((asked, "5513"), (heard, "5512")):
        changed = MemoryChanges(content=f"Olga's phone extension is {code}")
        with pytest.raises(SecretRefused):
            await edit(user_id, item, changed, ORIGIN)
