"""Keeping, correcting and pinning by command."""

from __future__ import annotations

import pytest

from agent.commands.display import NOTHING_MEANT
from agent.commands.memories import ASKED_LATER, NOTHING_SAID
from agent.commands.parser import Command
from memory.types import NewMemory
from tests.agent.chatting import Chat
from tests.agent.turns import read_messages


async def test_remember_keeps_the_words_and_says_so(chat: Chat) -> None:
    answer = await chat.say("Remember that I prefer tea over coffee")
    assert answer == "I will remember: “I prefer tea over coffee”"
    [kept] = await chat.memory.list_recent(chat.user_id)
    assert (kept.content, kept.type, kept.manually_saved) == (
        "I prefer tea over coffee",
        "preference",
        True,
    )
    [said, _] = await read_messages(chat.database, chat.user_id)
    assert kept.source_message_id == said["id"]
    assert [each.id for each in chat.told.closed.kept] == [kept.id]


async def test_what_is_known_already_is_counted_and_not_kept_twice(chat: Chat) -> None:
    await chat.say("Remember that I prefer tea over coffee")
    answer = await chat.say("Remember that I prefer tea over coffee.")
    assert answer == "I know that already: “I prefer tea over coffee”"
    [kept] = await chat.memory.list_recent(chat.user_id)
    assert kept.repeat_count == 1


async def test_what_is_said_outright_replaces_what_was_there(chat: Chat) -> None:
    await chat.hold("I live in Oslo")
    answer = await chat.say("Remember that I live in Bergen now")
    assert "takes the place of “I live in Oslo”" in answer
    assert await chat.known() == {"I live in Bergen now"}


async def test_one_yes_answers_one_question(chat: Chat) -> None:
    """Of two commands that have something to ask, the first one asks."""
    aunt, sister = "My aunt Eva lives in Bergen", "My sister Maria lives in Oslo"
    await chat.hold(aunt, sister)
    answer = await chat.say(
        "Correct where my aunt lives to Hamar by the lake. "
        "Remember that my sister Maria lives in Bergen."
    )
    assert answer.count("Say yes or no") == 1
    assert answer.endswith(ASKED_LATER)
    assert (await chat.say("yes")).startswith(f"Changed. Before: “{aunt}”")
    assert sister in await chat.known()
    assert sister in await chat.say("/doubts")


async def test_remember_that_means_what_was_said_before(chat: Chat) -> None:
    await chat.say("The blue folder is on the second shelf")
    assert "The blue folder is on the second shelf" in await chat.say("Remember that")
    assert await chat.known() == {"The blue folder is on the second shelf"}


async def test_a_command_in_between_is_not_what_was_said_before(chat: Chat) -> None:
    await chat.say("The blue folder is on the second shelf")
    await chat.say("What do you know about me?")
    await chat.say("Remember that")
    assert await chat.known() == {"The blue folder is on the second shelf"}


async def test_remember_that_after_nothing_asks_for_the_words(chat: Chat) -> None:
    assert await chat.say("Remember that") == NOTHING_SAID


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that my bike is green, mostly. Thanks!", "my bike is green, mostly"),
        ("remember I park on level four please", "I park on level four"),
        ("Merk dir, dass ich Oliven hasse, danke dir!", "ich Oliven hasse"),
        ("remember that I owe Tom thanks", "I owe Tom thanks"),
        ("remember this:\n```\nif x:\n    run()\n```", "```\nif x:\n    run()\n```"),
    ],
)
async def test_all_words_are_kept_but_courtesies(chat: Chat, said: str, kept: str) -> None:
    """Of code the space too."""
    await chat.say(said)
    assert await chat.known() == {kept}


@pytest.mark.parametrize("said", ["Save that to memory", "Keep that in mind please."])
async def test_a_question_is_not_what_was_said_before(chat: Chat, said: str) -> None:
    await chat.say("What is the weather like in Bergen?")
    assert await chat.say(said) == NOTHING_SAID
    await chat.say("The blue folder is on the second shelf. What is in the red one?")
    answer = await chat.say(said)
    assert "The blue folder is on the second shelf" in answer
    assert "red one" not in answer


@pytest.mark.parametrize(
    "before", ["What is the weather like in Bergen?", "Can you book me a table for two?", "Hello!"]
)
@pytest.mark.parametrize("said", ["Save that.", "Keep that in mind please.", "Merk dir das."])
async def test_what_tells_nothing_is_not_saved(chat: Chat, before: str, said: str) -> None:
    await chat.say(before)
    assert await chat.say(said) == NOTHING_SAID
    assert await chat.known() == set()


