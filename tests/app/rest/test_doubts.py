"""`GET /v1/memory/doubts`, `POST /v1/memory/doubts/{id}`."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.app.rest.keeping import ENTRIES, keep, texts

DOUBTS = "/v1/memory/doubts"
NONE: dict[str, Any] = {"doubts": [], "next": None}
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
    assert (await client.get(DOUBTS, params={"space": "PestIQ"})).json() == NONE


@pytest.mark.parametrize(
    ("holds", "held", "out"),
    [("newer", FIAT, [VOLVO]), ("older", VOLVO, [FIAT]), ("both", FIAT, [])],
)
async def test_the_answer_settles_it(
    client: httpx2.AsyncClient, holds: str, held: str, out: list[str]
) -> None:
    asked = await doubt(client)

    answer = (await client.post(f"{DOUBTS}/{asked['id']}", json={"holds": holds})).json()

    assert (answer["outcome"], answer["entry"]["text"]) == ("replaced" if out else "kept", held)
    assert [each["text"] for each in answer["out"]] == out
    assert await texts(client) == {VOLVO, FIAT} - {*out}
    assert (await client.get(DOUBTS)).json() == NONE


@pytest.mark.parametrize(("holds", "out"), [("newer", "older"), ("older", "newer")])
async def test_an_answer_is_undone_by_restoring_what_went(
    client: httpx2.AsyncClient, holds: str, out: str
) -> None:
    asked = await doubt(client)
    await client.post(f"{DOUBTS}/{asked['id']}", json={"holds": holds})

    await client.post(f"{ENTRIES}/{asked[out]['id']}/restore")

    assert await texts(client) == {VOLVO, FIAT}


async def test_it_is_answered_once(client: httpx2.AsyncClient) -> None:
    asked = await doubt(client)
    url, key = f"{DOUBTS}/{asked['id']}", {"Idempotency-Key": "answer-1"}
    first = await client.post(url, json={"holds": "older"}, headers=key)

    assert (await client.post(url, json={"holds": "both"})).status_code == 404
    again = await client.post(url, json={"holds": "older"}, headers=key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert (await client.post(f"{DOUBTS}/{uuid4()}", json={"holds": "newer"})).status_code == 404


@pytest.mark.parametrize("body", [{}, {"holds": "neither"}, {"holds": "both", "user_id": "x"}])
async def test_an_answer_names_one_of_them_or_both(
    client: httpx2.AsyncClient, body: dict[str, Any]
) -> None:
    asked = await doubt(client)

    assert (await client.post(f"{DOUBTS}/{asked['id']}", json=body)).status_code == 422
    assert await texts(client) == {VOLVO, FIAT}


async def test_questions_come_page_by_page(client: httpx2.AsyncClient) -> None:
    await doubt(client)
    for town in ("Oslo", "Bergen"):
        await keep(client, f"My sister Maria lives in {town}")
    both = (await client.get(DOUBTS)).json()["doubts"]

    first = (await client.get(DOUBTS, params={"limit": 1})).json()
    rest = (await client.get(DOUBTS, params={"limit": 1, "cursor": first["next"]})).json()

    assert [*first["doubts"], *rest["doubts"]] == both
    assert (len(both), rest["next"]) == (2, None)
