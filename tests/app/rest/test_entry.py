"""`GET|PATCH|DELETE /v1/memory/entries/{id}`, pins and restoring."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from memory.maintenance.capacity import Capacity
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import MemoryQueryRequest, NewMemory, Origin
from tests.app.rest.keeping import ENTRIES, keep, texts
from tests.app.serving import as_user

KAYAK, BLUE, TEA = "I own a red kayak", "I own a blue kayak", "I prefer green tea"


async def read(client: httpx2.AsyncClient, item_id: str) -> dict[str, Any]:
    answer = await client.get(f"{ENTRIES}/{item_id}")
    assert answer.is_success, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def test_a_memory_tells_where_it_came_from(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    conversation, turn = uuid4(), uuid4()
    said, _ = await memory.conversations.add_message(
        user_id, conversation, NewMessage("user", "Remember my red kayak!", turn)
    )
    outcome = await memory.remember(user_id, NewMemory(content=KAYAK, source_message_id=said.id))

    source = (await read(client, str(outcome.item.id)))["source"]

    assert source["message_id"] == str(said.id)
    assert source["conversation_id"] == str(conversation)
    assert source["text"] == "Remember my red kayak!"


async def test_a_memory_tells_what_was_done_with_it(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, KAYAK)
    await client.post(f"{ENTRIES}/{entry['id']}/pin")

    history = (await read(client, entry["id"]))["history"]

    assert [each["said"] for each in history] == ["You kept a memory.", "You pinned a memory."]


async def test_a_memory_tells_how_it_was_ranked(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    entry = await keep(client, KAYAK)
    assert (await read(client, entry["id"]))["last_scores"] is None
    await memory.recall(MemoryQueryRequest(user_id=user_id, query="Which kayak is mine?"))
    await memory.aclose()

    told = await read(client, entry["id"])

    assert told["access_count"] == 1
    assert told["last_accessed_at"] is not None
    assert 0 < told["last_scores"]["relevance"] <= 1


async def test_a_tag_that_still_holds_needs_no_answer(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, KAYAK)
    url = f"{ENTRIES}/{entry['id']}"
    tag = (await client.get(url)).headers["etag"]

    same = await client.get(url, headers={"If-None-Match": tag})
    await client.post(f"{url}/pin")
    changed = await client.get(url, headers={"If-None-Match": tag})

    assert (same.status_code, same.content) == (304, b"")
    assert changed.status_code == 200


async def test_a_correction_changes_what_is_named(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, KAYAK, occurred_at="2026-05-01", bank="Interests")
    changes = {"type": "note", "bank": "work", "tags": ["Boat"], "importance": 0.9}

    answer = await client.patch(f"{ENTRIES}/{entry['id']}", json=changes | {"occurred_at": None})

    changed = answer.json()
    assert (changed["type"], changed["bank"], changed["importance"]) == ("note", "Work", 0.9)
    assert changed["occurred_at"] is None
    assert "Boat" in changed["tags"]
    assert changed["text"] == KAYAK


async def test_new_words_keep_the_old_ones_beside_them(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, KAYAK)
    await client.patch(f"{ENTRIES}/{entry['id']}", json={"text": BLUE})

    told = await read(client, entry["id"])

    [older] = told["older"]
    assert (told["text"], older["text"]) == (BLUE, KAYAK)
    assert older["superseded_by"] == entry["id"]
    assert (await read(client, older["id"]))["replaced_by"]["text"] == BLUE
    assert await texts(client) == {BLUE}
    assert await texts(client, include_replaced="true") == {BLUE, KAYAK}


@pytest.mark.parametrize(
    "changes",
    [
        {"text": ""},
        {"text": "a\x00b"},
        {"text": "My AWS key is AKIAIOSFODNN7EXAMPLE"},
        {"tags": ["AKIAIOSFODNN7EXAMPLE"]},
        {"bank": "Cellar"},
        {"pinned": True},
        {"id": str(uuid4())},
        {"importance": -1},
        {"occurred_at": "soon"},
    ],
)
async def test_a_correction_that_is_not_usable_changes_nothing(
    client: httpx2.AsyncClient, changes: dict[str, Any]
) -> None:
    entry = await keep(client, KAYAK)

    answer = await client.patch(f"{ENTRIES}/{entry['id']}", json=changes)

    assert answer.status_code == 422
    [listed] = (await client.get(ENTRIES)).json()["entries"]
    assert listed == entry


async def test_who_looked_before_the_last_change_changes_nothing(
    client: httpx2.AsyncClient,
) -> None:
    entry = await keep(client, KAYAK)
    url = f"{ENTRIES}/{entry['id']}"
    old = {"If-Match": (await client.get(url)).headers["etag"]}
    new = {"If-Match": (await client.post(f"{url}/pin")).headers["etag"]}

    late = await client.patch(url, json={"text": BLUE}, headers=old)
    gone = await client.delete(url, headers=old)

    assert (late.status_code, gone.status_code) == (412, 412)
    assert await texts(client) == {KAYAK}
    assert (await client.patch(url, json={"text": BLUE}, headers=new)).status_code == 200
    assert (await client.delete(url, headers={"If-Match": "*"})).status_code == 200


async def test_a_recall_in_between_refuses_no_change(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    entry = await keep(client, KAYAK)
    url = f"{ENTRIES}/{entry['id']}"
    tag = {"If-Match": (await client.get(url)).headers["etag"]}
    await memory.recall(MemoryQueryRequest(user_id=user_id, query="Which kayak is mine?"))
    await memory.aclose()

    assert (await client.patch(url, json={"importance": 0.2}, headers=tag)).status_code == 200


async def test_what_was_forgotten_is_gone_and_comes_back(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, KAYAK)
    url = f"{ENTRIES}/{entry['id']}"

    gone = await client.delete(url)

    assert gone.json()["forgotten"] == [entry["id"]]
    assert gone.json()["undo_until"] > entry["created_at"]
    assert await texts(client, include_trimmed="true", include_replaced="true") == set()
    assert (await client.get(url)).status_code == 404
    assert (await client.delete(url)).status_code == 404
    assert (await client.post(f"{url}/restore")).json() == entry
    assert await texts(client) == {KAYAK}


async def test_what_was_forgotten_for_good_stays_gone_and_is_proved(
    client: httpx2.AsyncClient, database: Database, user_id: str
) -> None:
    entry = await keep(client, KAYAK)
    url = f"{ENTRIES}/{entry['id']}"
    assert (await client.get(f"{url}/proof")).status_code == 404

    gone = await client.delete(url, params={"for_good": "true"})

    assert gone.json() == {"forgotten": [entry["id"]], "undo_until": None, "erased": True}
    assert (await client.post(f"{url}/restore")).status_code == 404
    proof = (await client.get(f"{url}/proof")).json()
    assert proof["holds"]
    assert proof["removed"]["items"] == 1
    assert "It is gone." in proof["text"]
    async with database.as_user(user_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM memory_items") == 0


async def test_the_proof_of_what_can_still_come_back_does_not_hold(
    client: httpx2.AsyncClient,
) -> None:
    entry = await keep(client, KAYAK)
    await client.delete(f"{ENTRIES}/{entry['id']}")

    proof = (await client.get(f"{ENTRIES}/{entry['id']}/proof")).json()

    assert not proof["holds"]
    assert proof["erased_at"] is None


@pytest.mark.parametrize(
    ("history", "left"), [("keep", True), ("redact", False), ("delete", False)]
)
async def test_the_conversations_become_what_was_chosen(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str, history: str, left: bool
) -> None:
    conversation = uuid4()
    said, _ = await memory.conversations.add_message(
        user_id, conversation, NewMessage("user", KAYAK, uuid4())
    )
    outcome = await memory.remember(user_id, NewMemory(content=KAYAK, source_message_id=said.id))

    await client.delete(
        f"{ENTRIES}/{outcome.item.id}", params={"for_good": "true", "history": history}
    )

    messages = await memory.conversations.read_recent(user_id, conversation, 10)
    assert any("kayak" in each.content for each in messages) is left


@pytest.mark.parametrize("params", [{"history": "burn"}, {"for_good": "perhaps"}])
async def test_how_to_forget_is_one_of_the_known_ways(
    client: httpx2.AsyncClient, params: dict[str, str]
) -> None:
    entry = await keep(client, KAYAK)

    answer = await client.delete(f"{ENTRIES}/{entry['id']}", params=params)

    assert answer.status_code == 422
    assert await texts(client) == {KAYAK}


async def test_a_pin_is_set_and_taken_away(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, KAYAK, manually_saved=False)
    pin = f"{ENTRIES}/{entry['id']}/pin"

    pinned = (await client.post(pin)).json()
    again = (await client.post(pin)).json()
    unpinned = (await client.delete(pin)).json()

    assert pinned["pinned"] and pinned["importance"] > entry["importance"]
    assert again == pinned
    assert not unpinned["pinned"]
    assert unpinned["importance"] == pinned["importance"]


async def test_what_was_replaced_comes_back_and_both_hold(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK)
    entry = (await client.get(ENTRIES)).json()["entries"][0]
    await client.patch(f"{ENTRIES}/{entry['id']}", json={"text": BLUE})
    [older] = (await read(client, entry["id"]))["older"]

    back = await client.post(f"{ENTRIES}/{older['id']}/restore")

    assert back.json()["superseded_by"] is None
    assert await texts(client) == {KAYAK, BLUE}
    assert (await client.post(f"{ENTRIES}/{older['id']}/restore")).json() == back.json()


async def test_what_was_trimmed_comes_back_to_stay(
    client: httpx2.AsyncClient, database: Database, user_id: str
) -> None:
    entry = await keep(client, KAYAK, manually_saved=False)
    await keep(client, TEA)
    keeper = Capacity(database, MemoryMetrics(), cap=1)
    await keeper.enforce(user_id, "default", origin=Origin("upkeep"))
    assert (await read(client, entry["id"]))["trimmed_at"] is not None
    assert await texts(client) == {TEA}

    back = await client.post(f"{ENTRIES}/{entry['id']}/restore")

    assert back.status_code == 200
    assert back.json() == entry | {"manually_saved": True}
    assert await texts(client) == {KAYAK, TEA}
    told = [each["said"] for each in (await read(client, entry["id"]))["history"]]
    assert told[-1] == "You brought a trimmed memory back."


async def test_foreign_forgotten_and_unknown_ids_are_told_apart_by_nobody(
    client: httpx2.AsyncClient, user_id: str
) -> None:
    stranger = as_user(f"{user_id}-stranger")
    answer = await client.post(ENTRIES, json={"text": TEA}, headers=stranger)
    foreign = answer.json()["entry"]["id"]
    forgotten = (await keep(client, KAYAK))["id"]
    await client.delete(f"{ENTRIES}/{forgotten}", params={"for_good": "true"})
    ways = [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/pin"), ("DELETE", "/pin")]

    for method, part in [*ways, ("POST", "/restore")]:
        told = []
        for item_id in (foreign, forgotten, str(uuid4())):
            body = {"importance": 0.5} if method == "PATCH" else None
            missed = await client.request(method, f"{ENTRIES}/{item_id}{part}", json=body)
            assert missed.status_code == 404
            correlation = missed.headers["x-correlation-id"]
            told.append(missed.text.replace(item_id, "").replace(correlation, ""))
        assert len(set(told)) == 1, (method, part, told)
    assert await texts(client) == set()


@pytest.mark.parametrize("item_id", ["1", "%00", "not-an-id", "..%2Faudit"])
async def test_what_is_no_id_is_refused(client: httpx2.AsyncClient, item_id: str) -> None:
    assert (await client.get(f"{ENTRIES}/{item_id}")).status_code in {404, 422}
