"""Forgetting by command: shown, asked about once, undone."""

from __future__ import annotations

import re

import pytest

from agent.commands.display import NOTHING_KNOWN, NOTHING_MEANT
from agent.commands.forgetting import NOTHING_TO_UNDO, SAID_IS_GONE
from agent.commands.parser import Command
from memory.errors import Incognito
from memory.types import NewMemory
from tests.agent.chatting import Chat

SISTER = ("My sister Maria lives in Oslo", "My sister Maria plays the cello")
KEPT_ASIDE = "I park on level three"


async def test_forget_that_names_what_was_just_kept_and_asks(chat: Chat) -> None:
    await chat.hold(KEPT_ASIDE)
    await chat.say("Remember that I live in Oslo")
    assert (await chat.say("Forget that")).startswith("This will be forgotten: “I live in Oslo”")
    assert await chat.known() == {KEPT_ASIDE, "I live in Oslo"}
    assert "“undo”" in await chat.say("yes")
    assert await chat.known() == {KEPT_ASIDE}
    assert [each.content for each in chat.told.closed.forgotten] == ["I live in Oslo"]


async def test_forget_that_after_nothing_forgets_nothing(chat: Chat) -> None:
    await chat.hold(KEPT_ASIDE)
    assert await chat.say("Forget that") == NOTHING_MEANT
    assert await chat.known() == {KEPT_ASIDE}


async def test_forget_that_means_what_was_learned_not_what_was_recalled_beside_it(
    chat: Chat,
) -> None:
    await chat.hold("My bike is green", "My bike stands in the cellar")
    await chat.say("My sister Maria lives in Oslo, and her bike is red.")
    [news] = await chat.noticed()
    learned = news.removeprefix("noted: ")
    assert learned in await chat.known()
    await chat.say("Forget that")
    await chat.say("yes")
    assert await chat.known() == {"My bike is green", "My bike stands in the cellar"}


async def test_forget_about_shows_what_goes_and_asks(chat: Chat) -> None:
    await chat.hold(*SISTER, KEPT_ASIDE)
    asked = await chat.say("Forget everything about my sister")
    assert all(each in asked for each in SISTER)
    assert KEPT_ASIDE not in asked
    assert "yes or no" in asked
    assert await chat.known() == {*SISTER, KEPT_ASIDE}, "nothing goes before the answer"
    told = await chat.say("yes")
    assert told.startswith("Forgotten:")
    assert all(each in told for each in SISTER)
    assert await chat.known() == {KEPT_ASIDE}


@pytest.mark.parametrize("answer", ["no", "never mind", "What is the capital of Norway?"])
async def test_only_a_yes_forgets(chat: Chat, answer: str) -> None:
    await chat.hold(*SISTER)
    await chat.say("Forget everything about my sister")
    await chat.say(answer)
    await chat.say("yes")
    assert await chat.known() == set(SISTER)


async def test_forget_everything_asks_first(chat: Chat) -> None:
    assert await chat.do(Command("forget", everything=True)) == NOTHING_KNOWN
    await chat.hold(*SISTER, KEPT_ASIDE)
    asked = await chat.do(Command("forget", everything=True))
    assert KEPT_ASIDE in asked
    assert len(await chat.known()) == 3
    await chat.say("Yes, please")
    assert await chat.known() == set()


async def test_of_a_wish_that_means_no_memory_the_telling_word_is_named(chat: Chat) -> None:
    await chat.hold(KEPT_ASIDE)
    said = "Please delete what you know about my sister"
    assert await chat.say(said) == "I know nothing about “sister”."
    await chat.say("yes")
    assert await chat.known() == {KEPT_ASIDE}


@pytest.mark.parametrize(
    "said",
    [
        "can you please delete what I said about Gustavo's operation",
        "wipe the thing about Gustavo's knee, no need for it now",
        "get rid of that about the knee",
        "Scrap what I told you on Gustavo",
    ],
)
async def test_a_wish_in_any_words_asks_about_what_it_means(chat: Chat, said: str) -> None:
    knee = "Gustavo has his knee operation in May"
    await chat.hold(knee, *SISTER, KEPT_ASIDE)
    asked = await chat.say(said)
    assert knee in asked
    assert "Shall I?" in asked
    assert not any(each in asked for each in (*SISTER, KEPT_ASIDE))
    await chat.say("yes")
    assert await chat.known() == {*SISTER, KEPT_ASIDE}


