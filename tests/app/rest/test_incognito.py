"""`POST /v1/memory/incognito/start|end`."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from app.server.served import Served
from memory.database import Database
from memory.service import Memory
from memory.store.conversations import NewMessage
from tests.agent.turns import read_messages, take_turn
from tests.app.rest.keeping import texts
from tests.app.serving import as_user

START, END = "/v1/memory/incognito/start", "/v1/memory/incognito/end"


async def test_a_new_conversation_begins_incognito_and_leaves_nothing(
    client: httpx2.AsyncClient, served: Served, database: Database, user_id: str
) -> None:
    begun = (await client.post(START, json={})).json()
    assert begun["privacy"] == "incognito"

    told = await take_turn(
        served.assistant, user_id, UUID(begun["conversation_id"]), "Remember that I own a kayak"
    )

    assert told.closed.privacy == "incognito"
    assert await read_messages(database, user_id) == []
    assert await texts(client) == set()


async def test_a_conversation_becomes_incognito_and_ends_it(
    client: httpx2.AsyncClient, memory: Memory, user_id: str
) -> None:
    conversation = uuid4()
    await memory.conversations.add_message(
        user_id, conversation, NewMessage("user", "Hello", uuid4())
    )
    body = {"conversation_id": str(conversation)}

    started = await client.post(START, json=body | {"read_only": True})
    ended = await client.post(END, json=body)
    again = await client.post(END, json=body)

    assert started.json() == body | {"privacy": "incognito_read_only"}
    assert ended.json() == again.json() == body | {"privacy": "normal"}


async def test_what_was_said_incognito_is_gone_when_it_ends(client: httpx2.AsyncClient) -> None:
    body = {"conversation_id": (await client.post(START, json={})).json()["conversation_id"]}

    assert (await client.post(END, json=body)).json()["privacy"] == "normal"
    assert (await client.post(END, json=body)).status_code == 404


async def test_another_users_conversation_is_not_found(
    client: httpx2.AsyncClient, memory: Memory, user_id: str
) -> None:
    stored = uuid4()
    other = f"{user_id}-other"
    await memory.conversations.add_message(other, stored, NewMessage("user", "Hello", uuid4()))
    begun = (await client.post(START, json={}, headers=as_user(other))).json()["conversation_id"]

    for url in (START, END):
        told = []
        for each in (str(stored), begun, str(uuid4())):
            answer = await client.post(url, json={"conversation_id": each})
            assert answer.status_code == 404
            told.append(answer.text.replace(answer.headers["x-correlation-id"], ""))
        assert len(set(told)) == 1


@pytest.mark.parametrize(
    ("url", "body"),
    [
        (START, {"conversation_id": "here"}),
        (START, {"read_only": 1}),
        (START, {"user_id": "somebody"}),
        (START, {"space": "a\x00b"}),
        (END, {}),
    ],
)
async def test_what_is_not_usable_is_refused(
    client: httpx2.AsyncClient, url: str, body: dict[str, Any]
) -> None:
    assert (await client.post(url, json=body)).status_code == 422
