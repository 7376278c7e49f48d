from __future__ import annotations

from dataclasses import replace

import httpx2

from app.api.dependencies import ApiServices
from tests.app.serving import as_user, serving


async def test_says_who_is_asking(client: httpx2.AsyncClient, user_id: str) -> None:
    answer = await client.get("/v1/me")

    assert answer.json()["user_id"] == user_id
    assert answer.json()["offline"] is True


async def test_nobody_is_told_to_sign_in(anyone: httpx2.AsyncClient) -> None:
    answer = await anyone.get("/v1/me")

    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["correlation_id"] == answer.headers["x-correlation-id"]


async def test_a_server_of_ones_own_without_a_key_is_a_model(
    served: ApiServices, user_id: str
) -> None:
    own = served.settings.model_copy(update={"openai_base_url": "http://localhost:1/v1"})
    async with serving(replace(served, settings=own)) as client:
        answer = await client.get("/v1/me", headers=as_user(user_id))

    assert answer.json()["offline"] is False
