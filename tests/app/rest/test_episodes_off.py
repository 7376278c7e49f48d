"""`/v1/episodes` where they are not switched on, as they are by default."""

from __future__ import annotations

import httpx2


async def test_nothing_is_begun_and_the_answer_says_what_to_do(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/v1/episodes", json={"task": "Deploy the shop"})
    assert answer.status_code == 409
    assert "EPISODES_ENABLED" in answer.json()["detail"]
    assert (await client.get("/v1/episodes")).json() == {"episodes": [], "next": None}
