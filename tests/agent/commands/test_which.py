"""Which of several memories a command means: asked once, answered by place or by words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.commands.parser import Command, parse_choice
from tests.agent.chatting import Chat

LIVES, PLAYS = "My sister lives in Oslo", "My sister plays the cello"
CHOICES = [LIVES, PLAYS]


async def pinned(chat: Chat) -> set[str]:
    return {each.content for each in await chat.memory.list_recent(chat.user_id) if each.pinned}


async def asked(chat: Chat) -> list[str]:
    """The memories that were shown, in their order."""
    await chat.hold(LIVES, PLAYS)
    answer = await chat.do(Command("pin", about="my sister"))
    head, *lines = answer.splitlines()
    assert head == "Which one shall I pin? Say its number or its words:"
    return [each.partition("“")[2].rstrip("”") for each in lines if each]


@pytest.mark.parametrize("said", ["the second one", "2", "die zweite bitte", "la segunda"])
async def test_it_is_answered_by_place(chat: Chat, said: str) -> None:
    _, second = await asked(chat)
    assert await chat.say(said) == f"Pinned, so it is never trimmed: “{second}”"
    assert await pinned(chat) == {second}


@pytest.mark.parametrize("said", [PLAYS, "the cello one", "Pin the cello one"])
async def test_it_is_answered_by_words(chat: Chat, said: str) -> None:
    await asked(chat)
    await chat.say(said)
    assert await pinned(chat) == {PLAYS}
    await chat.noticed()
    assert await chat.known() == {LIVES, PLAYS}


async def test_a_memory_with_a_question_mark_is_chosen_by_its_words(chat: Chat) -> None:
    """As the page's button says them."""
    asks = "My sister's page is oslo.example/?id=7"
    await chat.hold(LIVES, asks)
    await chat.do(Command("pin", about="my sister"))
    await chat.say(asks)
    assert await pinned(chat) == {asks}


async def test_it_is_open_for_one_message(chat: Chat) -> None:
    await asked(chat)
    await chat.say("How are you?")
    await chat.say("the second one")
    assert await pinned(chat) == set()


@pytest.mark.parametrize("said", ["no", "yes", "the third one", "My brother is a nurse."])
async def test_what_does_not_choose_pins_nothing(chat: Chat, said: str) -> None:
    await asked(chat)
    await chat.say(said)
    assert await pinned(chat) == set()


async def test_an_edit_goes_on_with_the_memory_that_is_chosen(chat: Chat) -> None:
    await chat.hold("My aunt Ida lives in Oslo", "My aunt Eva lives in Bergen")
    assert (await chat.say("Correct where my aunt lives to Hamar")).startswith("Which one shall")
    answer = await chat.say("the one in Bergen")
    assert "Now: “My aunt Eva lives in Hamar”" in answer


async def test_what_is_said_again_for_one_of_them_goes_before(chat: Chat) -> None:
    await chat.hold("My aunt Ida lives in Oslo", "My aunt Eva lives in Bergen")
    assert (await chat.say("Correct where my aunt lives to Hamar")).startswith("Which one shall")
    answer = await chat.say("Correct where my aunt Eva lives to Voss")
    assert "Now: “My aunt Eva lives in Voss”" in answer


CHOSEN = {
    "the first one": 0,
    "1.": 0,
    "#2": 1,
    "the last one, please": 1,
    "den andre": 1,
    "le premier": 0,
    "cello": 1,
    "the one about Oslo": 0,
    "my sister": None,
    "the second one?": None,
    "": None,
    "Oslo and the cello": None,
    "5": None,
    "I moved to Oslo with my dog last year": None,
}


def test_what_chooses() -> None:
    heard = {said: parse_choice(said, CHOICES) for said in CHOSEN}
    assert heard == CHOSEN


@given(st.text(max_size=60), st.lists(st.text(max_size=30), min_size=1, max_size=4))
def test_it_never_raises(said: str, choices: list[str]) -> None:
    assert parse_choice(said, choices) in (None, *range(len(choices)))
