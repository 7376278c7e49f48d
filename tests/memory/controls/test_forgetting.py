from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from memory.actions.forgetting.proof import TombstoneDigester
from memory.errors import NotFound
from memory.ingestion.deduplication import RelationCache
from memory.store.forgetting import REJECTION_TIME, UNDO_TIME, HistoryChoice
from memory.store.memories import MemoryFilter
from memory.store.search import MemorySearch, SearchScope
from memory.types import DEFAULT_SPACE
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept
from tests.memory.fakes import vector_of
from tests.memory.write.test_pairs import Asked

LATER = NOW + UNDO_TIME + timedelta(seconds=1)


class Away:
    """Caches whose server cannot be reached."""

    async def forget(self, texts: Sequence[str]) -> bool:
        return False

    async def drop(self, user_id: str, conversation_id: str) -> bool:
        return False


class Crashes:
    """The process ends while the cached vectors are removed."""

    async def forget(self, texts: Sequence[str]) -> bool:
        raise ConnectionAbortedError


async def contents(controls: Controls, user_id: str) -> set[str]:
    page = await controls.entries.browse(user_id, MemoryFilter(include_replaced=True))
    return {item.content for item in page.items}


async def test_what_is_forgotten_is_out_of_every_search_and_listing_at_once(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User lives in Oslo")
    stays = await kept.item(user_id, "User likes tea")
    forgotten = await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    assert forgotten.ids == (item,)
    assert forgotten.undo_until == NOW + UNDO_TIME
    assert await contents(controls, user_id) == {"User likes tea"}
    with pytest.raises(NotFound):
        await controls.entries.read(user_id, item)
    scope, search = SearchScope(user_id, LATER), MemorySearch(controls.database)
    assert await search.search_by_keyword(scope, "Oslo", 10) == []
    hits = await search.search_by_vector(scope, vector_of("I live in Oslo"), 10)
    assert [hit.id for hit in hits] == [stays]


async def test_a_tombstone_holds_digests_and_no_words(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "User lives in Oslo", space="home")
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, history="keep")
    async with kept.database.as_user(user_id) as connection:
        row = await connection.fetchrow("SELECT * FROM tombstones")
    assert row is not None
    marks = TombstoneDigester(controls.digester)("User lives in Oslo", vector_of("I live in Oslo"))
    assert (row["digest"], row["simhash"]) == (marks.text, marks.simhash)
    assert row["sketch"] is not None
    assert (row["item_id"], row["space"], row["history"]) == (item, "home", "keep")
    assert row["expires_at"] == NOW + REJECTION_TIME
    assert "oslo" not in str(dict(row)).lower()


