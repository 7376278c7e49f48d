"""Forgetting one thing of a memory that tells two: only that goes, the rest stays a memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from agent.commands.command import Command
from agent.wording.wording import IN_ENGLISH
from memory.errors import RecentlyForgotten
from memory.models import KeptItem, NewItem, Origin
from tests.agent.chatting import Chat

ORGANS = "My brother Joris repairs organs"
BARGE = "My brother Joris repairs organs and lives on a barge near Bruges"
WISH = "You can throw away what I told you of Joris's barge"
PRESSURE = "Doc says I've got high blood pressure"
SODIUM = f"{PRESSURE}, and my sodium is too low"
ASIDE = "I park on level three"


async def only(chat: Chat, content: str) -> KeptItem:
    [found] = [
        each for each in await chat.memory.list_recent(chat.user_id) if each.content == content
    ]
    return found


async def forgotten_part(chat: Chat, wish: str = WISH, answer: str = "yes") -> None:
    assert "this stays" in await chat.say(wish)
    assert "orgotten" in await chat.say(answer) or "rased" in chat.told.text


async def id_forgotten(chat: Chat) -> UUID:
    async with chat.database.as_user(chat.user_id) as connection:
        found: UUID = await connection.fetchval("SELECT item_id FROM tombstones")
    return found


async def test_what_goes_and_what_stays_are_named_and_so_it_is_done(chat: Chat) -> None:
    await chat.hold(BARGE, ASIDE)
    asked = await chat.say(WISH)
    named = f"“…and lives on a barge near Bruges”; this stays: “{ORGANS}”"
    assert asked.startswith(f"This will be forgotten: {named}")
    assert await chat.known() == {BARGE, ASIDE}, "nothing goes before the answer"
    assert (await chat.say("yes")).startswith(f"Forgotten: {named}")
    assert await chat.known() == {ORGANS, ASIDE}


async def test_a_no_leaves_the_memory_whole(chat: Chat) -> None:
    await chat.hold(BARGE)
    await chat.say(WISH)
    await chat.say("no")
    assert await chat.known() == {BARGE}


async def test_what_stays_has_all_that_the_memory_had(chat: Chat) -> None:
    await chat.say("What a day")
    async with chat.database.as_user(chat.user_id) as connection:
        said: UUID = await connection.fetchval("SELECT id FROM messages WHERE role = 'user'")
    given: dict[str, Any] = {
        "type": "note",
        "bank": "Relationships",
        "importance": 0.8,
        "pinned": True,
        "manually_saved": True,
        "source_message_id": said,
        "occurred_at": datetime(2020, 5, 1, tzinfo=UTC),
    }
    await chat.memory.remember(chat.user_id, NewItem(content=BARGE, **given))
    whole = await only(chat, BARGE)
    await forgotten_part(chat)
    rest = await only(chat, ORGANS)
    assert given.items() <= whole.model_dump().items()
    fields = (*given, "created_at", "space", "role", "repeat_count")
    assert {each: getattr(rest, each) for each in fields} == {
        each: getattr(whole, each) for each in fields
    }
    assert rest.id != whole.id


async def test_what_stays_is_recalled(chat: Chat) -> None:
    await chat.hold(BARGE, ASIDE)
    await forgotten_part(chat)
    answered = await chat.elsewhere().say("What does my brother Joris repair?")
    assert ORGANS in answered
    assert "barge" not in answered


async def test_undo_brings_the_whole_back_and_takes_the_rest_away(chat: Chat) -> None:
    await chat.hold(BARGE, ASIDE)
    whole = await only(chat, BARGE)
    for _ in range(2):
        await forgotten_part(chat)
        assert BARGE in await chat.say("undo")
        assert await chat.known() == {BARGE, ASIDE}
        assert (await only(chat, BARGE)).id == whole.id
    assert await chat.say("undo") == IN_ENGLISH.say("nothing_to_undo")


async def test_undo_leaves_alone_what_was_corrected_since(chat: Chat) -> None:
    await chat.hold(BARGE)
    await forgotten_part(chat)
    await chat.do(Command("edit", about=ORGANS, text="My brother Joris tunes pianos"))
    await chat.memory.forgetting.undo(chat.user_id, [await id_forgotten(chat)], Origin())
    assert await chat.known() == {BARGE, "My brother Joris tunes pianos"}


@pytest.mark.parametrize("again", [BARGE, "My brother Joris lives on a barge near Bruges"])
async def test_neither_the_whole_nor_what_went_comes_back_for_a_day(chat: Chat, again: str) -> None:
    await chat.hold(BARGE)
    await forgotten_part(chat)
    with pytest.raises(RecentlyForgotten):
        await chat.memory.remember(chat.user_id, NewItem(content=again))
    repeated = await chat.memory.remember(chat.user_id, NewItem(content=ORGANS))
    assert repeated.kind == "repeated"
    assert await chat.known() == {ORGANS}


async def test_it_is_not_learned_again_from_messages_that_are_kept(chat: Chat) -> None:
    await chat.say(f"{BARGE}.")
    assert await chat.noticed() != []
    await forgotten_part(chat, answer="yes, but keep the messages")
    async with chat.database.as_user(chat.user_id) as connection:
        await connection.execute("UPDATE messages SET needs_learning = true WHERE role = 'user'")
    assert await chat.memory.learn_waiting(chat.user_id) > 0
    assert "barge" not in str(await chat.known())
    assert ORGANS in await chat.known()
    assert f"{BARGE}." in await chat.said()


async def test_remembered_anyway_the_whole_is_back_alone(chat: Chat) -> None:
    await chat.hold(BARGE)
    await forgotten_part(chat)
    assert "remember it anyway" in await chat.say(f"Remember that {BARGE}")
    await chat.say("remember it anyway")
    assert await chat.known() == {BARGE}


async def test_of_several_memories_each_goes_as_far_as_it_is_meant(chat: Chat) -> None:
    alone = "Joris's barge needs new paint"
    await chat.hold(BARGE, alone, ASIDE)
    asked = await chat.say(WISH)
    assert f"- “{alone}”" in asked
    assert f"this stays: “{ORGANS}”" in asked
    await chat.say("yes")
    assert await chat.known() == {ORGANS, ASIDE}
    await chat.say("undo")
    assert await chat.known() == {BARGE, alone, ASIDE}


async def test_for_good_the_whole_is_erased_and_the_rest_stays(chat: Chat) -> None:
    await chat.say(f"{SODIUM}.")
    assert await chat.noticed() != []
    await forgotten_part(chat, "Strike out the business about my sodium for good")
    async with chat.database.as_user(chat.user_id) as connection:
        rows = await connection.fetch("SELECT content FROM memory_items")
        said = await connection.fetch("SELECT content FROM messages")
    assert "sodium" not in str([row["content"] for row in (*rows, *said)])
    assert PRESSURE in await chat.known()
    proof = await chat.memory.forgetting.prove(chat.user_id, await id_forgotten(chat), "sodium")
    assert proof.holds


async def test_after_its_erasure_the_proof_holds_and_no_message_tells_of_it(chat: Chat) -> None:
    await chat.say(f"{BARGE}.")
    assert await chat.noticed() != []
    await forgotten_part(chat)
    item = await id_forgotten(chat)
    assert not (await chat.memory.forgetting.prove(chat.user_id, item)).holds
    later = datetime.now(UTC) + timedelta(days=2)
    assert await chat.memory.forgetting.erase_due(chat.user_id, later) == [item]
    proof = await chat.memory.forgetting.prove(chat.user_id, item, "Where is Joris's barge?")
    assert proof.holds
    async with chat.database.as_user(chat.user_id) as connection:
        said = await connection.fetch("SELECT content FROM messages")
    assert "Bruges" not in str([row["content"] for row in said])
    assert ORGANS in await chat.known()


async def test_where_nothing_may_be_kept_the_whole_goes(chat: Chat) -> None:
    await chat.hold(BARGE)
    await chat.do(Command("memory_read_only"))
    assert f"This will be forgotten: “{BARGE}”" in await chat.say(WISH)
    await chat.say("yes")
    assert await chat.known() == set()


async def test_what_was_corrected_goes_whole_with_its_older_words(chat: Chat) -> None:
    await chat.hold(ORGANS)
    await chat.do(Command("edit", about=ORGANS, text=BARGE))
    assert "this stays" not in await chat.say(WISH)
    await chat.say("yes")
    assert await chat.known() == set()


async def test_what_was_corrected_after_the_question_is_left_alone(chat: Chat) -> None:
    await chat.hold(BARGE)
    await chat.say(WISH)
    corrected = "My brother Joris repairs organs and lives on a barge near Ghent"
    other = chat.elsewhere()
    await other.do(Command("edit", about=BARGE, text=corrected))
    assert "changed since" in await chat.say("yes")
    assert await chat.known() == {corrected}


async def test_a_roll_up_goes_whole_with_what_it_was_made_of(chat: Chat) -> None:
    [source] = await chat.hold(ORGANS)
    [roll_up] = await chat.hold(BARGE)
    async with chat.database.as_user(chat.user_id) as connection:
        await connection.execute(
            "UPDATE memory_items SET deleted_at = now(), removed_because = 'archived'"
            " WHERE id = $1",
            source.id,
        )
        await connection.execute(
            "UPDATE memory_items SET summary_of = $2 WHERE id = $1", roll_up.id, [source.id]
        )
    assert "this stays" not in await chat.say(WISH)
    await chat.say("yes")
    assert await chat.known() == set()
