"""`GET /v1/memory/export`, `POST /v1/memory/import`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from memory.actions.import_formats import MAX_IMPORT_LINES
from memory.service import MemoryService
from tests.app.rest.keeping import ENTRIES, keep, texts
from tests.app.serving import as_user
from tests.memory.exports import a_memory, export_of

EXPORT, IMPORT = "/v1/memory/export", "/v1/memory/import"
FILE = "/v1/memory/import/file"
KAYAK, TEA = "I own a red kayak", "I prefer green tea"


async def test_the_export_is_a_file_that_no_cache_keeps(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK)

    answer = await client.get(EXPORT)

    assert answer.headers["content-disposition"].startswith('attachment; filename="keepsake-')
    assert answer.headers["cache-control"] == "no-store"
    assert [each["content"] for each in answer.json()["memories"]] == [KAYAK]
    assert answer.json()["format"] == "keepsake-export"


async def test_an_export_comes_in_again_elsewhere(client: httpx2.AsyncClient, user_id: str) -> None:
    await keep(client, KAYAK, pinned=True, tags=["boat"])
    await keep(client, TEA, space="PestIQ")
    text = (await client.get(EXPORT)).text
    client.headers.update(as_user(f"{user_id}-moved"))

    first = (await client.post(IMPORT, json={"text": text})).json()
    again = (await client.post(IMPORT, json={"text": text})).json()

    assert (first["kept"], first["repeated"], first["refused"]) == (2, 0, {})
    assert (again["kept"], again["repeated"]) == (0, 2)
    [entry] = (await client.get(ENTRIES)).json()["entries"]
    assert (entry["text"], entry["pinned"], entry["repeat_count"]) == (KAYAK, True, 0)
    assert await texts(client, space="PestIQ") == {TEA}


async def test_lines_of_another_assistant_come_in(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    lines = f"# Memories\n- [2024-05-01] {KAYAK}\n- {TEA}\n- My AWS key is AKIAIOSFODNN7EXAMPLE\n"

    answer = await client.post(IMPORT, json={"text": lines, "space": "PestIQ"})

    assert answer.json() == {
        "kept": 2,
        "repeated": 0,
        "refused": {"SecretRefused": 1},
        "dropped": {},
        "above_cap": 0,
        "said": "Imported: 2 new, 0 known already, 1 left out for a secret in it.",
    }
    assert await texts(client, space="PestIQ") == {KAYAK, TEA}
    newest = (await memory.audit.read(user_id, 1))[0]
    assert (newest.action, newest.actor) == ("imported", "import")
    assert str(newest.correlation_id) == answer.headers["x-correlation-id"]


async def test_an_import_that_is_sent_twice_counts_once(client: httpx2.AsyncClient) -> None:
    lines = {"text": f"- {KAYAK}\n- My AWS key is AKIAIOSFODNN7EXAMPLE"}
    key = {"Idempotency-Key": "import-1"}

    first = await client.post(IMPORT, json=lines, headers=key)
    again = await client.post(IMPORT, json=lines, headers=key)

    assert first.json()["kept"] == 1
    assert again.json() == first.json()


def exported(**changes: Any) -> str:
    return json.dumps(export_of(a_memory(KAYAK) | changes))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "{",
        "[1, 2]",
        '{"memories": [{"nothing": 1}]}',
        "[" * 50_000,
        "a\x00b",
        "\n".join(["- one more kayak"] * (MAX_IMPORT_LINES + 1)),
        exported(space="a\x00b"),
        exported(importance=7),
        exported(content=""),
        exported(bank=["x"]),
        '{"format": "keepsake-export", "version": 99, "memories": []}',
    ],
)
async def test_what_is_no_file_of_memories_is_refused(
    client: httpx2.AsyncClient, text: str
) -> None:
    answer = await client.post(IMPORT, json={"text": text})

    assert answer.status_code == 422
    assert await texts(client) == set()


@pytest.mark.parametrize(
    "changes",
    [
        {"created_at": "0001-01-01T00:00:00+14:00"},
        {"occurred_at": "9999-12-31T23:59:59-14:00"},
        {"created_at": "2024-05-01T09:30:00"},
        {"expires_at": "0001-01-01T00:00:00"},
        {"tags": ["x" * 100] * 500},
        {"content": "a kayak\x00 of mine"},
    ],
)
async def test_a_strange_export_is_taken_or_refused_and_breaks_nothing(
    client: httpx2.AsyncClient, changes: dict[str, Any]
) -> None:
    answer = await client.post(IMPORT, json={"text": exported(**changes)})

    assert answer.status_code in {200, 422}
    assert (await client.get(ENTRIES, params={"include_trimmed": "true"})).status_code == 200
    assert (await client.get(EXPORT)).status_code == 200


async def test_memory_that_is_off_takes_no_file(client: httpx2.AsyncClient) -> None:
    await client.post("/v1/memory/settings", json={"memory_enabled": False})

    answer = await client.post(IMPORT, json={"text": f"- {KAYAK}"})

    assert (answer.status_code, answer.json()["type"]) == (409, "urn:keepsake:memory-off")


async def test_a_large_file_leaves_the_loop_free(client: httpx2.AsyncClient) -> None:
    """It is read on a thread, and refused for the number of its lines."""
    body = json.dumps({"text": "- one more kayak\n" * 500_000}).encode()
    headers = {"Content-Type": "application/json"}
    reading = asyncio.create_task(client.post(IMPORT, content=body, headers=headers))
    passes = 0
    while not reading.done():
        await asyncio.sleep(0.001)
        passes += 1
    assert (await reading).status_code == 422
    assert passes > 10


async def test_a_file_comes_in_by_itself_whatever_its_size(client: httpx2.AsyncClient) -> None:
    """What an export of 100,000 memories has in bytes was refused."""
    memories = [a_memory(f"I own kayak {number}", pinned=True) for number in range(30)]
    said = json.dumps(export_of(*memories, audit=[{"words": "x" * 1_000}] * 25_000)).encode()
    assert len(said) > 25_000_000

    answers = [await client.post(FILE, content=pieces(said)) for _ in range(2)]

    counts = [(each.json()["kept"], each.json()["repeated"]) for each in answers]
    assert counts == [(30, 0), (0, 30)]
    assert await texts(client) == {each["content"] for each in memories}


async def test_a_file_of_lines_comes_into_the_space_that_is_named(
    client: httpx2.AsyncClient,
) -> None:
    answer = await client.post(FILE, content=f"- {TEA}".encode(), params={"space": "PestIQ"})

    assert answer.json()["kept"] == 1
    assert await texts(client, space="PestIQ") == {TEA}


async def test_a_file_that_is_sent_twice_with_a_key_counts_once(client: httpx2.AsyncClient) -> None:
    key = {"Idempotency-Key": "import-file"}
    first, again = [
        await client.post(FILE, content=f"- {KAYAK}".encode(), headers=key) for _ in range(2)
    ]
    other = await client.post(FILE, content=f"- {TEA}".encode(), headers=key)

    assert again.json() == first.json()
    assert first.json()["kept"] == 1
    assert other.json()["type"] == "urn:keepsake:key-reused"


async def test_an_answer_that_is_told_again_says_the_same(client: httpx2.AsyncClient) -> None:
    said, key = exported().encode(), {"Idempotency-Key": "import-own"}
    answers = [(await client.post(FILE, content=said, headers=key)).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert "not imported" in answers[0]["said"]


async def test_dates_and_tags_of_another_programs_json_come_in(
    client: httpx2.AsyncClient,
) -> None:
    row = {
        "memory": "Bought a used Volvo yesterday",
        "created_at": "2024-05-01T10:00:00Z",
        "categories": ["car"],
        "metadata": {"mood": "glad"},
    }
    said, key = json.dumps({"results": [row]}).encode(), {"Idempotency-Key": "import-mem0"}
    answers = [(await client.post(FILE, content=said, headers=key)).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert (answers[0]["kept"], answers[0]["dropped"]) == (1, {"mood": 1})
    assert "mood of 1" in answers[0]["said"]
    [entry] = (await client.get(ENTRIES)).json()["entries"]
    assert entry["created_at"].startswith("2024-05-01T10:00:00")
    assert entry["occurred_at"].startswith("2024-04-30")
    assert "car" in entry["tags"]


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\xff\xfe",
        b"{" * 1_000_000,
        b'{"format": "keepsake-export", "version": 1, "memories": [' + b"[" * 1_000_000,
        b'{"format": "keepsake-export", "version": 99}',
        exported(content="").encode(),
        exported(created_at="0001-01-01").encode(),
        exported(
            id="00000000-0000-0000-0000-000000000001",
            superseded_by="00000000-0000-0000-0000-000000000001",
        ).encode(),
        exported()[:-3].encode(),
    ],
    ids=lambda said: said[:20],
)
async def test_a_hostile_file_is_refused_with_a_sentence(
    client: httpx2.AsyncClient, said: bytes
) -> None:
    answer = await client.post(FILE, content=said)

    assert (answer.status_code, answer.json()["type"]) == (422, "urn:keepsake:invalid-input")
    assert answer.json()["detail"].endswith(".")
    assert await texts(client) == set()


async def test_an_export_as_a_file_is_as_long_as_it_says(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK)
    answer = await client.get(EXPORT)

    assert int(answer.headers["content-length"]) == len(answer.content)


async def pieces(said: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(said), 1 << 16):
        yield said[start : start + (1 << 16)]