async def test_older_versions_and_roll_ups_go_with_it(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    new = await kept.item(user_id, "User lives in Bergen")
    old = await kept.item(user_id, "User lives in Oslo", superseded_by=new)
    oldest = await kept.item(user_id, "User lives in Rome", superseded_by=old)
    beside = await kept.item(user_id, "User likes tea")
    roll_up = await kept.item(user_id, "User: Bergen, tea", summary_of=[old, beside])
    of_roll_up = await kept.item(user_id, "All of User", summary_of=[roll_up])
    await kept.execute(
        user_id, "UPDATE memory_items SET superseded_by = $1 WHERE id = $2", roll_up, beside
    )
    shown = await controls.forgetting.preview(user_id, [new])
    assert shown[0].id == new
    assert {item.id for item in shown} == {new, old, oldest, roll_up, of_roll_up}
    forgotten = await controls.forgetting.forget(user_id, [new], ORIGIN, now=NOW)
    assert set(forgotten.ids) == {new, old, oldest, roll_up, of_roll_up}
    assert await contents(controls, user_id) == {"User likes tea"}
    back = await controls.forgetting.undo(user_id, [new], ORIGIN)
    assert set(back) == {new, old, oldest, roll_up, of_roll_up}
    await controls.forgetting.forget(user_id, [new], ORIGIN, now=NOW, for_good=True)
    # What only the roll-up had taken out of recall is in it again.
    living = await controls.entries.all(user_id)
    assert [item.id for item in living] == [beside]


async def test_an_older_version_goes_alone(controls: Controls, kept: Kept, user_id: str) -> None:
    new = await kept.item(user_id, "User lives in Bergen")
    old = await kept.item(user_id, "User lives in Oslo", superseded_by=new)
    assert (await controls.forgetting.forget(user_id, [old], ORIGIN, now=NOW)).ids == (old,)
    assert await contents(controls, user_id) == {"User lives in Bergen"}


async def test_what_is_not_there_takes_nothing_with_it(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    mine = await kept.item(user_id, "User likes tea")
    theirs = await kept.item(other, "User likes tea")
    for ids in ([mine, theirs], [mine, uuid4()], []):
        with pytest.raises(NotFound):
            await controls.forgetting.preview(user_id, ids)
        with pytest.raises(NotFound):
            await controls.forgetting.forget(user_id, ids, ORIGIN, now=NOW, for_good=True)
    assert await contents(controls, user_id) == {"User likes tea"}
    assert await contents(controls, other) == {"User likes tea"}
    assert await kept.actions(user_id) == []
    await controls.forgetting.forget(user_id, [mine], ORIGIN, now=NOW)
    with pytest.raises(NotFound):
        await controls.forgetting.forget(user_id, [mine], ORIGIN, now=NOW)


async def test_undo_brings_back_the_last_forgetting_whole(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    first, second, third = [await kept.item(user_id, text) for text in ("one", "two", "three")]
    await controls.forgetting.forget(user_id, [first], ORIGIN, now=NOW)
    await controls.forgetting.forget(
        user_id, [second, third], ORIGIN, now=NOW + timedelta(minutes=1)
    )
    assert await controls.forgetting.undo(other, None, ORIGIN) == []
    assert await controls.forgetting.undo(other, [second], ORIGIN) == []
    assert set(await controls.forgetting.undo(user_id, None, ORIGIN)) == {second, third}
    assert await contents(controls, user_id) == {"two", "three"}
    assert await controls.forgetting.undo(user_id, [second], ORIGIN) == []
    assert await controls.forgetting.undo(user_id, None, ORIGIN) == [first]
    assert await kept.value(user_id, "SELECT count(*) FROM tombstones") == 0
    actions = [action for action, _ in await kept.actions(user_id)]
    assert actions == [*["forgotten"] * 3, *["unforgotten"] * 3]


async def test_what_comes_back_is_found_again(controls: Controls, kept: Kept, user_id: str) -> None:
    item = await kept.item(user_id, "User lives in Oslo")
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    await controls.forgetting.undo(user_id, None, ORIGIN)
    hits = await MemorySearch(controls.database).search_by_vector(
        SearchScope(user_id, LATER), vector_of("I live in Oslo"), 10
    )
    assert [hit.id for hit in hits] == [item]


async def test_open_doubts_are_closed_and_come_back(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    older, newer = [await kept.item(user_id, text) for text in ("Oslo", "Bergen")]
    await kept.execute(
        user_id,
        "INSERT INTO doubts (user_id, older_id, newer_id) VALUES ($1, $2, $3)",
        user_id,
        older,
        newer,
    )
    still_open = "SELECT count(*) FROM doubts WHERE answered_at IS NULL"
    await controls.forgetting.forget(user_id, [older], ORIGIN, now=NOW)
    assert await kept.value(user_id, still_open) == 0
    await controls.forgetting.undo(user_id, None, ORIGIN)
    assert await kept.value(user_id, still_open) == 1
    await controls.forgetting.forget(user_id, [newer], ORIGIN, now=NOW, for_good=True)
    assert await kept.value(user_id, "SELECT count(*) FROM doubts") == 0


async def test_it_is_erased_when_its_day_is_over_and_not_before(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    item = await kept.item(user_id, "User lives in Oslo")
    theirs = await kept.item(other, "User lives in Oslo")
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    assert await controls.forgetting.erase_due(user_id, NOW + timedelta(hours=23)) == []
    assert await controls.forgetting.erase_due(other, LATER) == []
    assert await controls.forgetting.erase_due(user_id, LATER) == [item]
    assert await kept.value(user_id, "SELECT count(*) FROM memory_items") == 0
    assert await controls.forgetting.undo(user_id, [item], ORIGIN) == []
    assert await controls.forgetting.undo(user_id, None, ORIGIN) == []
    assert await controls.forgetting.erase_due(user_id, LATER) == []
    assert (await controls.entries.read(other, theirs)).content == "User lives in Oslo"
    actions = await kept.actions(user_id)
    assert actions == [("forgotten", item), ("erased", item)]


async def test_for_good_erases_at_once_also_what_waits(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    waits, now = [await kept.item(user_id, text) for text in ("one", "two")]
    await controls.forgetting.forget(user_id, [waits], ORIGIN, now=NOW)
    forgotten = await controls.forgetting.forget(
        user_id, [waits, now], ORIGIN, now=NOW, for_good=True
    )
    assert (set(forgotten.ids), forgotten.undo_until) == ({waits, now}, None)
    assert await kept.value(user_id, "SELECT count(*) FROM memory_items") == 0
    erased = await kept.value(user_id, "SELECT count(erased_at) FROM tombstones")
    assert erased == 2


@pytest.mark.parametrize("history", ["keep", "redact", "delete"])
async def test_the_conversations_become_what_the_user_chose(
    controls: Controls, kept: Kept, user_id: str, other: str, history: HistoryChoice
) -> None:
    said = "Hello there. I live in Oslo. I like tea."
    turn = uuid4()
    message, chat = await kept.message(user_id, said, turn=turn)
    reply, _ = await kept.message(
        user_id, "Oslo is lovely! Shall we begin?", chat=chat, role="assistant", turn=turn
    )
    item = await kept.item(user_id, "User lives in Oslo", source_message_id=message)
    later, later_chat = await kept.message(user_id, "Where do I live?")
    answer, _ = await kept.message(
        user_id, "In Oslo.", chat=later_chat, role="assistant", rested_on=[item]
    )
    restated, _ = await kept.message(user_id, "As I live in Oslo, what is the weather?")
    unrelated, _ = await kept.message(user_id, "I work in Bergen. Is it far?")
    theirs, _ = await kept.message(other, said)
    await controls.forgetting.forget(
        user_id, [item], ORIGIN, now=NOW, for_good=True, history=history
    )
    touched = [message, reply, answer, restated]
    left = [await kept.content(user_id, each) for each in touched]
    assert (
        left
        == {
            "keep": [
                said,
                "Oslo is lovely! Shall we begin?",
                "In Oslo.",
                "As I live in Oslo, what is the weather?",
            ],
            "redact": [
                "Hello there. [forgotten] I like tea.",
                "[forgotten] Shall we begin?",
                "[forgotten]",
                "[forgotten]",
            ],
            "delete": [None] * 4,
        }[history]
    )
    assert await kept.content(user_id, unrelated) == "I work in Bergen. Is it far?"
    assert await kept.content(user_id, later) == "Where do I live?"
    assert await kept.content(other, theirs) == said
    titles = "SELECT title FROM conversations WHERE id = $1"
    assert (
        await kept.value(user_id, titles, chat)
        == {
            "keep": said,
            "redact": "Hello there. [forgotten] I like tea.",
            "delete": None,
        }[history]
    )
    waiting = await kept.value(
        user_id,
        "SELECT count(*) FROM messages WHERE needs_embedding AND embedding IS NULL"
        " AND embedding_model IS NULL",
    )
    assert waiting == (2 if history == "redact" else 0)  # the mark alone needs no vector


async def test_a_source_without_a_sentence_about_it_goes_whole(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    message, _ = await kept.message(user_id, "We moved up north, to that place by the fjord!")
    item = await kept.item(user_id, "User lives in Oslo", source_ids=[f"message:{message}"])
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    assert await kept.content(user_id, message) == "[forgotten]"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I live in Oslo.", "[forgotten]"),
        ("I live in Oslo. I drink tea.", "[forgotten] I drink tea."),
    ],
)
async def test_nothing_is_learned_from_what_an_erasure_left_of_a_message(
    controls: Controls, kept: Kept, user_id: str, said: str, left: str
) -> None:
    """As with what was only said; the mark alone is nothing to be found by."""
    message, _ = await kept.message(user_id, said)
    await kept.execute(user_id, "UPDATE messages SET needs_learning = true")
    item = await kept.item(user_id, "User lives in Oslo", source_message_id=message)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    assert await kept.content(user_id, message) == left
    assert not await kept.value(user_id, "SELECT needs_learning FROM messages")
    waits = await kept.value(user_id, "SELECT needs_embedding FROM messages")
    assert waits == (left != "[forgotten]")


async def test_caches_that_are_away_are_waited_for_until_they_ran_out(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    away = Controls(controls.database, controls.digester, Away(), Away())
    item = await kept.item(user_id, "User lives in Oslo")
    await away.forgetting.forget(user_id, [item], ORIGIN, now=NOW, for_good=True)
    assert await kept.value(user_id, "SELECT count(*) FROM memory_items") == 1
    assert await contents(controls, user_id) == set()
    assert await away.forgetting.erase_due(user_id, NOW + timedelta(days=6)) == []
    assert await away.forgetting.erase_due(user_id, NOW + timedelta(days=7)) == [item]
    assert await kept.value(user_id, "SELECT removed ->> 'caches_cleared' FROM tombstones") == "0"


async def test_an_erasure_that_stopped_begins_anew(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    message, _ = await kept.message(user_id, "I live in Oslo.")
    item = await kept.item(user_id, "User lives in Oslo", source_message_id=message)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    crashing = Controls(controls.database, controls.digester, Crashes(), controls.sessions)
    with pytest.raises(ConnectionAbortedError):
        await crashing.forgetting.erase_due(user_id, LATER)
    assert await kept.content(user_id, message) == "I live in Oslo."
    assert await controls.forgetting.erase_due(user_id, LATER) == [item]
    assert await kept.content(user_id, message) == "[forgotten]"
    removed = await kept.value(user_id, "SELECT removed ->> 'messages_redacted' FROM tombstones")
    assert removed == "1"


async def test_an_undo_while_caches_are_cleared_wins(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    class Undoes:
        async def forget(self, texts: Sequence[str]) -> bool:
            await controls.forgetting.undo(user_id, None, ORIGIN)
            return True

    message, _ = await kept.message(user_id, "I live in Oslo.")
    item = await kept.item(user_id, "User lives in Oslo", source_message_id=message)
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    undoing = Controls(controls.database, controls.digester, Undoes(), controls.sessions)
    assert await undoing.forgetting.erase_due(user_id, LATER) == []
    assert (await controls.entries.read(user_id, item)).space == DEFAULT_SPACE
    assert await kept.content(user_id, message) == "I live in Oslo."


async def test_what_was_judged_of_it_is_dropped(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    asked = Asked()
    controls = replace(controls, pairs=RelationCache(relate=asked))
    pair = ("User lives in Bergen", "User lives in Oslo")
    item = await kept.item(user_id, pair[0])
    controls.pairs(pair[0], [pair[1]])
    await controls.forgetting.erase_due(user_id, NOW)
    controls.pairs(pair[0], [pair[1]])
    assert asked.pairs == [pair]
    await controls.forgetting.forget(user_id, [item], ORIGIN, now=NOW)
    controls.pairs(pair[0], [pair[1]])
    assert asked.pairs == [pair] * 2
    await controls.forgetting.erase_due(user_id, LATER)
    controls.pairs(pair[0], [pair[1]])
    assert asked.pairs == [pair] * 3
