"""`GET /v1/memory/audit`."""

from __future__ import annotations

import httpx2
import pytest

from app.schemas.pagination import encode_number
from tests.app.rest.keeping import ENTRIES, keep
from tests.app.serving import as_user

AUDIT = "/v1/memory/audit"


async def test_every_act_is_told_newest_first_and_without_words(
    client: httpx2.AsyncClient,
) -> None:
    entry = await keep(client, "I own a red kayak")
    url = f"{ENTRIES}/{entry['id']}"
    await client.post(f"{url}/pin")
    await client.delete(f"{url}/pin")
    await client.patch(url, json={"text": "I own a blue kayak"})
    gone = await client.delete(url)
    await client.post("/v1/memory/settings", json={"memory_enabled": False})

    answer = await client.get(AUDIT)
    told = answer.json()["entries"]

    assert [each["action"] for each in told] == [
        "settings changed",
        "forgotten",
        "forgotten",
        "edited",
        "unpinned",
        "pinned",
        "kept",
    ]
    assert told[0]["said"] == "You changed the settings of the space default (memory: off)."
    assert told[1]["correlation_id"] == gone.headers["x-correlation-id"]
    assert "kayak" not in answer.text
    assert answer.json()["next"] is None


async def test_pages_follow_one_another(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, "I own a red kayak")
    for method in ("POST", "DELETE", "POST"):
        await client.request(method, f"{ENTRIES}/{entry['id']}/pin")

    first = (await client.get(AUDIT, params={"limit": 3})).json()
    second = (await client.get(AUDIT, params={"limit": 3, "cursor": first["next"]})).json()

    actions = [each["action"] for each in first["entries"] + second["entries"]]
    assert actions == ["pinned", "unpinned", "pinned", "kept"]
    assert second["next"] is None


async def test_a_cursor_leads_to_ones_own_log_alone(
    client: httpx2.AsyncClient, user_id: str
) -> None:
    await keep(client, "I own a red kayak")
    stranger = as_user(f"{user_id}-stranger")

    params = {"cursor": encode_number(2**62)}

    assert (await client.get(AUDIT, params=params)).json()["entries"]
    assert (await client.get(AUDIT, params=params, headers=stranger)).json()["entries"] == []


@pytest.mark.parametrize("cursor", ["x", "%00", "f" * 32, encode_number(-1) + "A"])
async def test_a_forged_cursor_is_refused(client: httpx2.AsyncClient, cursor: str) -> None:
    assert (await client.get(AUDIT, params={"cursor": cursor})).status_code == 422
