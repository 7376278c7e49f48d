"""A reply that is being written in one tab while everything is erased in another."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import uuid4

import httpx2
import pytest

from app.api.dependencies import ApiServices
from app.api.streaming import ChatTurn, TurnRequest
from memory.config import Settings
from memory.errors import BeingErased, TurnNotFound
from memory.service import MemoryService
from memory.store.database import Database
from tests.agent.turns import Assist, read_exchange
from tests.app.serving import make_served
from tests.app.streaming import Held, done_of, say

Erase: TypeAlias = Callable[[httpx2.AsyncClient], Awaitable[None]]


@pytest.fixture
def served(settings: Settings, memory: MemoryService, assist: Assist) -> ApiServices:
    """Over a reply that does not come to its end."""
    return make_served(settings, memory, assist(Held("Once upon a time", " …").model))


def begin(served: ApiServices, user_id: str, text: str = "Tell me a story.") -> ChatTurn:
    return served.chats.begin(TurnRequest(user_id, uuid4(), "default", text, uuid4()))


async def erase_by_button(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/v1/memory/erase", json={"confirm": "erase everything"})
    assert answer.status_code == 200


async def erase_in_chat(client: httpx2.AsyncClient) -> None:
    asked = await say(client, "Erase everything about me")
    conversation = asked[0].data["conversation_id"]
    told = await say(client, "yes", conversation_id=conversation)
    assert done_of(told)["erased"]


@pytest.mark.parametrize("erase", [erase_by_button, erase_in_chat])
async def test_it_ends_and_is_neither_stored_nor_told_again(
    client: httpx2.AsyncClient, served: ApiServices, database: Database, user_id: str, erase: Erase
) -> None:
    turn = begin(served, user_id)
    async for event in turn.follow():
        if event.name == "text":
            await erase(client)

    assert await read_exchange(database, user_id) == []
    with pytest.raises(TurnNotFound):
        served.chats.find(user_id, turn.id)


async def test_no_turn_begins_meanwhile(served: ApiServices, user_id: str) -> None:
    async with served.assistant.turns.stopped(user_id):
        with pytest.raises(BeingErased):
            await begin(served, user_id).opened()


async def test_the_answer_that_says_so_can_be_read_again(
    client: httpx2.AsyncClient, served: ApiServices, user_id: str
) -> None:
    """Where the connection broke in the middle of it."""
    begin(served, user_id)
    conversation = (await say(client, "Erase everything about me"))[0].data["conversation_id"]
    told = await say(client, "yes", conversation_id=conversation)

    again = await client.get(f"/v1/chat/{told[0].data['turn_id']}/events")

    assert "Everything I had of you is erased." in again.text
