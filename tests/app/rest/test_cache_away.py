"""What REST says of forgetting while Redis cannot be reached."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from memory.cache import Cache
from tests.app.rest.keeping import keep


@pytest.fixture
async def cache(tmp_path: Path) -> AsyncIterator[Cache]:
    away = Cache(f"unix://{tmp_path}/no.sock")
    yield away
    await away.aclose()


async def test_for_good_is_not_said_to_be_done(client: httpx2.AsyncClient) -> None:
    entry = await keep(client, "I own a red kayak")
    path = f"/v1/memory/entries/{entry['id']}"

    gone = await client.delete(path, params={"for_good": True})

    assert gone.json() == {"forgotten": [entry["id"]], "undo_until": None, "erased": False}
    assert (await client.post(f"{path}/restore")).status_code == 404
    proof = (await client.get(f"{path}/proof")).json()
    assert (proof["holds"], proof["erased_at"]) == (False, None)
