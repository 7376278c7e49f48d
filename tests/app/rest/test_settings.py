"""`GET|POST /v1/memory/settings`."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from memory.service import Memory

SETTINGS = "/v1/memory/settings"
DEFAULTS = {
    "space": "default",
    "memory_enabled": True,
    "memory_mode": "full",
    "incognito_default": False,
    "redact_messages": True,
    "notices": "all",
}


async def test_nothing_set_is_the_default(client: httpx2.AsyncClient) -> None:
    assert (await client.get(SETTINGS)).json() == DEFAULTS


@pytest.mark.parametrize(
    ("wanted", "then"),
    [
        ({"memory_enabled": False}, {"memory_enabled": False, "memory_mode": "off"}),
        ({"memory_enabled": True}, {}),
        ({"memory_mode": "read_only"}, {"memory_mode": "read_only"}),
        ({"incognito_default": True}, {"incognito_default": True}),
        ({"redact_messages": False}, {"redact_messages": False}),
        ({"notices": "changes"}, {"notices": "changes"}),
    ],
)
async def test_what_is_named_changes_and_the_rest_stays(
    client: httpx2.AsyncClient, wanted: dict[str, Any], then: dict[str, Any]
) -> None:
    answer = await client.post(SETTINGS, json=wanted)

    assert answer.json() == DEFAULTS | then
    assert (await client.get(SETTINGS)).json() == DEFAULTS | then


async def test_a_space_is_set_by_itself(client: httpx2.AsyncClient) -> None:
    await client.post(SETTINGS, json={"space": "PestIQ", "memory_enabled": False})

    assert (await client.get(SETTINGS)).json()["memory_enabled"]
    assert not (await client.get(SETTINGS, params={"space": "PestIQ"})).json()["memory_enabled"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"memory_enabled": True, "memory_mode": "off"},
        {"memory_mode": "loud"},
        {"memory_enabled": "yes"},
        {"user_id": "somebody"},
        {"space": "a\x00b"},
    ],
)
async def test_what_is_not_usable_changes_nothing(
    client: httpx2.AsyncClient, wanted: dict[str, Any]
) -> None:
    assert (await client.post(SETTINGS, json=wanted)).status_code == 422
    assert (await client.get(SETTINGS)).json() == DEFAULTS


async def test_a_change_is_in_the_log_with_its_request(
    client: httpx2.AsyncClient, memory: Memory, user_id: str
) -> None:
    answer = await client.post(SETTINGS, json={"memory_enabled": False})

    [entry] = await memory.audit.read(user_id)
    assert entry.action == "settings changed"
    assert str(entry.correlation_id) == answer.headers["x-correlation-id"]
