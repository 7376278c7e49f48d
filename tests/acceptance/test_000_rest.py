"""Specification 000, “User Controls & Privacy” over REST: its endpoints, and its acceptance
criterion “Users can view, pin, forget, disable memory, and start incognito sessions; actions are
auditable”."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from agent.models.offline import OfflineModel
from memory.config import Settings
from memory.service import MemoryService
from tests.agent.turns import Assist
from tests.app.serving import as_user, make_served, serving

MEMORY = "/v1/memory"
KAYAK, PORT = "I own a red kayak", "The test server is in Bergen"


@pytest.fixture
async def client(
    settings: Settings, memory: MemoryService, assist: Assist, user_id: str
) -> AsyncIterator[httpx2.AsyncClient]:
    async with serving(make_served(settings, memory, assist(OfflineModel()))) as opened:
        opened.headers.update(as_user(user_id))
        yield opened


async def keep(client: httpx2.AsyncClient, text: str, **more: object) -> str:
    """The id of what was kept."""
    answer = await client.post(f"{MEMORY}/entries", json={"text": text, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["entry"]["id"])


async def texts(client: httpx2.AsyncClient, **wanted: str) -> set[str]:
    answer = await client.get(f"{MEMORY}/entries", params=wanted)
    return {entry["text"] for entry in answer.json()["entries"]}


async def test_get_summary_of_a_space(client: httpx2.AsyncClient) -> None:
    """`GET /summary?space=...` — human-readable summary of memories."""
    await keep(client, KAYAK, space="PestIQ")
    summary = (await client.get(f"{MEMORY}/summary", params={"space": "PestIQ"})).json()
    assert KAYAK in summary["text"]
    assert (await client.get(f"{MEMORY}/summary")).json()["text"] == ""


async def test_get_entries_with_filters(client: httpx2.AsyncClient) -> None:
    """`GET /entries?space=...` — list entries with filtering for `pinned` and `manually_saved`."""
    await keep(client, KAYAK, pinned=True)
    await keep(client, PORT, manually_saved=False)
    assert await texts(client, pinned="true") == {KAYAK}
    assert await texts(client, manually_saved="false") == {PORT}
    assert await texts(client, space="PestIQ") == set()


async def test_post_entries(client: httpx2.AsyncClient) -> None:
    """`POST /entries` — create entries; accepts `{ text, space, tags?, manually_saved? }`."""
    body = {"text": KAYAK, "space": "PestIQ", "tags": ["boat"], "manually_saved": True}
    entry = (await client.post(f"{MEMORY}/entries", json=body)).json()["entry"]
    assert {name: entry[name] for name in ("text", "space", "manually_saved")} == {
        "text": KAYAK,
        "space": "PestIQ",
        "manually_saved": True,
    }
    assert "boat" in entry["tags"]


async def test_post_and_delete_pin(client: httpx2.AsyncClient) -> None:
    """`POST /entries/:id/pin` and `DELETE /entries/:id/pin` — manage pinning."""
    pin = f"{MEMORY}/entries/{await keep(client, KAYAK)}/pin"
    assert (await client.post(pin)).json()["pinned"]
    assert not (await client.delete(pin)).json()["pinned"]


async def test_delete_an_entry(client: httpx2.AsyncClient) -> None:
    """`DELETE /entries/:id` — forget an entry and store a 24-hour tombstone digest to prevent
    immediate recreation."""
    gone = await client.delete(f"{MEMORY}/entries/{await keep(client, KAYAK)}")
    assert gone.status_code == 200
    assert await texts(client) == set()
    again = await client.post(f"{MEMORY}/entries", json={"text": KAYAK})
    assert again.status_code == 409
    assert "forget" in again.json()["detail"]


async def test_post_settings(client: httpx2.AsyncClient) -> None:
    """`POST /settings` — set `{ memory_enabled: bool, incognito_default: bool }` per space."""
    wanted = {"space": "PestIQ", "memory_enabled": False, "incognito_default": True}
    told = (await client.post(f"{MEMORY}/settings", json=wanted)).json()
    assert {name: told[name] for name in wanted} == wanted
    refused = await client.post(f"{MEMORY}/entries", json={"text": KAYAK, "space": "PestIQ"})
    assert refused.status_code == 409
    assert (await client.get(f"{MEMORY}/settings")).json()["memory_enabled"]


async def test_post_incognito_start_and_end(client: httpx2.AsyncClient) -> None:
    """`POST /incognito/start` and `POST /incognito/end` — manage session-scoped incognito mode
    that skips persistence and retrieval."""
    await keep(client, KAYAK)
    begun = (await client.post(f"{MEMORY}/incognito/start", json={})).json()
    conversation = {"conversation_id": begun["conversation_id"]}
    said = {"message": "Remember that I prefer green tea. Which kayak is mine?"}

    told = await client.post("/v1/chat", json=conversation | said)

    assert told.status_code == 200
    assert KAYAK not in told.text
    assert await texts(client) == {KAYAK}
    assert (await client.get("/v1/conversations")).json()["conversations"] == []
    ended = await client.post(f"{MEMORY}/incognito/end", json=conversation)
    assert ended.json()["privacy"] == "normal"


async def test_users_view_pin_forget_disable_and_every_act_is_in_the_log(
    client: httpx2.AsyncClient,
) -> None:
    """✅ Users can view, pin, forget, disable memory, and start incognito sessions; actions are
    auditable. That a session was incognito is no entry: it leaves no trace."""
    entry = f"{MEMORY}/entries/{await keep(client, KAYAK)}"
    assert (await client.get(entry)).json()["text"] == KAYAK
    acts = [
        await client.post(f"{entry}/pin"),
        await client.delete(entry),
        await client.post(f"{MEMORY}/settings", json={"memory_enabled": False}),
        await client.post(f"{MEMORY}/incognito/start", json={}),
    ]
    assert [act.status_code for act in acts] == [200] * 4

    log = (await client.get(f"{MEMORY}/audit")).json()["entries"]

    assert [each["action"] for each in log] == ["settings changed", "forgotten", "pinned", "kept"]
    assert [each["actor"] for each in log] == ["user"] * 4
    requests = [act.headers["x-correlation-id"] for act in acts]
    assert [each["correlation_id"] for each in log[:3]] == [requests[2], requests[1], requests[0]]
