"""`/v1/conversations`: listed, found, read, renamed and deleted, by their user alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from app.api.dependencies import ApiServices
from memory.config import Settings
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import NewMemory, Privacy
from tests.agent.turns import Assist, read_messages
from tests.app.serving import as_user, make_served
from tests.app.streaming import Held, connected, events_of, say

KAYAK = "I own a red kayak"


@pytest.fixture
async def client(served: ApiServices, user_id: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with connected(served, as_user(user_id)) as client:
        yield client


async def begin(client: httpx2.AsyncClient, text: str, **more: Any) -> str:
    """A conversation in which that was said first."""
    events = await say(client, text, **more)
    return str(events[0].data["conversation_id"])


async def listed(client: httpx2.AsyncClient, **wanted: Any) -> list[str]:
    answer = await client.get("/v1/conversations", params=wanted)
    assert answer.status_code == 200
    return [each["id"] for each in answer.json()["conversations"]]


async def messages(client: httpx2.AsyncClient, talk: str, **wanted: Any) -> dict[str, Any]:
    answer = await client.get(f"/v1/conversations/{talk}/messages", params=wanted)
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


async def test_the_last_used_comes_first(client: httpx2.AsyncClient) -> None:
    first = await begin(client, "Hello there")
    second = await begin(client, KAYAK)
    await say(client, "Good morning", conversation_id=first)

    assert await listed(client) == [first, second]


async def test_a_list_goes_on_where_its_page_ended(client: httpx2.AsyncClient) -> None:
    talks = [await begin(client, f"Hello number {number}") for number in range(3)]
    page = (await client.get("/v1/conversations", params={"limit": 2})).json()
    rest = (await client.get("/v1/conversations", params={"cursor": page["next"]})).json()

    found = [each["id"] for each in page["conversations"] + rest["conversations"]]
    assert found == talks[::-1]
    assert rest["next"] is None


@pytest.mark.parametrize("text", ["kayak", "kayaks", "KAY", "red kay", '"red kayak"'])
async def test_found_by_what_was_said(client: httpx2.AsyncClient, text: str) -> None:
    talk = await begin(client, "Hello there")
    await say(client, KAYAK, conversation_id=talk)
    await begin(client, "Good morning to you")

    assert await listed(client, text=text) == [talk]


async def test_found_by_its_title(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "Hello there")
    renamed = await client.patch(f"/v1/conversations/{talk}", json={"title": " My 100%  boats "})

    assert renamed.json()["title"] == "My 100% boats"
    assert await listed(client, text="100% bo") == [talk]
    assert await listed(client, text="100x bo") == []


@pytest.mark.parametrize("title", ["", " ", "\t \n"])
async def test_a_title_says_something(client: httpx2.AsyncClient, title: str) -> None:
    talk = await begin(client, "Hello there")
    renamed = await client.patch(f"/v1/conversations/{talk}", json={"title": title})

    assert renamed.status_code == 422
    assert (await client.get(f"/v1/conversations/{talk}")).json()["title"] == "Hello there"


async def test_a_new_title_is_in_the_log_without_its_words(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "Hello there")
    await client.patch(f"/v1/conversations/{talk}", json={"title": "My boats"})

    entry = (await client.get("/v1/memory/audit")).json()["entries"][0]

    assert entry["action"] == "conversation_renamed"
    assert entry["correlation_id"] is not None
    assert "title" in entry["said"]
    assert "boats" not in str(entry)


async def test_a_space_has_its_own(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "Hello there", space="work")

    assert await listed(client) == []
    assert await listed(client, space="work") == [talk]
    assert (await client.get(f"/v1/conversations/{talk}")).json()["space"] == "work"


async def test_a_title_keeps_no_secret(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "Hello there")
    renamed = await client.patch(
        f"/v1/conversations/{talk}", json={"title": "my password is hunter2hunter2"}
    )

    assert "hunter2" not in renamed.text


async def test_messages_tell_what_they_rest_on(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "My sister Maria lives in Oslo")
    await say(client, "Where does my sister live?", conversation_id=talk)

    told = (await messages(client, talk))["messages"]

    assert [each["role"] for each in told] == ["user", "assistant"] * 2
    assert told[2]["turn_id"] == told[3]["turn_id"]
    [used] = told[3]["memories"]
    assert (used["text"], used["gone"]) == ("My sister Maria lives in Oslo", False)
    assert used["why"]["scores"]["total"] > 0


async def test_what_was_forgotten_since_is_gone(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "My sister Maria lives in Oslo")
    await say(client, "Where does my sister live?", conversation_id=talk)
    used = (await messages(client, talk))["messages"][3]["memories"][0]["id"]
    await client.delete(f"/v1/memory/entries/{used}")

    [gone] = (await messages(client, talk))["messages"][3]["memories"]

    assert (gone["id"], gone["gone"], gone["text"]) == (used, True, None)


async def test_a_past_message_is_shown_in_the_words_that_it_has_now(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    past, talk = uuid4(), uuid4()
    said = NewMessage("user", "The ferry left at noon", uuid4())
    rested = ({"message_id": str(said.id), "relevance": 0.5},)
    reply = NewMessage("assistant", "At noon.", uuid4(), recalled=rested)
    await memory.conversations.add_message(user_id, past, said)
    await memory.conversations.add_message(user_id, talk, reply)

    [told] = (await messages(client, str(talk)))["messages"][0]["quoted"]
    await client.delete(f"/v1/conversations/{past}")
    [gone] = (await messages(client, str(talk)))["messages"][0]["quoted"]

    assert (told["text"], told["role"], told["gone"]) == (said.content, "user", False)
    assert (told["id"], told["conversation_id"]) == (str(said.id), str(past))
    assert (told["relevance"], told["created_at"] is None) == (0.5, False)
    assert (gone["id"], gone["text"], gone["gone"]) == (str(said.id), None, True)


async def test_older_messages_come_page_by_page(client: httpx2.AsyncClient) -> None:
    talk = await begin(client, "Hello number 0")
    for number in (1, 2):
        await say(client, f"Hello number {number}", conversation_id=talk)

    newest = await messages(client, talk, limit=4)
    older = await messages(client, talk, limit=4, cursor=newest["next"])

    said = [each["text"] for each in older["messages"] + newest["messages"]]
    assert said[::2] == ["Hello number 0", "Hello number 1", "Hello number 2"]
    assert older["next"] is None


@pytest.mark.parametrize("privacy", ["incognito", "incognito_read_only"])
async def test_an_incognito_one_is_known_and_in_no_list(
    client: httpx2.AsyncClient, privacy: Privacy
) -> None:
    talk = await begin(client, KAYAK, privacy=privacy)

    told = await messages(client, talk)
    found = (await client.get(f"/v1/conversations/{talk}")).json()

    assert told == {"messages": [], "next": None}
    assert (found["privacy"], found["running"]) == (privacy, None)
    assert await listed(client) == []


async def test_the_answer_of_an_incognito_one_is_followed_by_nobody_else(
    settings: Settings, memory: MemoryService, assist: Assist, user_id: str
) -> None:
    held = Held("You said: ", "more")
    served = make_served(settings, memory, assist(held.model))
    body = {"message": KAYAK, "privacy": "incognito"}
    async with (
        connected(served, as_user(user_id)) as client,
        client.stream("POST", "/v1/chat", json=body) as answer,
    ):
        events = events_of(answer)
        talk = (await anext(events)).data["conversation_id"]
        found = (await client.get(f"/v1/conversations/{talk}")).json()
        held.let_go()
        names = [event.name async for event in events]

    assert (found["privacy"], found["running"]) == ("incognito", None)
    assert names[-1] == "end"


async def test_an_incognito_one_does_not_outlive_the_process(
    client: httpx2.AsyncClient,
    served: ApiServices,
    database: Database,
    assist: Assist,
    user_id: str,
) -> None:
    talk = await begin(client, KAYAK, privacy="incognito")
    other = make_served(served.settings, served.memory, assist(Held("Hello").model))

    async with connected(other, as_user(user_id)) as later:
        answer = await later.get(f"/v1/conversations/{talk}")
        said = await later.post("/v1/chat", json={"message": "Go on", "conversation_id": talk})

    assert (answer.status_code, said.status_code) == (404, 404)
    assert await read_messages(database, user_id) == []


async def test_what_is_said_incognito_is_shown_to_no_other_reader(
    client: httpx2.AsyncClient,
) -> None:
    """Of a conversation that became incognito, the stored part is."""
    talk = await begin(client, "Hello there")
    before = await messages(client, talk)
    await say(client, "go incognito", conversation_id=talk)
    await say(client, KAYAK, conversation_id=talk)

    assert before["messages"][0]["text"] == "Hello there"
    assert await messages(client, talk) == before


async def test_deleting_leaves_only_what_was_learned(
    client: httpx2.AsyncClient, database: Database, user_id: str
) -> None:
    talk = await begin(client, KAYAK)
    other = await begin(client, "Hello there")

    answer = await client.delete(f"/v1/conversations/{talk}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert (await client.get(f"/v1/conversations/{talk}")).status_code == 404
    assert await listed(client) == [other]
    assert KAYAK not in [row["content"] for row in await read_messages(database, user_id)]
    entries = (await client.get("/v1/memory/entries")).json()["entries"]
    assert [(each["text"], each["source_message_id"]) for each in entries] == [(KAYAK, None)]
    log = (await client.get("/v1/memory/audit")).json()["entries"]
    assert log[0]["action"] == "conversation_deleted"


async def test_deleting_stops_what_is_being_answered(
    settings: Settings, memory: MemoryService, assist: Assist, database: Database, user_id: str
) -> None:
    served = make_served(settings, memory, assist(Held("You said: ", "more").model))
    body = {"message": "Tell me"}
    async with (
        connected(served, as_user(user_id)) as client,
        client.stream("POST", "/v1/chat", json=body) as answer,
    ):
        events = events_of(answer)
        talk = (await anext(events)).data["conversation_id"]
        deleted = await client.delete(f"/v1/conversations/{talk}")
        names = [event.name async for event in events]

    assert deleted.status_code == 204
    assert names[-1] == "end"
    assert await read_messages(database, user_id) == []


async def test_an_incognito_one_is_deleted_without_a_trace(
    client: httpx2.AsyncClient,
) -> None:
    talk = await begin(client, KAYAK, privacy="incognito")

    answer = await client.delete(f"/v1/conversations/{talk}")

    assert answer.status_code == 204
    assert (await client.get(f"/v1/conversations/{talk}")).status_code == 404
    assert (await client.get("/v1/memory/audit")).json()["entries"] == []


async def test_those_of_others_are_not_there(client: httpx2.AsyncClient, user_id: str) -> None:
    talk = await begin(client, KAYAK)
    private = await begin(client, KAYAK, privacy="incognito")
    client.headers.update(as_user(f"{user_id}-other"))

    for each in (talk, private, str(uuid4())):
        path = f"/v1/conversations/{each}"
        answers = [
            await client.get(path),
            await client.get(f"{path}/messages"),
            await client.patch(path, json={"title": "Mine"}),
            await client.delete(path),
        ]
        assert [answer.status_code for answer in answers] == [404] * 4
    assert await listed(client) == []


@pytest.mark.parametrize("history", ["redact", "delete", "keep"])
async def test_the_words_of_what_was_forgotten_are_shown_no_more_until_it_is_back(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str, history: str
) -> None:
    chat, turn = uuid4(), uuid4()
    asked = NewMessage("user", "My sister Maria lives in Oslo. Thanks for listening!", turn)
    said, _ = await memory.conversations.add_message(user_id, chat, asked)
    fact = NewMemory(content="My sister Maria lives in Oslo", source_message_id=said.id)
    item = (await memory.remember(user_id, fact)).item
    rested = ({"item_id": str(item.id), "relevance": 0.9},)
    reply = NewMessage("assistant", "Your sister Maria lives in Oslo.", uuid4(), recalled=rested)
    await memory.conversations.add_message(user_id, chat, reply)

    async def read() -> list[str]:
        return [each["text"] for each in (await messages(client, str(chat)))["messages"]]

    before = await read()
    entry = f"/v1/memory/entries/{item.id}"
    await client.delete(entry, params={"history": history})
    hidden = await read()
    await client.post(f"{entry}/restore")

    assert (
        hidden
        == {
            "redact": ["[forgotten] Thanks for listening!", "[forgotten]"],
            "delete": ["[forgotten]", "[forgotten]"],
            "keep": before,
        }[history]
    )
    assert await read() == before == [asked.content, reply.content]


async def test_a_title_that_a_person_gave_does_not_outlive_forgetting_for_good(
    client: httpx2.AsyncClient,
) -> None:
    talk = await begin(client, "Remember that my cousin Ottoline lives in Wexcombe")
    await client.patch(f"/v1/conversations/{talk}", json={"title": "Ottoline in Wexcombe"})
    [entry] = (await client.get("/v1/memory/entries")).json()["entries"]

    await client.delete(f"/v1/memory/entries/{entry['id']}", params={"for_good": "true"})

    title = (await client.get(f"/v1/conversations/{talk}")).json()["title"]
    assert title is None or "ottoline" not in title.lower()
    assert (await client.get(f"/v1/memory/entries/{entry['id']}/proof")).json()["holds"]


async def test_the_events_of_a_deleted_conversation_are_gone_with_it(
    client: httpx2.AsyncClient,
) -> None:
    told = await say(client, "Remember that I own a kayak")
    other = await say(client, "Hello there")
    turn, talk = told[0].data["turn_id"], told[0].data["conversation_id"]

    await client.delete(f"/v1/conversations/{talk}")

    assert (await client.get(f"/v1/chat/{turn}/events")).status_code == 404
    kept = await client.get(f"/v1/chat/{other[0].data['turn_id']}/events")
    assert kept.status_code == 200
