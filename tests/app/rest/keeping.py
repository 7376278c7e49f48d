"""What most tests of `/v1/memory` begin with."""

from __future__ import annotations

from typing import Any

import httpx2

ENTRIES = "/v1/memory/entries"


async def keep(client: httpx2.AsyncClient, text: str, **more: Any) -> dict[str, Any]:
    """The entry that was kept."""
    answer = await client.post(ENTRIES, json={"text": text, **more})
    assert answer.is_success, answer.text
    entry: dict[str, Any] = answer.json()["entry"]
    return entry


async def texts(client: httpx2.AsyncClient, **wanted: Any) -> set[str]:
    """What the list says for those filters."""
    answer = await client.get(ENTRIES, params=wanted)
    assert answer.is_success, answer.text
    return {entry["text"] for entry in answer.json()["entries"]}
