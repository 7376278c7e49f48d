"""Erasing everything of a user while other turns of theirs are answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from agents.items import TResponseStreamEvent
from agents.testing import ModelCall, ModelStep, ScriptedModel

from agent.assistant import Assistant
from agent.models.offline import OfflineModel
from agent.turn.events import StopSignal, TextDelta
from agent.turn.running import RunningTurns
from memory.cache import Cache
from memory.errors import BeingErased, ConversationNotFound
from memory.types import DEFAULT_SPACE
from tests.agent.conftest import MemoryBy
from tests.agent.scripts import delta
from tests.agent.turn.test_learning import Held
from tests.agent.turns import Assist, Told, assists, take_turn


def endless() -> ScriptedModel:
    """Replies to two turns, neither of which comes to its end."""

    async def pour(_: ModelCall) -> AsyncIterator[TResponseStreamEvent]:
        yield delta("Once upon a time")
        await asyncio.Event().wait()

    return ScriptedModel([ModelStep.stream(pour) for _ in range(2)])


class Elsewhere:
    """A turn of the same user in another tab, listened to in a task of its own."""

    def __init__(self, assistant: Assistant, user_id: str) -> None:
        self.conversation = uuid4()
        self.told = Told()
        self._assistant = assistant
        self._user_id = user_id
        self._speaks = asyncio.Event()

    async def begin(self, text: str = "Tell me a story.") -> asyncio.Task[None]:
        """Answers once the reply has begun."""
        task = asyncio.create_task(self._listen(text))
        await self._speaks.wait()
        return task

    async def _listen(self, text: str) -> None:
        answer = self._assistant.answer(self._user_id, self.conversation, text)
        async for event in answer:
            self.told.events.append(event)
            if isinstance(event, TextDelta):
                self._speaks.set()


@pytest.fixture
async def rows(database_url: str, user_id: str) -> AsyncIterator[Callable[[], Any]]:
    """Counts what any table has of the user, as the owner of the database sees it."""
    connection = await asyncpg.connect(database_url)

    async def count() -> dict[str, int]:
        tables = await connection.fetch(
            "SELECT DISTINCT table_name AS name FROM information_schema.columns "
            "JOIN information_schema.tables USING (table_schema, table_name) "
            "WHERE column_name = 'user_id' AND table_schema = 'public' "
            "AND table_type = 'BASE TABLE'"
        )
        found = {
            row["name"]: await connection.fetchval(
                f'SELECT count(*) FROM "{row["name"]}" WHERE user_id = $1', user_id
            )
            for row in tables
        }
        assert {"messages", "conversations", "memory_items", "audit_log"} <= found.keys()
        return {name: number for name, number in found.items() if number}

    yield count
    await connection.close()


async def erase(assistant: Assistant, user_id: str) -> Told:
    """What a person says in a chat who wants to be erased."""
    conversation = uuid4()
    await take_turn(assistant, user_id, conversation, "Erase everything about me")
    return await take_turn(assistant, user_id, conversation, "yes")


async def test_replies_that_are_being_written_are_stopped_and_nothing_is_left(
    assist: Assist, user_id: str, rows: Callable[[], Any]
) -> None:
    assistant = assist(endless())
    tabs = [Elsewhere(assistant, user_id), Elsewhere(assistant, user_id)]
    listening = [await tab.begin() for tab in tabs]
    assert (await rows())["conversations"] == 2

    told = await erase(assistant, user_id)
    await asyncio.gather(*listening)
    await assistant.aclose()

    assert told.text == "Everything I had of you is erased."
    assert await rows() == {}
    assert [tab.told.closed.erased for tab in tabs] == [True, True]


async def test_an_incognito_conversation_goes_too(assist: Assist, user_id: str) -> None:
    assistant = assist(endless())
    tab = Elsewhere(assistant, user_id)
    assistant.begin(user_id, tab.conversation, DEFAULT_SPACE, "incognito")
    listening = await tab.begin("My blood group is A.")
    private = assistant.memory.for_privacy("incognito").conversations
    assert len(await private.read_recent(user_id, tab.conversation, 10)) == 1

    await erase(assistant, user_id)
    await listening

    with pytest.raises(ConversationNotFound):
        await assistant.talks.find(user_id, tab.conversation)
    assert await private.read_recent(user_id, tab.conversation, 10) == []


async def test_what_is_being_learned_is_learned_no_more(
    memory_by: MemoryBy, cache: Cache, user_id: str, rows: Callable[[], Any]
) -> None:
    held = Held()
    async with assists(memory_by(held), cache) as assist:
        assistant = assist(OfflineModel())
        await take_turn(assistant, user_id, uuid4(), "My sister Maria lives in Oslo.")
        await held.begun.wait()

        await erase(assistant, user_id)
        held.let_go.set()
        await assistant.aclose()

    assert await rows() == {}


async def test_another_program_does_not_store_its_reply_afterwards(
    assist: Assist, user_id: str, rows: Callable[[], Any]
) -> None:
    """A program cannot stop the turns of another one, but a reply begins no conversation."""
    other = assist(endless())
    tab, stop = uuid4(), StopSignal()
    answer = other.answer(user_id, tab, "Tell me a story.", stop=stop)
    async for event in answer:
        if isinstance(event, TextDelta):
            await erase(assist(OfflineModel()), user_id)
            stop.stop()
    await other.aclose()

    assert await rows() == {}


async def test_the_turns_of_others_go_on(assist: Assist, user_id: str) -> None:
    assistant = assist(endless())
    tab = Elsewhere(assistant, f"{user_id}-other")
    listening = await tab.begin()

    await erase(assistant, user_id)

    assert tab.told.events[-1] == TextDelta("Once upon a time")
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


async def test_no_turn_begins_while_a_user_is_erased(user_id: str) -> None:
    turns = RunningTurns()

    async with turns.stopped(user_id):
        with pytest.raises(BeingErased):
            turns.begin(user_id, uuid4(), StopSignal())
        turns.begin(f"{user_id}-other", uuid4(), StopSignal())

    turns.begin(user_id, uuid4(), StopSignal())
