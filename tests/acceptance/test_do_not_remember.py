"""What is asked to be left out of memory is not kept, and nothing that came before is touched."""

from __future__ import annotations

import pytest
from agents.testing import ScriptedModel

from agent.assistant import Assistant
from memory.database import Database
from memory.service import Memory
from tests.acceptance.chat import Chat, knows
from tests.agent.scripts import calls, says
from tests.agent.turns import Assist, read_messages

KEPT = ["I live in Oslo", "I own a red kayak"]
LEFT_OUT = [
    "Please don't remember this: I hate my boss.",
    "Don't save this: I hate my boss.",
    "Off the record, I hate my boss.",
    "do not keep this: I hate my boss.",
    "don't remember that I hate my boss",
    "Please do not store the following: I hate my boss.",
    "My sister Maria lives in Bergen. Please don't remember any of this.",
]


@pytest.fixture
async def chat(offline: Assistant, user_id: str) -> Chat:
    """Somebody of whom two things are remembered."""
    chat = Chat(offline, user_id)
    await chat.say_all([f"{each}." for each in KEPT])
    return chat


@pytest.mark.parametrize("said", LEFT_OUT)
async def test_it_is_not_kept_and_what_was_kept_before_stays(
    chat: Chat, memory: Memory, user_id: str, said: str
) -> None:
    """Neither by the reply, nor behind it, nor by what learns later; “undo” has nothing to undo."""
    heard = await chat.say(said)
    assert "Not kept: I keep nothing of that message" in heard.whole
    assert heard.noted == []
    assert await knows(memory, user_id) == KEPT
    await memory.learn_waiting(user_id)
    assert await knows(memory, user_id) == KEPT
    await chat.say("yes")
    assert await knows(memory, user_id) == KEPT


async def test_what_is_asked_beside_it_is_answered(
    chat: Chat, memory: Memory, user_id: str
) -> None:
    heard = await chat.say("Off the record, I hate my boss. Where do I live?")
    assert KEPT[0] in heard.text
    assert "Not kept:" in heard.whole
    assert await knows(memory, user_id) == KEPT


async def test_a_model_cannot_keep_it_either(memory: Memory, user_id: str, assist: Assist) -> None:
    kept = calls("remember", content="User hates their boss")
    model = ScriptedModel([kept, says("I see.")])
    heard = await Chat(assist(model), user_id).say(LEFT_OUT[0])
    assert heard.text == "I see."
    assert await knows(memory, user_id) == []


async def test_a_command_to_remember_inside_of_it_is_not_obeyed(
    chat: Chat, memory: Memory, user_id: str
) -> None:
    await chat.say("Don't save this one please: remember that I hate my boss.")
    await memory.learn_waiting(user_id)
    assert await knows(memory, user_id) == KEPT


@pytest.mark.parametrize("said", LEFT_OUT)
async def test_it_does_not_wait_to_be_learned_from_later(
    chat: Chat, database: Database, user_id: str, said: str
) -> None:
    await chat.say(said)
    waiting = [each["needs_learning"] for each in await read_messages(database, user_id)]
    assert True not in waiting


async def test_the_message_stays_in_the_conversation(
    chat: Chat, database: Database, user_id: str
) -> None:
    await chat.say(LEFT_OUT[0])
    assert LEFT_OUT[0] in [each["content"] for each in await read_messages(database, user_id)]


async def test_remember_it_anyway_keeps_it(chat: Chat, memory: Memory, user_id: str) -> None:
    await chat.say(LEFT_OUT[1])
    assert "I will remember" in (await chat.say("remember it anyway")).text
    assert await knows(memory, user_id) == sorted([*KEPT, LEFT_OUT[1]])


@pytest.mark.parametrize("said", ["Don't remember that.", "forget that", "please don't save that"])
async def test_pointing_back_names_what_would_go_and_asks(
    chat: Chat, memory: Memory, user_id: str, said: str
) -> None:
    asked = await chat.say(said)
    assert KEPT[1] in asked.text
    assert KEPT[0] not in asked.text
    assert asked.text.endswith("Say yes or no.")
    assert await knows(memory, user_id) == KEPT
    await chat.say("yes")
    assert await knows(memory, user_id) == KEPT[:1]
    await chat.say("undo")
    assert await knows(memory, user_id) == KEPT


@pytest.mark.parametrize("said", ["Go incognito", "don't remember anything in this chat"])
async def test_a_conversation_is_still_made_private(chat: Chat, said: str) -> None:
    assert (await chat.say(said)).text.startswith("Incognito from here on")


async def test_what_else_is_told_in_the_message_is_kept(
    chat: Chat, memory: Memory, user_id: str
) -> None:
    """And the reply names what is not."""
    heard = await chat.say(
        "My boss drinks at work. Please don't keep that bit. I am allergic to nuts."
    )
    assert "Not kept: “My boss drinks at work. Please don't keep that bit.”" in heard.whole
    wanted = sorted([*KEPT, "I am allergic to nuts"])
    assert sorted(await knows(memory, user_id)) == wanted
    await memory.learn_waiting(user_id)
    assert sorted(await knows(memory, user_id)) == wanted
