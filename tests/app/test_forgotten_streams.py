"""Words that were forgotten stay in no stream of this process, whoever had them forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import httpx2
import pytest

from memory.service import MemoryService
from memory.store.forgetting import UNDO_TIME, HistoryChoice
from memory.types import Origin
from tests.app.mcp.test_endpoint import call
from tests.app.streaming import say

WORDS = "Remember that my kayak is called Ottoline"
USER = Origin("user")


async def told_of_it(client: httpx2.AsyncClient) -> tuple[str, UUID]:
    """The path of a stream that tells of a memory, and the memory's id."""
    told = await say(client, WORDS)
    [entry] = (await client.get("/v1/memory/entries")).json()["entries"]
    return f"/v1/chat/{told[0].data['turn_id']}/events", UUID(entry["id"])


async def status_of(client: httpx2.AsyncClient, path: str) -> int:
    return (await client.get(path)).status_code


async def test_what_was_forgotten_over_mcp_is_not_told_again(client: httpx2.AsyncClient) -> None:
    path, item = await told_of_it(client)
    await call(client, "forget", id=str(item), preview=True)
    assert await status_of(client, path) == 200

    await call(client, "forget", id=str(item))

    assert await status_of(client, path) == 404


async def test_what_a_job_erases_is_not_told_again(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    """The conversation still held the words in the day in which it could be undone."""
    _, item = await told_of_it(client)
    before = datetime.now(UTC) - 2 * UNDO_TIME
    await memory.forgetting.forget(user_id, [item], USER, now=before)
    told = await say(client, "What is my kayak called?")
    path = f"/v1/chat/{told[0].data['turn_id']}/events"
    assert await status_of(client, path) == 200

    assert await memory.erase_due(user_id) == 1

    assert await status_of(client, path) == 404


@pytest.mark.parametrize(("history", "status"), [("keep", 200), ("redact", 404), ("delete", 404)])
async def test_a_conversation_that_is_to_stay_as_it_is_stays_in_its_stream(
    client: httpx2.AsyncClient,
    memory: MemoryService,
    user_id: str,
    history: HistoryChoice,
    status: int,
) -> None:
    path, item = await told_of_it(client)

    await memory.forgetting.forget(user_id, [item], USER, history=history)

    assert await status_of(client, path) == status


async def test_the_streams_of_others_stay(
    client: httpx2.AsyncClient, memory: MemoryService
) -> None:
    path, _ = await told_of_it(client)
    memory.forgetting.hearers.tell("somebody")
    assert await status_of(client, path) == 200
