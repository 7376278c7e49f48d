"""`/v1/episodes`."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from memory.config import Settings

EPISODES = "/v1/episodes"
TASK = "Deploy the shop to staging"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Switched on."""
    return settings.model_copy(update={"episodes_enabled": True})


async def begin(client: httpx2.AsyncClient, task: str = TASK, **more: Any) -> dict[str, Any]:
    answer = await client.post(EPISODES, json={"task": task, **more})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    assert answer.headers["Location"] == f"{EPISODES}/{told['id']}"
    return told


async def test_an_episode_from_its_begin_to_its_end(client: httpx2.AsyncClient) -> None:
    begun = await begin(client, plan=["migrate"])
    place = f"{EPISODES}/{begun['id']}"
    assert (begun["outcome_score"], begun["value"], begun["completed_at"]) == (None, None, None)
    acted = await client.post(
        f"{place}/actions", json={"type": "migrate", "result": "timed out", "succeeded": False}
    )
    assert [each["result"] for each in acted.json()["actions"]] == ["timed out"]
    ended = await client.post(
        f"{place}/complete", json={"outcome_score": 0.3, "failure_modes": ["a lock"]}
    )
    assert (ended.json()["value"], ended.json()["failure_modes"]) == (0.65, ["a lock"])
    assert (await client.get(place)).json() == ended.json()
    similar = await client.post("/v1/similar-episodes", json={"task": "Deploy the shop"})
    assert [each["episode"]["id"] for each in similar.json()["episodes"]] == [begun["id"]]


async def test_what_has_ended_takes_nothing_more(client: httpx2.AsyncClient) -> None:
    place = f"{EPISODES}/{(await begin(client))['id']}"
    await client.post(f"{place}/complete", json={"outcome_score": 1.0})
    for path, body in (("actions", {"type": "look"}), ("complete", {"outcome_score": 0.0})):
        answer = await client.post(f"{place}/{path}", json=body)
        assert answer.status_code == 409
        assert answer.headers["content-type"].startswith("application/problem+json")


async def test_a_page_leads_to_the_next(client: httpx2.AsyncClient) -> None:
    for number in range(3):
        await begin(client, f"Task {number}")
    page = (await client.get(EPISODES, params={"limit": 2})).json()
    rest = (await client.get(EPISODES, params={"limit": 2, "cursor": page["next"]})).json()
    told = [each["task"] for each in (*page["episodes"], *rest["episodes"])]
    assert (told, rest["next"]) == (["Task 2", "Task 1", "Task 0"], None)
    assert (await client.get(EPISODES, params={"space": "PestIQ"})).json()["episodes"] == []


async def test_the_same_request_with_one_key_is_done_once(client: httpx2.AsyncClient) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first, again = [await client.post(EPISODES, json={"task": TASK}, headers=key) for _ in range(2)]
    assert first.json() == again.json()
    action = {"Idempotency-Key": str(uuid4())}
    place = f"{EPISODES}/{first.json()['id']}/actions"
    for _ in range(2):
        acted = await client.post(place, json={"type": "look"}, headers=action)
    assert len(acted.json()["actions"]) == 1
    assert len((await client.get(EPISODES)).json()["episodes"]) == 1


async def test_what_is_removed_is_not_there(client: httpx2.AsyncClient) -> None:
    place = f"{EPISODES}/{(await begin(client))['id']}"
    assert (await client.delete(place)).status_code == 204
    assert (await client.get(place)).status_code == 404
    assert (await client.delete(place)).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"outcome_score": 1.1},
        {"outcome_score": "1"},
        {"outcome_score": 0.5, "failure_modes": [""]},
        {"outcome_score": 0.5, "lessons_learned": ["a"] * 21},
        {},
    ],
)
async def test_an_ending_that_is_none_is_refused(
    client: httpx2.AsyncClient, body: dict[str, Any]
) -> None:
    place = f"{EPISODES}/{(await begin(client))['id']}"
    assert (await client.post(f"{place}/complete", json=body)).status_code == 422


async def test_without_a_credential_nothing_is_told(anyone: httpx2.AsyncClient) -> None:
    assert (await anyone.get(EPISODES)).status_code == 401