@pytest.mark.parametrize(
    "said",
    [
        "I forget names easily.",
        "Never mind the nuts.",
        "Don't forget the milk!",
        "I forgot my keys",
    ],
)
async def test_words_of_forgetting_that_wish_nothing_ask_nothing(chat: Chat, said: str) -> None:
    await chat.hold("I am bad with names", "I eat nuts", "I buy milk on Fridays", "My keys are red")
    assert "Shall I?" not in await chat.say(said)


async def test_what_is_told_beside_a_wish_is_learned_and_what_is_asked_is_answered(
    chat: Chat,
) -> None:
    await chat.hold("I play tennis on Fridays", *SISTER)
    replied = await chat.say(
        "Forget what I said about tennis. My brother Emil is a baker in Bergen. "
        "Where does my sister Maria live?"
    )
    assert "I play tennis on Fridays" in replied.split("Shall I?")[0]
    assert SISTER[0] in replied.split("Shall I?")[1]
    await chat.noticed()
    assert "My brother Emil is a baker in Bergen" in await chat.known()
    await chat.say("yes")
    assert await chat.known() == {"My brother Emil is a baker in Bergen", *SISTER}


async def test_for_good_asks_and_then_erases(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    asked = await chat.say("Forget that for good")
    assert "erased for good" in asked
    assert await chat.known() == {"I live in Oslo"}
    assert await chat.say("yes") == "Erased for good."
    async with chat.database.as_user(chat.user_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM memory_items") == 0
    assert await chat.say("Undo that") == NOTHING_TO_UNDO


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("yes", [False, True]),
        ("yes, but keep the messages", [True, True]),
        ("yes, and delete the messages", [False, False]),
    ],
)
async def test_the_user_chooses_what_becomes_of_the_messages(
    chat: Chat, answer: str, left: list[bool]
) -> None:
    """Whether the words, and whether the message they stood in, are still there."""
    await chat.say("My sister Maria lives in Oslo. The weather was fine in May.")
    assert await chat.noticed() != []
    other = chat.elsewhere()
    await other.say("Forget everything about my sister for good")
    assert await other.say(answer) == "Erased for good."
    said = [each for each in await chat.said() if "about my sister" not in each]
    assert ["Maria" in str(said), "weather" in str(said)] == left


async def test_undo_brings_back_what_was_forgotten(chat: Chat) -> None:
    await chat.hold(*SISTER, KEPT_ASIDE)
    await chat.say("Forget everything about my sister")
    await chat.say("yes")
    assert "It is back" in await chat.say("Undo that")
    assert await chat.known() == {*SISTER, KEPT_ASIDE}
    assert await chat.say("Undo that") == NOTHING_TO_UNDO


async def test_undo_takes_a_replacement_back_and_only_right_after_it(chat: Chat) -> None:
    await chat.say("I live in Oslo.")
    await chat.noticed()
    await chat.say("I live in Bergen now.")
    await chat.noticed()
    assert "I live in Oslo" in await chat.say("Undo that")
    await chat.say("I live in Trondheim now.")
    await chat.noticed()
    await chat.say("Where is my bicycle?")
    assert await chat.say("Undo that") == NOTHING_TO_UNDO


