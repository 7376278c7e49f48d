"""`GET /v1/memory/summary`, banks and spaces."""

from __future__ import annotations

from uuid import uuid4

import httpx2

from memory.service import MemoryService
from memory.store.messages import NewMessage
from memory.types import BANKS
from tests.app.rest.keeping import keep

SUMMARY = "/v1/memory/summary"


async def test_the_summary_is_by_bank_and_readable(client: httpx2.AsyncClient) -> None:
    await keep(client, "I own a red kayak", bank="Interests", pinned=True)
    await keep(client, "I work as a carpenter", bank="Work")
    await keep(client, "The test server is in Bergen", bank="Work", space="PestIQ")

    told = (await client.get(SUMMARY)).json()

    assert (told["space"], told["count"]) == ("default", 2)
    assert {each["bank"]: (each["count"], each["pinned"]) for each in told["banks"]} == {
        "Interests": (1, 1),
        "Work": (1, 0),
    }
    assert "- I own a red kayak (pinned)" in told["text"].splitlines()
    assert [each["entries"][0]["text"] for each in told["banks"] if each["bank"] == "Work"] == [
        "I work as a carpenter"
    ]


async def test_a_space_has_a_summary_of_its_own(client: httpx2.AsyncClient) -> None:
    await keep(client, "The test server is in Bergen", space="PestIQ")

    assert (await client.get(SUMMARY)).json()["text"] == ""
    assert "Bergen" in (await client.get(SUMMARY, params={"space": "PestIQ"})).json()["text"]


async def test_a_summary_that_still_holds_is_not_sent_again(client: httpx2.AsyncClient) -> None:
    await keep(client, "I own a red kayak")
    tag = {"If-None-Match": (await client.get(SUMMARY)).headers["etag"]}

    same = await client.get(SUMMARY, headers=tag)
    await keep(client, "I work as a carpenter")
    changed = await client.get(SUMMARY, headers=tag)

    assert (same.status_code, same.content) == (304, b"")
    assert changed.status_code == 200


async def test_the_banks_of_the_settings_come_first_and_empty_ones_too(
    client: httpx2.AsyncClient,
) -> None:
    await keep(client, "I own a red kayak", bank="Interests", pinned=True)

    banks = (await client.get("/v1/memory/banks")).json()["banks"]

    assert [each["bank"] for each in banks] == list(BANKS)
    assert {each["bank"]: each["count"] for each in banks} == dict.fromkeys(BANKS, 0) | {
        "Interests": 1
    }


async def test_the_spaces_are_those_in_use_and_the_default(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    assert (await client.get("/v1/memory/spaces")).json() == {"spaces": ["default"], "next": None}
    await keep(client, "The test server is in Bergen", space="PestIQ")
    message = NewMessage("user", "Hello", uuid4())
    await memory.conversations.add_message(user_id, uuid4(), message, "TheoEngine")

    spaces = (await client.get("/v1/memory/spaces")).json()["spaces"]

    assert spaces == ["PestIQ", "TheoEngine", "default"]


async def test_many_spaces_come_page_by_page(client: httpx2.AsyncClient) -> None:
    for space in ("Boats", "Work"):
        await keep(client, f"Something of {space}", space=space)

    first = (await client.get("/v1/memory/spaces", params={"limit": 2})).json()
    asked = {"limit": 2, "cursor": first["next"]}
    rest = (await client.get("/v1/memory/spaces", params=asked)).json()

    assert [*first["spaces"], *rest["spaces"]] == ["Boats", "Work", "default"]
    assert (len(first["spaces"]), rest["next"]) == (2, None)
    forged = await client.get("/v1/memory/spaces", params={"cursor": "x"})
    assert forged.status_code == 422