async def test_thanks_in_between_are_not_what_was_said_before(chat: Chat) -> None:
    await chat.say("The blue folder is on the second shelf")
    await chat.say("Thanks, that helps a lot!")
    assert "The blue folder is on the second shelf" in await chat.say("Save that.")


async def test_what_is_told_before_a_question_in_the_same_message_is_saved(chat: Chat) -> None:
    await chat.say("The blue folder is on the second shelf")
    said = await chat.say("I own a red kayak. Where is the blue folder? Save that.")
    assert "I own a red kayak" in said.split("second shelf")[0]
    assert "second shelf" in said, "the question is answered"


async def test_what_is_told_beside_a_command_is_what_was_said_before(chat: Chat) -> None:
    await chat.say("The blue folder is on the second shelf")
    await chat.say("Turn memory on. I own a red kayak.")
    assert "I own a red kayak" in await chat.say("Save that.")


async def test_what_was_left_out_is_not_what_was_said_before(chat: Chat) -> None:
    await chat.say("I own a red kayak. Please don't keep that my sister is ill.")
    assert "ill" not in await chat.say("Save that.")
    assert await chat.known() == {"I own a red kayak"}


async def test_code_is_kept_and_not_the_question_before_it(chat: Chat) -> None:
    await chat.say("What is the build command?")
    await chat.say("remember this:\n```\nmake build\n```")
    assert await chat.known() == {"```\nmake build\n```"}


async def test_a_secret_is_refused_and_the_person_told(chat: Chat) -> None:
    answer = await chat.say("Remember that my card is 4111 1111 1111 1111")
    assert "secrets are never stored" in answer
    assert await chat.known() == set()
    stored = await read_messages(chat.database, chat.user_id)
    assert not any("4111" in message["content"] for message in stored)
    assert any("secret" in notice for notice in chat.told.closed.notices)


LOCKER = "Olga's locker is 5512"


@pytest.mark.parametrize("said", [f"Remember that {LOCKER}", f"{LOCKER}."])
async def test_what_is_only_guessed_to_be_a_secret_is_kept_anyway(chat: Chat, said: str) -> None:
    await chat.say(said)
    assert "keep it anyway" in chat.told.closed.notices[0]
    await chat.noticed()
    assert "5512" not in str(await chat.known())
    await chat.say("Keep it anyway")
    assert LOCKER in {each.rstrip(".") for each in await chat.known()}


async def test_what_is_surely_a_secret_is_not_kept_anyway(chat: Chat) -> None:
    await chat.say("Remember that my card is 4111 1111 1111 1111")
    assert "keep it anyway" not in chat.told.closed.notices[0]
    assert await chat.say("Keep it anyway") == NOTHING_SAID
    assert await chat.known() == set()


@pytest.mark.parametrize("mode", ["Turn memory off", "Make memory read-only"])
async def test_where_nothing_is_kept_nothing_is_offered_to_be_kept_anyway(
    chat: Chat, mode: str
) -> None:
    await chat.say(f"{LOCKER}.")
    assert "keep it anyway" in str(chat.told.closed.notices)
    await chat.say(mode)
    await chat.say(f"{LOCKER}.")
    assert "secret" in str(chat.told.closed.notices)
    assert "keep it anyway" not in str(chat.told.closed.notices)
    await chat.say("Turn memory on")
    assert await chat.say("Keep it anyway") == NOTHING_SAID


async def test_anyway_means_what_its_notice_names_where_a_message_has_a_secret_too(
    chat: Chat,
) -> None:
    ill = "Please don't keep that my sister is ill."
    await chat.say(f"{LOCKER}. {ill}")
    notices = str(chat.told.closed.notices)
    assert f"Not kept: “{ill}”. Say “remember it anyway”" in notices
    assert "secret" in notices
    assert "keep it anyway" not in notices


async def test_what_may_be_a_secret_is_kept_anyway_only_right_after_it(chat: Chat) -> None:
    await chat.say(f"Remember that {LOCKER}")
    await chat.say("Hello!")
    assert await chat.say("Keep it anyway") == NOTHING_SAID


