"""A wish to leave something out of memory takes what it is about, and no more where it says so."""

from __future__ import annotations

import pytest

from agent.turn.notices import NOT_KEPT
from memory.store.database import Database
from tests.agent.chatting import Chat
from tests.agent.turns import read_messages

DOG = "We have a dog called Bo"
ILL = "Please don't keep that my sister is ill."


@pytest.mark.parametrize(
    "said",
    [
        f"{DOG}. {ILL}",
        f"{ILL} {DOG}.",
        f"{DOG}. My sister is ill, that is not for your notes.",
    ],
)
async def test_what_is_told_beside_it_is_kept_and_what_is_not_kept_is_named(
    chat: Chat, said: str
) -> None:
    await chat.say(said)
    await chat.noticed()
    assert await chat.known() == {DOG}
    [notice] = chat.told.closed.notices
    assert notice.startswith(f"Not kept: “{said.replace(f'{DOG}.', '').strip()}”.")


@pytest.mark.parametrize(
    "wish", ["Please don't remember any of this.", "Keep none of that.", "Don't remember that."]
)
async def test_a_wish_that_names_nothing_takes_the_whole_message(chat: Chat, wish: str) -> None:
    await chat.say(f"My sister Maria lives in Bergen. I have two cats. {wish}")
    await chat.noticed()
    assert await chat.known() == set()
    assert NOT_KEPT in chat.told.closed.notices


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Don't write this down: Tom is in debt. Remember that Tom turns 60 in August.",
         {"Tom turns 60 in August"}),
        ("Remember that Tom turns 60 in August. No, don't keep any of that.", set()),
    ],
)  # fmt: skip
async def test_what_is_asked_to_be_kept_after_such_a_wish_is_kept(
    chat: Chat, said: str, kept: set[str]
) -> None:
    await chat.say(said)
    await chat.noticed()
    assert await chat.known() == kept


async def test_remember_it_anyway_keeps_what_was_left_out_alone(chat: Chat) -> None:
    await chat.say(f"{DOG}. {ILL}")
    await chat.noticed()
    await chat.say("Remember it anyway")
    assert await chat.known() == {DOG, ILL}


async def test_what_is_commanded_beside_it_is_obeyed(chat: Chat) -> None:
    said = await chat.say(f"Remember that I own a red kayak. {ILL}")
    assert "I will remember: “I own a red kayak”" in said
    assert await chat.known() == {"I own a red kayak"}


async def test_a_message_with_something_left_out_is_not_found_again(
    chat: Chat, database: Database
) -> None:
    await chat.say(f"{DOG}. {ILL}")
    rows = await read_messages(database, chat.user_id)
    assert [row["recallable"] for row in rows] == [False, False]
