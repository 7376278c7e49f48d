"""Why the last answer says what it says."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from agent.commands.display import NOTHING_MEANT, SHOWN_UNUSED, explain, last_answer_if_meant
from agent.commands.parser import Command
from agent.conversations.state import ConversationState
from agent.explanation import NOT_LOOKED, NOTHING_USED, AnswerBasis, AnswerLeftOut, AnswerMemory
from agent.turn.context import TurnContext
from memory.service import MemoryService
from memory.types import Origin, ScoreParts, StoredMemory, Why
from tests.agent.chatting import Chat
from tests.agent.turns import read_messages

WHY = Why(scores=ScoreParts(relevance=0.8, recency=0.5, importance=0.5, total=0.8), keyword_rank=1)
WHY_COMMAND = Command("why")


def turn_of(memory: MemoryService, user_id: str, answered: AnswerBasis | None) -> TurnContext:
    return TurnContext(
        user_id=user_id,
        conversation_id=uuid4(),
        correlation_id=uuid4(),
        memory=memory,
        dialogue=ConversationState("default", answered=answered),
        max_results=10,
        min_relevance=0.3,
        token_budget=1000,
    )


def rested(item: StoredMemory) -> AnswerMemory:
    return AnswerMemory(item.id, 0.8, 0.9, WHY)


def unused(item: StoredMemory) -> AnswerLeftOut:
    return AnswerLeftOut(item.id, 0.2, "score")


async def test_after_an_answer_why_explains_it(chat: Chat) -> None:
    await chat.hold("My sister lives in Oslo", "I park on level three")
    assert "Oslo" in await chat.say("Where does my sister live?")
    told = await chat.say("Why did you say that?")
    assert "“My sister lives in Oslo”: learned from what you said" in told
    assert "- recalled with relevance" in told
    obeyed = await chat.assistant.obey(chat.user_id, chat.conversation, WHY_COMMAND)
    assert obeyed.explained is not None
    [used] = obeyed.explained.used
    assert used.item.content == "My sister lives in Oslo"
    assert used.number == 1


async def test_an_answer_that_found_nothing_is_explained_as_well(chat: Chat) -> None:
    await chat.hold("I park on level three")
    await chat.say("Where does my sister live?")
    assert (await chat.do(WHY_COMMAND)).startswith(NOTHING_USED)
    await chat.say("Hello!")
    assert await chat.do(WHY_COMMAND) == NOT_LOOKED
    assert await chat.elsewhere().do(WHY_COMMAND) == NOTHING_MEANT


async def test_what_was_spoken_of_since_is_meant_instead(chat: Chat) -> None:
    await chat.hold("My sister lives in Oslo")
    await chat.say("Where does my sister live?")
    await chat.say("Remember that I use vim")
    told = await chat.do(WHY_COMMAND)
    assert "“I use vim”: you asked me to keep it" in told
    assert "Oslo" not in told


async def test_a_number_names_a_memory_in_every_command(chat: Chat) -> None:
    held = await chat.hold("My sister Maria lives in Oslo", "My sister Maria plays the cello")
    await chat.say("Who is my sister Maria?")
    obeyed = await chat.assistant.obey(chat.user_id, chat.conversation, WHY_COMMAND)
    assert obeyed.explained is not None
    second = obeyed.explained.used[1].item
    assert second.content in await chat.do(Command("why", about="#2"))
    assert second.content in await chat.do(Command("pin", about="#2"))
    changed = await chat.do(Command("edit", about="#2", text="My sister Maria moved to Bergen"))
    assert "Bergen" in changed
    asked = await chat.do(Command("forget", about="#1"))
    [first] = [each for each in held if each.id != second.id]
    assert first.content in asked
    assert "Shall I?" in asked
    for number in ("#0", "#99"):
        assert await chat.do(Command("pin", about=number)) == NOTHING_MEANT


async def test_what_was_forgotten_since_is_counted_and_not_shown(
    chat: Chat, memory: MemoryService, user_id: str
) -> None:
    tea, cat, car = await chat.hold("I like tea", "I have a cat", "I drive a car")
    answered = AnswerBasis(0.3, True, (rested(tea), rested(cat)), (unused(car),))
    await memory.forgetting.forget(user_id, [tea.id, car.id], Origin("user"))
    explained = await explain(answered, turn_of(memory, user_id, answered))
    assert [(each.number, each.item.content) for each in explained.used] == [(2, "I have a cat")]
    assert explained.gone == 1
    assert (explained.unused, explained.more) == ((), 0)


async def test_at_most_so_many_that_were_left_out_are_shown(
    chat: Chat, memory: MemoryService, user_id: str
) -> None:
    names = [chr(ord("A") + number) * 3 for number in range(SHOWN_UNUSED + 4)]
    items = await chat.hold(*(f"{name} is a friend of mine" for name in names))
    answered = AnswerBasis(0.3, True, (), tuple(map(unused, items)))
    explained = await explain(answered, turn_of(memory, user_id, answered))
    assert [each.number for each in explained.unused] == list(range(1, SHOWN_UNUSED + 1))
    assert explained.more == 4
    assert explained.unused[0].reason == "below the cut of 0.30"


async def test_a_memory_of_somebody_else_is_never_shown(
    chat: Chat, memory: MemoryService, user_id: str
) -> None:
    [tea] = await chat.hold("I like tea")
    answered = AnswerBasis(0.3, True, (rested(tea),), (unused(tea),))
    explained = await explain(answered, turn_of(memory, f"not-{user_id}", answered))
    assert (explained.used, explained.unused) == ((), ())


@pytest.mark.parametrize("about", ["my sister", "#1"])
def test_what_names_a_memory_is_not_about_the_answer(memory: MemoryService, about: str) -> None:
    turn = turn_of(memory, "ada", AnswerBasis(0.3))
    assert last_answer_if_meant(WHY_COMMAND, turn) is not None
    assert last_answer_if_meant(Command("why", about=about), turn) is None
    turn.dialogue.mention([uuid4()])
    assert last_answer_if_meant(WHY_COMMAND, turn) is None


async def test_the_figures_are_kept_with_the_reply_and_no_word_of_a_memory(chat: Chat) -> None:
    [sister] = await chat.hold("My sister lives in Oslo")
    await chat.say("Where does my sister live?")
    *_, reply = await read_messages(chat.database, chat.user_id)
    [told] = json.loads(reply["recalled"])
    assert told["item_id"] == str(sister.id)
    assert told["relevance"] == told["scores"]["relevance"]
    assert set(told["scores"]) == set(ScoreParts.model_fields)
    assert told["ranks"]["vector"] == 1
    assert "Oslo" not in reply["recalled"]
