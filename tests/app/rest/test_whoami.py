from __future__ import annotations

import httpx2


async def test_says_who_is_asking(client: httpx2.AsyncClient, user_id: str) -> None:
    answer = await client.get("/v1/me")

    assert answer.json()["user_id"] == user_id
    assert answer.json()["offline"] is True


async def test_nobody_is_told_to_sign_in(anyone: httpx2.AsyncClient) -> None:
    answer = await anyone.get("/v1/me")

    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["correlation_id"] == answer.headers["x-correlation-id"]
