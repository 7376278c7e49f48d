"""Correcting by command: only what is named, never what was merely spoken of last, and undone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from agents.testing import ScriptedModel

from agent.commands.forgetting import NOTHING_TO_UNDO
from agent.commands.parser import Command
from memory.errors import Incognito
from memory.service import MemoryService
from memory.store.database import Database
from memory.types import NewMemory, Origin
from memory.understanding import CommandName
from tests.agent.chatting import Chat
from tests.agent.scripts import says
from tests.agent.turns import Assist

HELD = "I am allergic to penicillin"
NOT_HELD = [
    "Correct my shoe size to 44",
    "Update the wifi name to Fjordnett",
    "Change my wife's name to Kari",
    "Update my phone number to 22 33 44 55",
]
OTHER_TEXTS = [
    "Rewrite: I love my job and I live in Rome.",
    "Fix the grammar of: my sister live in Bergen",
    "Update my LinkedIn headline to Senior Nurse",
    "Update my CV: I work as a head nurse now. I live in Rome.",
    "fix the grammar of: i has a dog",
    "Edit my cover letter so that it mentions my nursing degree",
]


@pytest.mark.parametrize("said", NOT_HELD)
async def test_what_memory_has_nothing_of_changes_nothing_and_says_so(
    chat: Chat, said: str
) -> None:
    await chat.hold("my name is Anton Brekke")
    await chat.say(f"Remember that {HELD}")
    before = await chat.known()
    answer = await chat.say(said)
    assert answer.startswith("I know nothing about “")
    assert answer.endswith("”, so nothing was changed.")
    await chat.noticed()
    assert await chat.known() == before
    assert await chat.say("yes") != "All right, nothing is changed."
    await chat.noticed()
    assert await chat.known() == before


@pytest.mark.parametrize("said", OTHER_TEXTS)
async def test_a_request_about_another_text_is_talk_and_not_kept(
    assist: Assist, memory: MemoryService, database: Database, user_id: str, said: str
) -> None:
    chat = Chat(assist(ScriptedModel([says("Here it is.")])), memory, database, user_id)
    await chat.do(Command("remember", text=HELD))
    assert await chat.say(said) == "Here it is."
    await chat.noticed()
    assert await chat.known() == {HELD}


CORRECTED = [
    ("my shoe size is 43", "Correct my shoe size to 44", "43", "44"),
    ("I am allergic to nuts", "change nuts to almonds in your notes", "nuts", "almonds"),
    ("The boiler is from 2014", "The boiler is from 2016, not 2014, fix that", "2014", "2016"),
    pytest.param(
        "I live in Freiburg",
        "No, that's wrong, I live in Heidelberg now, not Freiburg.",
        "Freiburg",
        "Heidelberg",
        marks=pytest.mark.xfail(strict=True, reason="its new words are not found: it is learned"),
    ),
    ("my son was born in Molde", "Change Molde to Hamar in what you know", "Molde", "Hamar"),
]


@pytest.mark.parametrize(("held", "said", "old", "new"), CORRECTED)
async def test_the_one_word_that_is_meant_is_changed_at_once(
    chat: Chat, held: str, said: str, old: str, new: str
) -> None:
    now = held.replace(old, new)
    await chat.hold(held)
    await chat.say("Remember that I play the cello")
    assert await chat.say(said) == f"Changed. Before: “{held}” Now: “{now}”"
    assert await chat.known() == {now, "I play the cello"}


async def test_a_new_statement_corrects_what_it_is_about(chat: Chat) -> None:
    await chat.hold("I live in Mannheim")
    await chat.say("Remember that I am a vet")
    assert await chat.say("No, that's wrong, I live in Heidelberg now") == (
        "Changed. Before: “I live in Mannheim” Now: “I live in Heidelberg”"
    )
    assert await chat.known() == {"I live in Heidelberg", "I am a vet"}


async def test_a_correction_that_brings_its_words_is_not_asked_for_them(chat: Chat) -> None:
    await chat.hold("I live in Heidelberg")
    assert await chat.say("edit that") == "Tell me the new words: “change that to …”."
    await chat.say("No, that's wrong, I live in Freiburg now, not Heidelberg.")
    assert await chat.known() == {"I live in Freiburg"}


async def test_a_correction_of_what_is_not_known_is_learned_from(chat: Chat) -> None:
    await chat.hold("I am a vet")
    await chat.say("No, that's wrong, my sister lives in Bergen, not in Oslo.")
    assert any("Bergen" in each for each in await chat.noticed())


async def test_new_words_without_any_of_the_old_are_asked_about(chat: Chat) -> None:
    await chat.say(f"Remember that {HELD}")
    answer = await chat.say("Change that to I play the cello")
    assert answer == (
        f"Before: “{HELD}” Now: “I play the cello”\n\nShall I change it? Say yes or no."
    )
    assert await chat.known() == {HELD}
    assert "nothing is changed" in await chat.say("no")
    assert await chat.known() == {HELD}
    await chat.say("Change that to I play the cello")
    assert await chat.say("yes") == f"Changed. Before: “{HELD}” Now: “I play the cello”"
    assert await chat.known() == {"I play the cello"}


async def test_what_was_changed_since_the_question_is_left_alone(chat: Chat) -> None:
    await chat.say(f"Remember that {HELD}")
    await chat.say("Change that to I play the cello")
    other = chat.elsewhere()
    await other.do(Command("edit", about="penicillin", text="I am allergic to latex"))
    assert "changed" in await chat.say("yes")
    assert await chat.known() == {"I am allergic to latex"}


async def test_new_words_that_are_missing_are_asked_for(chat: Chat) -> None:
    [held] = await chat.hold("My sister lives in Oslo")
    assert await chat.say("Change what you know about my sister") == (
        "Tell me the new words: “change that to …”."
    )
    await chat.say("Change that to: My sister lives in Bergen")
    assert (await chat.memory.entries.read(chat.user_id, held.id)).content == (
        "My sister lives in Bergen"
    )


async def test_undo_takes_an_edit_back_with_all_that_the_memory_had(chat: Chat) -> None:
    said_at = datetime(2026, 3, 4, 12, tzinfo=UTC)
    kept = await chat.memory.remember(
        chat.user_id,
        NewMemory(content="my dentist is Dr Ness", type="note", pinned=True, occurred_at=said_at),
    )
    await chat.say("Change Dr Ness to Dr Basu in what you know")
    assert await chat.known() == {"my dentist is Dr Basu"}
    assert await chat.say("undo") == "Changed back: “my dentist is Dr Ness”"
    assert await chat.memory.entries.read(chat.user_id, kept.item.id) == kept.item
    assert await chat.say("undo") == "There is nothing to undo."


async def test_undo_in_another_conversation_takes_back_what_was_done_last(chat: Chat) -> None:
    await chat.hold("my dentist is Dr Ness", "I play the cello")
    await chat.say("Change Dr Ness to Dr Basu in what you know")
    await chat.do(Command("forget", about="the cello"))
    await chat.say("yes")
    later = chat.elsewhere()
    assert "It is back: “I play the cello”" in await later.say("undo")
    assert await later.say("undo") == "Changed back: “my dentist is Dr Ness”"


async def test_undo_leaves_the_edits_of_others_alone(chat: Chat, user_id: str) -> None:
    other = Chat(chat.assistant, chat.memory, chat.database, f"{user_id}-other")
    await other.hold("my dentist is Dr Ness")
    await other.say("Change Dr Ness to Dr Basu in what you know")
    assert await chat.say("undo") == "There is nothing to undo."
    [theirs] = await other.memory.list_recent(other.user_id)
    assert await chat.memory.entries.undo_edit(user_id, Origin("user"), theirs.id) is None
    assert await other.known() == {"my dentist is Dr Basu"}


async def test_nothing_is_asked_where_nothing_could_be_changed(chat: Chat) -> None:
    """An incognito conversation that reads memory."""
    await chat.hold("My aunt Ida lives in Oslo", "My aunt Eva lives in Bergen")
    await chat.do(Command("incognito_read_only"))
    for said in ("Correct where my aunt lives to Hamar", "Pin my aunt"):
        assert (await chat.say(said), chat.asked()) == (str(Incognito()), None)


async def test_a_name_that_is_named_gives_way_to_the_new_one(chat: Chat) -> None:
    await chat.hold("I have two kids, Mia and Leo")
    asked = await chat.say("Change Mia to Max")
    assert "Now: “I have two kids, Max and Leo”" in asked
    await chat.say("yes")
    assert await chat.known() == {"I have two kids, Max and Leo"}


async def test_a_name_that_begins_as_a_number_does_is_none(chat: Chat) -> None:
    await chat.hold(HELD)
    command = Command("edit", about="#general", text="#random")
    assert await chat.do(command) == "I know nothing about “#general”, so nothing was changed."
    assert await chat.known() == {HELD}


@pytest.mark.parametrize("command", ["edit", "forget"])
async def test_undo_brings_back_nothing_of_another_space(chat: Chat, command: CommandName) -> None:
    salary = NewMemory(content="My salary is 700", space="Work")
    await chat.memory.remember(chat.user_id, salary)
    work = chat.elsewhere()
    asked = Command(command, about="my salary", text="My salary is 800")
    obeyed = await chat.assistant.obey(chat.user_id, work.conversation, asked, "Work")
    if command == "forget":
        assert "Say yes or no" in obeyed.text
        yes = chat.assistant.answer(chat.user_id, work.conversation, "yes", "Work")
        assert [event async for event in yes]
    assert await chat.say("undo") == NOTHING_TO_UNDO
    left = [each.content for each in await chat.memory.entries.all(chat.user_id, "Work")]
    assert left == (["My salary is 800"] if command == "edit" else [])


PLUMBER = "The plumber is called Finn and he charges 60 pounds an hour"
DEARER = PLUMBER.replace("60", "70")
SORRY = "Sorry, Finn charges 70 pounds, not 60"


async def test_what_is_told_otherwise_without_a_command_is_corrected_in_its_place(
    chat: Chat,
) -> None:
    await chat.hold(PLUMBER, HELD)
    assert await chat.say(SORRY) == f"Changed. Before: “{PLUMBER}” Now: “{DEARER}”"
    assert await chat.noticed() == []
    assert await chat.known() == {DEARER, HELD}
    assert await chat.say("undo") == f"Changed back: “{PLUMBER}”"


async def test_what_was_told_just_before_is_corrected_though_it_is_being_learned(
    chat: Chat,
) -> None:
    await chat.say(PLUMBER)
    await chat.say(SORRY)
    assert await chat.known() == {DEARER}


async def test_what_is_told_beside_a_correction_is_learned(chat: Chat) -> None:
    await chat.hold(PLUMBER)
    sorry = "Sorry, Finn charges 70 pounds an hour, not 60"
    assert await chat.say(f"{sorry}. My sister Ida breeds rabbits in Kent.")
    assert any("rabbits" in each for each in await chat.noticed())
    known = await chat.known()
    assert DEARER in known
    assert len(known) == 2


@pytest.mark.parametrize("command", ["incognito_on", "incognito_read_only", "memory_off"])
async def test_nothing_is_corrected_where_nothing_is_to_be_kept(
    chat: Chat, command: CommandName
) -> None:
    await chat.hold(PLUMBER)
    await chat.do(Command(command))
    await chat.say(SORRY)
    await chat.noticed()
    assert await chat.known() == {PLUMBER}


async def test_what_sounds_like_a_correction_and_is_of_nothing_known_is_told(chat: Chat) -> None:
    await chat.hold(PLUMBER)
    await chat.say("No wait, my aunt Hilde breeds sheep, not goats")
    assert any("sheep" in each for each in await chat.noticed())
    assert PLUMBER in await chat.known()


async def test_what_is_kept_by_hand_is_corrected_without_a_command_after_a_yes(
    chat: Chat,
) -> None:
    await chat.memory.remember(chat.user_id, NewMemory(content=PLUMBER, pinned=True))
    assert f"Now: “{DEARER}”" in await chat.say(SORRY)
    assert await chat.known() == {PLUMBER}
    await chat.say("yes")
    assert await chat.known() == {DEARER}


async def test_what_is_said_of_a_text_corrects_nothing(chat: Chat) -> None:
    await chat.hold(PLUMBER)
    await chat.say(f"Translate this into German: “{SORRY}”")
    await chat.noticed()
    assert PLUMBER in await chat.known()