async def test_what_was_forgotten_is_refused_until_it_is_wanted_anyway(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")
    refused = await chat.say("Remember that I live in Oslo")
    assert "remember it anyway" in refused
    assert await chat.known() == set()
    assert await chat.say("Remember it anyway") == "I will remember: “I live in Oslo”"
    assert await chat.known() == {"I live in Oslo"}


async def test_anyway_means_only_what_was_just_refused(chat: Chat) -> None:
    assert await chat.say("Remember it anyway") == NOTHING_SAID
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")
    await chat.say("Remember that I live in Oslo")
    await chat.say("Remember it anyway")
    assert await chat.say("Remember it anyway") == NOTHING_SAID


@pytest.mark.parametrize("mode", ["Turn memory off", "Make memory read-only"])
async def test_nothing_is_kept_where_memory_is_not_on(chat: Chat, mode: str) -> None:
    await chat.say(mode)
    assert "turn memory on" in await chat.say("Remember that I live in Oslo")
    assert await chat.known() == set()


async def test_edit_puts_new_words_in_the_place_of_what_is_meant(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    answer = await chat.say("Change that to: I live in Bergen")
    assert answer == "Changed. Before: “I live in Oslo” Now: “I live in Bergen”"
    assert await chat.known() == {"I live in Bergen"}
    assert (await chat.actions())[-1] == "edited"


async def test_edit_without_a_memory_that_is_meant_changes_nothing(chat: Chat) -> None:
    await chat.hold("I live in Oslo")
    assert await chat.do(Command("edit", text="I live in Bergen")) == NOTHING_MEANT
    assert await chat.do(Command("edit")) == "Tell me the new words: “change that to …”."
    assert await chat.known() == {"I live in Oslo"}


async def test_edit_asks_which_where_several_are_meant(chat: Chat) -> None:
    await chat.hold("My sister lives in Oslo", "My sister plays the cello")
    answer = await chat.do(Command("edit", about="my sister", text="x"))
    assert answer.startswith("Which one shall I change?")
    assert await chat.known() == {"My sister lives in Oslo", "My sister plays the cello"}


async def test_a_secret_cannot_be_edited_in(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    answer = await chat.do(Command("edit", text="my card is 4111 1111 1111 1111"))
    assert "secrets are never stored" in answer
    assert await chat.known() == {"I live in Oslo"}


async def test_pin_and_unpin_by_that_and_by_words(chat: Chat) -> None:
    await chat.hold("My sister lives in Oslo")
    await chat.say("Remember that I park on level three")

    async def pinned() -> set[str]:
        items = await chat.memory.list_recent(chat.user_id)
        return {item.content for item in items if item.pinned}

    assert "never trimmed" in await chat.say("Pin that")
    assert await pinned() == {"I park on level three"}
    await chat.do(Command("pin", about="my sister"))
    assert await pinned() == {"I park on level three", "My sister lives in Oslo"}
    assert "No longer pinned" in await chat.say("Unpin that")
    assert await pinned() == {"I park on level three"}, "“that” is what was pinned last"


async def test_pin_asks_which_where_several_are_meant(chat: Chat) -> None:
    await chat.hold("My sister lives in Oslo", "My sister plays the cello")
    answer = await chat.do(Command("pin", about="my sister"))
    assert answer.startswith("Which one shall I pin?")
    assert not any(each.pinned for each in await chat.memory.list_recent(chat.user_id))
    assert await chat.do(Command("pin", about="the weather on Mars")) == NOTHING_MEANT


async def test_nothing_of_another_user_is_meant_by_words(chat: Chat, user_id: str) -> None:
    await chat.memory.remember(f"{user_id}-other", NewMemory(content="My sister lives in Oslo"))
    assert await chat.do(Command("pin", about="my sister")) == NOTHING_MEANT


async def test_new_words_that_had_been_forgotten_are_refused_and_kept_anyway(chat: Chat) -> None:
    await chat.say("Remember that I prefer tea over coffee")
    await chat.say("Forget that")
    await chat.say("yes")
    await chat.say("Remember that my bicycle is green")
    await chat.say("Change that to I prefer tea over coffee")
    assert "remember it anyway" in await chat.say("yes")
    assert await chat.known() == {"my bicycle is green"}
    await chat.say("Remember it anyway")
    assert await chat.known() == {"my bicycle is green", "I prefer tea over coffee"}


async def test_an_edit_writes_over_the_words_that_are_named(chat: Chat) -> None:
    await chat.hold("My sister Anna lives in Oslo", "I play the cello")
    assert "Now: “My sister Anna lives in Bergen”" in await chat.say(
        "Ändere in deinen Notizen Oslo in Bergen"
    )
    assert await chat.known() == {"My sister Anna lives in Bergen", "I play the cello"}


async def test_several_commands_of_one_message_are_done_in_their_order(chat: Chat) -> None:
    told = await chat.say("Remember that I live in Oslo. Pin that. Turn memory off.")
    assert told.index("I will remember") < told.index("Pinned") < told.index("Memory is off")
    [kept] = await chat.memory.list_recent(chat.user_id)
    assert kept.pinned