async def test_undo_works_in_another_conversation(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")
    other = chat.elsewhere()
    assert "“I live in Oslo”" in await other.say("Undo the last forget")
    assert await chat.known() == {"I live in Oslo"}


async def test_nobody_undoes_or_forgets_for_another_user(chat: Chat, user_id: str) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")
    other = Chat(chat.assistant, chat.memory, chat.database, f"{user_id}-other")
    assert await other.say("Undo that") == NOTHING_TO_UNDO
    await chat.memory.remember(chat.user_id, NewMemory(content=KEPT_ASIDE))
    await other.do(Command("forget", everything=True))
    await other.say("yes")
    assert await chat.known() == {KEPT_ASIDE}


async def test_dont_remember_that_asks_about_what_was_learned(chat: Chat) -> None:
    """Said while it is being learned: it waits for that, and takes it."""
    await chat.say("My sister Maria lives in Oslo.")
    asked = await chat.say("Don't remember that")
    assert asked.startswith("This will be forgotten: “My sister Maria lives in Oslo”")
    assert await chat.known() == {"My sister Maria lives in Oslo"}
    await chat.say("yes")
    assert await chat.known() == set()
    assert await chat.memory.learn_waiting(chat.user_id) == 0
    assert await chat.known() == set()


async def test_erase_me_asks_and_leaves_nothing(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    assert "yes or no" in await chat.say("Erase everything about me")
    assert await chat.say("yes") == "Everything I had of you is erased."
    assert chat.told.closed.erased
    async with chat.database.as_user(chat.user_id) as connection:
        for table in ("memory_items", "messages", "conversations", "audit_log", "tombstones"):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0, table


async def test_erase_me_is_not_done_on_a_no(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Erase everything about me")
    assert await chat.say("no") == "All right, nothing is changed."
    assert await chat.known() == {"I live in Oslo"}


LUNCH = "Did Gustavo talk about skiing again? The soup was too salty."


async def test_what_was_only_said_is_shown_and_asked_about(chat: Chat) -> None:
    await chat.say(LUNCH)
    await chat.noticed()
    other = chat.elsewhere()
    asked = await other.say("forget about Gustavo")
    assert "you: “Did Gustavo talk about skiing again?”" in asked
    assert "soup" not in asked
    assert "cannot be brought back" in asked
    assert asked.endswith("Shall I? Say yes or no.")
    assert LUNCH in await chat.said(), "nothing goes before the answer"
    assert await other.say("yes") == (
        "Forgotten: what was said about it, in 1 message. That cannot be undone."
    )
    assert await chat.said() == ["[forgotten] The soup was too salty.", "[forgotten]", "yes"]
    assert other.told.closed.unsaid == ("Did Gustavo talk about skiing again?",)
    assert (await chat.actions())[-1] == "said_forgotten"


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("no", [LUNCH]),
        ("What is the capital of Norway?", [LUNCH]),
        ("yes, but keep the messages", [LUNCH]),
        ("yes, and delete the messages", []),
    ],
)
async def test_the_user_decides_what_becomes_of_what_was_said(
    chat: Chat, answer: str, left: list[str]
) -> None:
    await chat.say(LUNCH)
    other = chat.elsewhere()
    await other.say("forget about Gustavo")
    await other.say(answer)
    assert [each for each in await chat.said() if "soup" in each] == left


async def test_many_sentences_are_cut_to_some_and_counted(chat: Chat) -> None:
    for number in range(7):
        await chat.say(f"Should I lend Gustavo tent number {number}? {'so ' * number}")
    await chat.say(f"Is Gustavo {'very ' * 60}late?")
    asked = await chat.elsewhere().say("forget about Gustavo")
    shown = [line for line in asked.splitlines() if line.startswith("- ")]
    assert len(shown) == 6
    assert "…" in shown[0]
    assert max(map(len, shown)) < 220
    assert re.fullmatch(r"- and \d+ more", shown[-1])


async def test_both_memories_and_talk_are_told_and_undone_as_far_as_they_can_be(
    chat: Chat,
) -> None:
    await chat.hold("Gustavo likes soup", KEPT_ASIDE)
    await chat.say(LUNCH)
    asked = await chat.say("forget about Gustavo")
    assert "Gustavo likes soup" in asked
    assert "skiing" in asked
    told = await chat.say("yes")
    assert told.startswith("Forgotten: 1 memory, and what was said about it in ")
    assert "Gustavo" not in told
    assert await chat.known() == {KEPT_ASIDE}
    assert "Gustavo likes soup" in await chat.say("undo")
    assert "skiing" not in str(await chat.said())


async def test_an_undo_after_it_brings_back_no_older_memory_unasked(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")
    await chat.say(LUNCH)
    await chat.say("forget about Gustavo")
    await chat.say("yes")
    assert await chat.say("undo") == SAID_IS_GONE
    assert await chat.known() == set()
    assert "I live in Oslo" in await chat.say("undo")


async def test_a_memory_that_is_only_near_in_meaning_is_left_alone(chat: Chat) -> None:
    await chat.hold("User's favourite food is ramen")
    await chat.say("Should I try sushi?")
    asked = await chat.say("forget what I said about sushi")
    assert "Should I try sushi?" in asked
    assert "ramen" not in asked


async def test_forget_about_is_a_command_only_where_something_is_held_about_it(chat: Chat) -> None:
    wish = "forget what I said about sushi"
    assert "Shall I?" not in await chat.say(wish)
    assert "Shall I?" not in await chat.say(wish), "a wish alone tells nothing"
    await chat.say("Should I try sushi?")
    assert "Shall I?" in await chat.say(wish)


async def test_what_waits_to_be_learned_from_is_not_learned(chat: Chat) -> None:
    await chat.say("My friend Gustavo lives in Bergen.")
    await chat.noticed()
    async with chat.database.as_user(chat.user_id) as connection:
        await connection.execute("DELETE FROM memory_items")
        await connection.execute("UPDATE messages SET needs_learning = true WHERE role = 'user'")
    await chat.say("forget about Gustavo")
    await chat.say("yes")
    await chat.memory.learn_waiting(chat.user_id)
    assert await chat.known() == set()


async def test_erase_and_forget_refuse_at_once_where_incognito_forbids_them(chat: Chat) -> None:
    for goes in ("Go incognito", "Go incognito, read-only"):
        await chat.say(goes)
        for command in (Command("erase_me"), Command("forget", about="Gustavo")):
            refused = await chat.do(command)
            assert refused == str(Incognito())
        assert "Shall I?" not in await chat.say("Erase everything about me")
        await chat.say("End incognito")


@pytest.mark.parametrize(
    "said",
    [
        "ｆｏｒｇｅｔ　ａｂｏｕｔ　ｍｙ　ｓｉｓｔｅｒ",
        "for\u200bget about\u202e my\u00a0sister",
        "\u2066Forget about my sis\u00adter",
    ],
)
async def test_forget_is_understood_in_whatever_letters_it_is_written(
    chat: Chat, said: str
) -> None:
    await chat.hold(SISTER[0])
    assert "yes or no" in await chat.say(said)
    await chat.say("yes")
    assert await chat.known() == set()


@pytest.mark.parametrize("said", ["the second one", "change that", "the new one", "2"])
async def test_what_answers_another_question_forgets_nothing(chat: Chat, said: str) -> None:
    await chat.hold(*SISTER)
    await chat.say("Forget everything about my sister")
    await chat.say(said)
    assert await chat.known() >= set(SISTER)


@pytest.mark.parametrize("said", ["forget that", "delete it", "the new one"])
async def test_what_answers_another_question_erases_nobody(chat: Chat, said: str) -> None:
    await chat.hold(*SISTER)
    assert "erases everything" in await chat.say("Erase everything about me")
    await chat.say(said)
    assert await chat.known() >= set(SISTER)


@pytest.mark.parametrize("between", [" and ", ", "])
async def test_what_shall_be_forgotten_is_not_kept_with_what_shall_be_remembered(
    chat: Chat, between: str
) -> None:
    await chat.hold("I play tennis in Rome")
    asked = await chat.say(f"Forget that I play tennis in Rome{between}remember that I like Bonn")
    assert "This will be forgotten: “I play tennis in Rome”" in asked
    assert not [each for each in await chat.known() if "Rome" in each and "Bonn" in each]


CARS = ("my blue car needs new tyres in March", "my sister Marit bought a blue bicycle")


async def test_a_word_that_is_nowhere_in_memory_is_named_and_not_met_by_the_others(
    chat: Chat,
) -> None:
    await chat.hold(*CARS)
    assert await chat.say("forget about my blue zebra") == "I know nothing about “zebra”."
    await chat.say("yes")
    assert await chat.known() == set(CARS)


async def test_what_is_offered_though_its_word_is_unknown_is_offered_with_that_said(
    chat: Chat,
) -> None:
    boiler = "the boiler is from 2014"
    await chat.hold(boiler, KEPT_ASIDE)
    asked = await chat.say("Please forget everything about the boiler in the cellar")
    assert asked.startswith("I know nothing about “cellar”.")
    assert boiler in asked
    assert KEPT_ASIDE not in asked


@pytest.mark.parametrize(
    "wish", ["you can drop the thing about my ex", "Please forget what I said about my ex"]
)
async def test_what_was_only_asked_about_before_is_not_shown_again(chat: Chat, wish: str) -> None:
    await chat.say("My ex lives in Rome.")
    await chat.noticed()
    first = await chat.say(wish)
    await chat.say("no")
    assert await chat.say(wish) == first
    assert "I: “" not in first


@pytest.mark.parametrize("answer", ["yes, for good", "Yes, permanently please", "ja, für immer"])
async def test_yes_for_good_is_for_good(chat: Chat, answer: str) -> None:
    await chat.hold(*SISTER)
    await chat.say("Forget everything about my sister")
    assert await chat.say(answer) == "Erased for good."
    async with chat.database.as_user(chat.user_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM memory_items") == 0


async def test_no_is_no_whatever_it_names(chat: Chat) -> None:
    await chat.hold(*SISTER)
    await chat.say("Forget everything about my sister")
    await chat.say("no, not for good")
    assert await chat.known() == set(SISTER)
