"""Forgetting by command: shown, asked about once, undone."""

from __future__ import annotations

import pytest

from agent.commands.forgetting import NOTHING_TO_UNDO
from agent.commands.which import NOTHING_KNOWN, NOTHING_MEANT
from agent.plain_words.commands import Command
from memory.models import NewItem
from tests.agent.chatting import Chat

SISTER = ("My sister Maria lives in Oslo", "My sister Maria plays the cello")
KEPT_ASIDE = "I park on level three"


async def test_forget_that_takes_what_was_just_kept_at_once(chat: Chat) -> None:
    await chat.hold(KEPT_ASIDE)
    await chat.say("Remember that I live in Oslo")
    assert "“undo”" in await chat.say("Forget that")
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


async def test_nothing_about_it_is_said_so(chat: Chat) -> None:
    await chat.hold(KEPT_ASIDE)
    assert "nothing in memory about" in await chat.say("Forget everything about my sister")
    await chat.say("yes")
    assert await chat.known() == {KEPT_ASIDE}


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
    await chat.say("I moved to Bergen.")
    await chat.noticed()
    assert "I live in Oslo" in await chat.say("Undo that")
    await chat.say("I moved to Trondheim.")
    await chat.noticed()
    await chat.say("Where is my bicycle?")
    assert await chat.say("Undo that") == NOTHING_TO_UNDO


async def test_undo_works_in_another_conversation(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    other = chat.elsewhere()
    assert "“I live in Oslo”" in await other.say("Undo the last forget")
    assert await chat.known() == {"I live in Oslo"}


async def test_nobody_undoes_or_forgets_for_another_user(chat: Chat, user_id: str) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    other = Chat(chat.assistant, chat.memory, chat.database, f"{user_id}-other")
    assert await other.say("Undo that") == NOTHING_TO_UNDO
    await chat.memory.remember(chat.user_id, NewItem(content=KEPT_ASIDE))
    await other.do(Command("forget", everything=True))
    await other.say("yes")
    assert await chat.known() == {KEPT_ASIDE}


async def test_dont_remember_takes_back_what_was_learned(chat: Chat) -> None:
    """Said while it is being learned: it waits for that, and takes it."""
    await chat.say("My sister Maria lives in Oslo.")
    answer = await chat.say("Don't remember that")
    assert answer.startswith("All right. Forgotten: “My sister Maria lives in Oslo”")
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
