"""`GET /v1/memory/doubts`, `POST /v1/memory/doubts/{id}`."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.app.rest.keeping import ENTRIES, keep, texts

DOUBTS = "/v1/memory/doubts"
VOLVO, FIAT = "My car is a Volvo", "My car is a Fiat"


async def doubt(client: httpx2.AsyncClient) -> dict[str, Any]:
    await keep(client, VOLVO)
    await keep(client, FIAT)
    [found] = (await client.get(DOUBTS)).json()["doubts"]
    told: dict[str, Any] = found
    return told


async def test_a_doubt_shows_both_and_asks(client: httpx2.AsyncClient) -> None:
    asked = await doubt(client)

    assert (asked["older"]["text"], asked["newer"]["text"]) == (VOLVO, FIAT)
    assert "Volvo" in asked["question"] and "Fiat" in asked["question"]
    assert (await client.get(DOUBTS, params={"space": "PestIQ"})).json() == {"doubts": []}


@pytest.mark.parametrize(
    ("replaces", "outcome", "left"), [(True, "replaced", {FIAT}), (False, "kept", {VOLVO, FIAT})]
)
async def test_the_answer_settles_it(
    client: httpx2.AsyncClient, replaces: bool, outcome: str, left: set[str]
) -> None:
    asked = await doubt(client)

    answer = (await client.post(f"{DOUBTS}/{asked['id']}", json={"replaces": replaces})).json()

    assert (answer["outcome"], answer["entry"]["text"]) == (outcome, FIAT)
    assert [each["text"] for each in answer["older"]] == ([VOLVO] if replaces else [])
    assert await texts(client) == left
    assert (await client.get(DOUBTS)).json() == {"doubts": []}


async def test_a_replacement_is_undone_by_restoring(client: httpx2.AsyncClient) -> None:
    asked = await doubt(client)
    await client.post(f"{DOUBTS}/{asked['id']}", json={"replaces": True})

    await client.post(f"{ENTRIES}/{asked['older']['id']}/restore")

    assert await texts(client) == {VOLVO, FIAT}


async def test_it_is_answered_once(client: httpx2.AsyncClient) -> None:
    asked = await doubt(client)
    url, key = f"{DOUBTS}/{asked['id']}", {"Idempotency-Key": "answer-1"}
    first = await client.post(url, json={"replaces": True}, headers=key)

    assert (await client.post(url, json={"replaces": False})).status_code == 404
    again = await client.post(url, json={"replaces": True}, headers=key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert (await client.post(f"{DOUBTS}/{uuid4()}", json={"replaces": True})).status_code == 404


@pytest.mark.parametrize("body", [{}, {"replaces": "yes"}, {"replaces": True, "user_id": "x"}])
async def test_an_answer_is_yes_or_no(client: httpx2.AsyncClient, body: dict[str, Any]) -> None:
    asked = await doubt(client)

    assert (await client.post(f"{DOUBTS}/{asked['id']}", json=body)).status_code == 422
    assert await texts(client) == {VOLVO, FIAT}
