"""What Keepsake asks comes with the end of a stream, and is open once somebody was sent that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx2
import pytest
from agents.items import TResponseStreamEvent
from agents.testing import ModelCall, ModelStep, ScriptedModel

from app.api.dependencies import ApiServices
from memory.config import Settings
from memory.service import MemoryService
from memory.types import NewMemory
from tests.agent.scripts import calls, delta, says
from tests.agent.turns import Assist
from tests.app.serving import as_user, make_served
from tests.app.streaming import completed, connected, done_of, events_of, say, text_of

SISTER = "My sister Maria lives in Oslo"


class Asking:
    """A model that wants the sister forgotten, and then says something that can be held."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        script: list[Any] = [
            calls("memory_control", action="forget", about="my sister"),
            ModelStep.stream(self._pour),
            says("What do you mean?"),
        ]
        self.model = ScriptedModel(script)

    async def _pour(self, _: ModelCall) -> AsyncIterator[TResponseStreamEvent]:
        yield delta("Hello ")
        await self.may_end.wait()
        yield delta("you.", 1)
        yield completed("Hello you.")


@pytest.fixture
def asking() -> Asking:
    return Asking()


@pytest.fixture
def served(
    settings: Settings, memory: MemoryService, assist: Assist, asking: Asking
) -> ApiServices:
    return make_served(settings, memory, assist(asking.model))


@pytest.fixture
async def client(
    served: ApiServices, memory: MemoryService, user_id: str
) -> AsyncIterator[httpx2.AsyncClient]:
    await memory.remember(user_id, NewMemory(content=SISTER))
    async with connected(served, as_user(user_id)) as client:
        yield client


async def known(memory: MemoryService, user_id: str) -> list[str]:
    return [item.content for item in await memory.list_recent(user_id)]


async def test_a_question_comes_with_the_end_and_is_answered_by_the_next_message(
    client: httpx2.AsyncClient, asking: Asking, memory: MemoryService, user_id: str
) -> None:
    asking.may_end.set()
    events = await say(client, "Hello there")

    asked = done_of(events)["question"]
    assert text_of(events) == "Hello you."
    assert f"This will be forgotten: “{SISTER}”" in asked["text"]
    assert (asked["choices"], asked["in_reply"]) == ([], False)
    assert await known(memory, user_id) == [SISTER]
    talk = events[0].data["conversation_id"]
    assert (await client.get(f"/v1/conversations/{talk}")).json()["question"] == asked
    await say(client, "yes", conversation_id=talk)
    assert await known(memory, user_id) == []
    assert (await client.get(f"/v1/conversations/{talk}")).json()["question"] is None


async def test_a_question_whose_reply_is_stored_nowhere_is_told_with_its_words(
    client: httpx2.AsyncClient,
) -> None:
    """Nothing typed with a slash is stored, so that a page which is reloaded has no such reply."""
    events = await say(client, "/forget my sister")
    assert done_of(events)["question"]["in_reply"]
    talk = events[0].data["conversation_id"]
    asked = (await client.get(f"/v1/conversations/{talk}")).json()["question"]
    assert not asked["in_reply"]


async def test_the_words_of_a_command_have_its_question(client: httpx2.AsyncClient) -> None:
    events = await say(client, "Forget about my sister")

    asked = done_of(events)["question"]
    assert (asked["text"], asked["in_reply"]) == (text_of(events), True)


async def test_a_question_that_was_sent_to_nobody_is_answered_by_nothing(
    client: httpx2.AsyncClient,
    served: ApiServices,
    asking: Asking,
    memory: MemoryService,
    user_id: str,
) -> None:
    talk, turn = await dropped(client)
    asking.may_end.set()
    await served.chats.find(user_id, UUID(turn)).closed.wait()

    events = await say(client, "yes", conversation_id=talk)

    assert text_of(events) == "What do you mean?"
    assert await known(memory, user_id) == [SISTER]


async def test_whoever_comes_back_is_asked(
    client: httpx2.AsyncClient, asking: Asking, memory: MemoryService, user_id: str
) -> None:
    talk, turn = await dropped(client)
    asking.may_end.set()
    async with client.stream("GET", f"/v1/chat/{turn}/events") as answer:
        events = [event async for event in events_of(answer)]
    assert SISTER in done_of(events)["question"]["text"]

    await say(client, "yes", conversation_id=talk)

    assert await known(memory, user_id) == []


async def dropped(client: httpx2.AsyncClient) -> tuple[str, str]:
    """A turn whose client went away in the middle: its conversation, and its id."""
    async with client.stream("POST", "/v1/chat", json={"message": "Hello there"}) as answer:
        async for event in events_of(answer):
            if event.name == "turn":
                begun = event.data
            if event.name == "text":
                break
    return begun["conversation_id"], begun["turn_id"]
