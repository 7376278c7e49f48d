"""`POST /v1/memory/incognito/start|end`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from agent.models.offline import OfflineModel
from app.api.dependencies import ApiServices
from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.tokens import TokenCounter
from tests.agent.turns import assists, read_exchange, read_messages, take_turn
from tests.app.rest.keeping import texts
from tests.app.serving import as_user, make_served, serving
from tests.app.streaming import Event, done_of, events_of


@pytest.fixture
async def remade(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[MemoryService]:
    memory = make_memory(database, embedder, cache, counter, settings)
    yield memory
    await memory.aclose()


@pytest.fixture
async def restarted(
    remade: MemoryService, cache: Cache, settings: Settings, user_id: str
) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of another process over the same database."""
    async with assists(remade, cache) as assist:
        served = make_served(settings, remade, assist(OfflineModel()))
        async with serving(served) as client:
            client.headers.update(as_user(user_id))
            yield client
        await served.chats.aclose()


async def said(client: httpx2.AsyncClient, body: dict[str, str]) -> list[Event]:
    """The events of a turn to its end."""
    async with client.stream("POST", "/v1/chat", json=body) as answer:
        assert answer.status_code == 200
        return [event async for event in events_of(answer)]


START, END = "/v1/memory/incognito/start", "/v1/memory/incognito/end"


async def test_a_new_conversation_begins_incognito_and_leaves_nothing(
    client: httpx2.AsyncClient, served: ApiServices, database: Database, user_id: str
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
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
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


@pytest.mark.parametrize("how", ["route", "words"])
async def test_the_conversation_goes_on_stored_when_it_ends(
    client: httpx2.AsyncClient, database: Database, user_id: str, how: str
) -> None:
    """Also where nothing of it was ever stored; what was said incognito is gone."""
    told = await said(client, {"message": "I like secret bread.", "privacy": "incognito"})
    chat = {"conversation_id": told[0].data["conversation_id"]}

    if how == "route":
        for _ in range(2):
            assert (await client.post(END, json=chat)).json()["privacy"] == "normal"
    else:
        await said(client, {"message": "end incognito"} | chat)
    before = (await client.get(f"/v1/conversations/{chat['conversation_id']}/messages")).json()
    told = await said(client, {"message": "I like rye bread.", "privacy": "normal"} | chat)

    assert before["messages"] == []
    assert told[0].data["conversation_id"] == chat["conversation_id"]
    assert done_of(told)["privacy"] == "normal"
    assert (await read_exchange(database, user_id))[0] == ("user", "I like rye bread.", "complete")


async def test_one_that_ended_before_anything_was_stored_can_be_deleted(
    client: httpx2.AsyncClient,
) -> None:
    chat = (await client.post(START, json={})).json()["conversation_id"]
    await client.post(END, json={"conversation_id": chat})

    assert (await client.delete(f"/v1/conversations/{chat}")).status_code == 204
    assert (await client.get(f"/v1/conversations/{chat}")).status_code == 404


@pytest.mark.parametrize("read_only", [False, True])
async def test_it_goes_on_incognito_after_a_restart(
    client: httpx2.AsyncClient,
    restarted: httpx2.AsyncClient,
    database: Database,
    user_id: str,
    read_only: bool,
) -> None:
    """Also for a client that does not say how private it takes the conversation to be."""
    chat = (await said(client, {"message": "I like rye bread."}))[0].data["conversation_id"]
    privacy = "incognito_read_only" if read_only else "incognito"
    await client.post(START, json={"conversation_id": chat, "read_only": read_only})
    await said(client, {"message": "I like secret bread.", "conversation_id": chat})
    before = await read_exchange(database, user_id)
    kept = [text for _, text, _ in before]

    shown = (await restarted.get(f"/v1/conversations/{chat}")).json()
    told = await said(restarted, {"message": "I live in Quimperville.", "conversation_id": chat})
    messages = (await restarted.get(f"/v1/conversations/{chat}/messages")).json()["messages"]
    refused = await restarted.post(
        "/v1/chat", json={"message": "x", "conversation_id": chat, "privacy": "normal"}
    )

    assert shown["privacy"] == told[0].data["privacy"] == done_of(told)["privacy"] == privacy
    assert await read_exchange(database, user_id) == before
    assert [each["text"] for each in messages] == kept
    assert refused.status_code == 422


async def test_the_stored_part_is_read_after_a_restart(
    client: httpx2.AsyncClient, restarted: httpx2.AsyncClient
) -> None:
    chat = (await said(client, {"message": "I like rye bread."}))[0].data["conversation_id"]
    await client.post(START, json={"conversation_id": chat})

    page = (await restarted.get(f"/v1/conversations/{chat}/messages")).json()

    assert page["messages"][0]["text"] == "I like rye bread."
    assert page["next"] is None


async def test_one_that_ended_incognito_is_stored_again_after_a_restart(
    client: httpx2.AsyncClient, restarted: httpx2.AsyncClient, database: Database, user_id: str
) -> None:
    chat = (await said(client, {"message": "I like rye bread."}))[0].data["conversation_id"]
    await client.post(START, json={"conversation_id": chat})
    await client.post(END, json={"conversation_id": chat})

    told = await said(restarted, {"message": "I like brown bread.", "conversation_id": chat})

    assert told[0].data["privacy"] == "normal"
    assert len(await read_messages(database, user_id)) == 4


async def test_one_of_which_nothing_is_stored_is_gone_after_a_restart(
    client: httpx2.AsyncClient, restarted: httpx2.AsyncClient, database: Database, user_id: str
) -> None:
    begun = (await client.post(START, json={})).json()["conversation_id"]
    await said(client, {"message": "I like secret bread.", "conversation_id": begun})

    answer = await restarted.post(
        "/v1/chat", json={"message": "And rye?", "conversation_id": begun, "privacy": "incognito"}
    )

    assert answer.status_code == 404
    assert await read_messages(database, user_id) == []


async def test_another_users_conversation_is_not_found(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
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


@pytest.mark.parametrize("how", ["route", "words"])
async def test_the_events_of_what_was_said_go_with_it(client: httpx2.AsyncClient, how: str) -> None:
    told = await said(client, {"message": "My name is Ada", "privacy": "incognito"})
    turn, talk = told[0].data["turn_id"], told[0].data["conversation_id"]

    if how == "route":
        await client.post(END, json={"conversation_id": talk})
    else:
        await said(client, {"message": "Turn off incognito mode", "conversation_id": talk})

    assert (await client.get(f"/v1/chat/{turn}/events")).status_code == 404
