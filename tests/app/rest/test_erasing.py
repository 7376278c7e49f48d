"""`POST /v1/memory/erase`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx2
import pytest

from memory.store.database import Database
from tests.app.rest.keeping import keep, texts
from tests.app.serving import as_user

ERASE = "/v1/memory/erase"
CONFIRMED = {"confirm": "erase everything"}
TABLES = (
    "memory_items",
    "memory_settings",
    "conversations",
    "messages",
    "tombstones",
    "audit_log",
    "doubts",
)


async def rows(database: Database, user_id: str) -> int:
    counted = " + ".join(f"(SELECT count(*) FROM {table})" for table in TABLES)
    async with database.as_user(user_id) as connection:
        return int(await connection.fetchval(f"SELECT {counted}"))


async def test_nothing_is_left_of_the_user(
    client: httpx2.AsyncClient, database: Database, user_id: str
) -> None:
    await keep(client, "I own a red kayak")
    await client.post("/v1/memory/settings", json={"redact_messages": False})
    await client.post("/v1/chat", json={"message": "Remember that I prefer green tea"})
    assert await rows(database, user_id)

    answer = await client.post(ERASE, json=CONFIRMED)

    assert answer.status_code == 200
    assert answer.json()["caches_cleared"]
    assert answer.json()["rows"]["memory_items"] >= 1
    assert await rows(database, user_id) == 0
    assert (await client.post(ERASE, json=CONFIRMED)).status_code == 200


async def test_it_is_said_that_api_keys_go_as_well(client: httpx2.AsyncClient) -> None:
    described = (await client.get("/openapi.json")).json()["paths"][ERASE]["post"]

    answer = await client.post(ERASE, json=CONFIRMED)

    assert "API keys" in described["description"]
    assert "api_keys" in answer.json()["rows"]


async def test_a_turn_that_was_just_answered_is_not_told_any_more(
    client: httpx2.AsyncClient,
) -> None:
    told = await client.post("/v1/chat", json={"message": "Remember that I own a red kayak"})
    turn = UUID(told.headers["keepsake-turn"])
    assert (await client.get(f"/v1/chat/{turn}/events")).status_code == 200

    await client.post(ERASE, json=CONFIRMED)

    assert (await client.get(f"/v1/chat/{turn}/events")).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"confirm": "yes"},
        {"confirm": "Erase everything"},
        {"confirm": "erase everything "},
        {"confirm": True},
        CONFIRMED | {"user_id": "somebody"},
    ],
)
async def test_only_the_exact_words_erase(client: httpx2.AsyncClient, body: dict[str, Any]) -> None:
    await keep(client, "I own a red kayak")

    assert (await client.post(ERASE, json=body)).status_code == 422
    assert await texts(client) == {"I own a red kayak"}


async def test_another_user_keeps_everything(
    client: httpx2.AsyncClient, user_id: str, database: Database
) -> None:
    other = f"{user_id}-other"
    await client.post(
        "/v1/memory/entries", json={"text": "I own a red kayak"}, headers=as_user(other)
    )
    before = await rows(database, other)

    await client.post(ERASE, json=CONFIRMED)

    assert await rows(database, other) == before > 0
