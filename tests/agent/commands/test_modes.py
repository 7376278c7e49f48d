"""Memory on, off and read-only; incognito, in both modes."""

from __future__ import annotations

import pytest

from agent.commands import modes
from agent.models.offline import INCOGNITO, OFF
from memory.types import Origin
from tests.agent.chatting import Chat

FACT = "My sister Maria lives in Oslo"


async def rows(chat: Chat) -> dict[str, int]:
    """How many rows of the user each table holds."""
    tables = ("memory_items", "messages", "conversations", "audit_log", "memory_usage")
    async with chat.database.as_user(chat.user_id) as connection:
        return {
            table: await connection.fetchval(f"SELECT count(*) FROM {table}") for table in tables
        }


async def test_off_recalls_nothing_and_learns_nothing(chat: Chat) -> None:
    await chat.hold(FACT)
    assert await chat.say("Turn memory off") == modes.OFF
    assert await chat.say("Where does my sister Maria live?") == OFF
    assert chat.told.memories == []
    await chat.say("My brother Jon lives in Bergen.")
    assert await chat.noticed() == []
    assert await chat.known() == {FACT}
    assert await chat.say("Turn memory on") == modes.ON
    assert FACT in await chat.say("Where does my sister Maria live?")
    await chat.noticed()
    assert await chat.memory.learn_waiting(chat.user_id) == 0, "not even later"
    assert await chat.known() == {FACT}


async def test_read_only_recalls_and_learns_nothing(chat: Chat) -> None:
    await chat.hold(FACT)
    assert await chat.say("Make memory read-only") == modes.READ_ONLY
    assert FACT in await chat.say("Where does my sister Maria live?")
    await chat.say("My brother Jon lives in Bergen.")
    assert await chat.noticed() == []
    assert await chat.known() == {FACT}


async def test_a_mode_is_of_one_space(chat: Chat) -> None:
    await chat.say("Turn memory off")
    here = await chat.memory.space_settings(chat.user_id, "default")
    there = await chat.memory.space_settings(chat.user_id, "work")
    assert (here.memory_mode, there.memory_mode) == ("off", "full")


async def test_what_is_there_can_be_looked_at_and_forgotten_while_memory_is_off(
    chat: Chat,
) -> None:
    await chat.hold(FACT)
    await chat.say("Turn memory off")
    assert FACT in await chat.say("What do you know about my sister?")
    await chat.say("Forget everything about my sister")
    await chat.say("yes")
    assert await chat.known() == set()


async def test_incognito_reads_and_writes_nothing(chat: Chat) -> None:
    await chat.hold(FACT)
    await chat.say("Hello")
    before = await rows(chat)
    assert await chat.say("Go incognito") == modes.INCOGNITO
    assert await chat.say("Where does my sister Maria live?") == INCOGNITO
    await chat.say("My brother Jon lives in Bergen.")
    assert await chat.noticed() == []
    assert "incognito" in await chat.say("Remember that I live in Bergen")
    assert "incognito" in await chat.say("What do you know about me?")
    await chat.say("Remember it anyway")
    assert await chat.say("End incognito") == modes.ENDED
    assert await rows(chat) == before
    assert await chat.memory.learn_waiting(chat.user_id) == 0
    assert await chat.known() == {FACT}
    assert FACT in await chat.say("Where does my sister Maria live?")


async def test_incognito_read_only_recalls_and_writes_nothing(chat: Chat) -> None:
    await chat.hold(FACT)
    await chat.say("Hello")
    before = await rows(chat)
    assert await chat.say("Go incognito, read-only") == modes.INCOGNITO_READ_ONLY
    assert FACT in await chat.say("Where does my sister Maria live?")
    await chat.say("My brother Jon lives in Bergen.")
    assert await chat.noticed() == []
    assert "incognito" in await chat.say("Forget everything about my sister")
    await chat.say("End incognito")
    assert await rows(chat) == before
    assert await chat.known() == {FACT}


@pytest.mark.parametrize("goes", ["Go incognito", "Go incognito, read-only"])
async def test_nothing_of_it_comes_along_when_it_ends(chat: Chat, goes: str) -> None:
    """Neither “that” nor the words said in it mean anything afterwards."""
    await chat.say(goes)
    await chat.say("The blue folder is on the second shelf")
    await chat.say("End incognito")
    await chat.say("Remember that")
    await chat.say("Forget that")
    await chat.say("yes")
    assert await chat.known() == set()
    assert "folder" not in str(await chat.said())


async def test_its_title_goes_with_it(chat: Chat) -> None:
    await chat.say("Go incognito")
    await chat.say("The blue folder is on the second shelf")
    private = chat.memory.for_privacy("incognito").conversations
    assert await private.rename(chat.user_id, chat.conversation, "Folders", Origin())
    await chat.say("End incognito")
    assert await private.read(chat.user_id, chat.conversation) is None


async def test_what_was_stored_before_stays_where_one_message_begins_and_ends_it(
    chat: Chat,
) -> None:
    await chat.say("Hello")
    before = await rows(chat)
    await chat.say("Go incognito. End incognito.")
    assert await rows(chat) == before


async def test_one_conversation_is_incognito_and_the_next_is_not(chat: Chat) -> None:
    await chat.say("Go incognito")
    other = chat.elsewhere()
    await other.say("Remember that I live in Oslo")
    assert await chat.known() == {"I live in Oslo"}


async def test_ending_what_never_began_is_said_so(chat: Chat) -> None:
    assert await chat.say("End incognito") == modes.NOT_INCOGNITO
