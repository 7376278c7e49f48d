"""`GET|POST /v1/memory/entries`."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from memory.service import MemoryService
from tests.app.rest.keeping import ENTRIES, keep, texts
from tests.app.serving import as_user

KAYAK, TEA, GEESE = "I own a red kayak", "I prefer green tea", "Geese are loud birds"


async def test_what_was_kept_is_listed_with_its_shape(client: httpx2.AsyncClient) -> None:
    kept = await keep(client, KAYAK, tags=["boat"], bank="interests", occurred_at="2026-05-01")

    [listed] = (await client.get(ENTRIES)).json()["entries"]

    assert listed == kept
    assert listed["text"] == KAYAK
    assert listed["bank"] == "Interests"
    assert "boat" in listed["tags"]
    assert listed["occurred_at"] == "2026-05-01T00:00:00Z"
    assert (listed["superseded_by"], listed["trimmed_at"]) == (None, None)


async def test_the_answer_names_the_place_and_the_tag(client: httpx2.AsyncClient) -> None:
    answer = await client.post(ENTRIES, json={"text": KAYAK})

    assert answer.status_code == 201
    assert answer.json()["outcome"] == "kept"
    place = answer.headers["location"]
    assert (await client.get(place)).json()["text"] == KAYAK
    assert answer.headers["etag"].startswith('"')


FILTERS: tuple[tuple[dict[str, str], set[str]], ...] = (
    ({}, {KAYAK, TEA, GEESE}),
    ({"pinned": "true"}, {KAYAK}),
    ({"pinned": "false"}, {TEA, GEESE}),
    ({"manually_saved": "true"}, {KAYAK, TEA}),
    ({"manually_saved": "false"}, {GEESE}),
    ({"type": "preference"}, {TEA}),
    ({"bank": "interests"}, {KAYAK}),
    ({"role": "assistant"}, set()),
    ({"tag": "boat"}, {KAYAK}),
    ({"text": "kayaks"}, {KAYAK}),
    ({"text": "gree"}, {TEA}),
    ({"since": "2999-01-01"}, set()),
    ({"until": "2999-01-01T00:00:00+02:00"}, {KAYAK, TEA, GEESE}),
    ({"space": "PestIQ"}, set()),
)


async def test_the_list_is_filtered(client: httpx2.AsyncClient) -> None:
    await keep(client, KAYAK, pinned=True, bank="Interests", tags=["boat"])
    await keep(client, TEA, type="preference", bank="Personal")
    await keep(client, GEESE, manually_saved=False, bank="General")

    assert [(wanted, await texts(client, **wanted)) for wanted, _ in FILTERS] == list(FILTERS)


async def test_pages_follow_one_another_and_hold_each_memory_once(
    client: httpx2.AsyncClient,
) -> None:
    words = ["kayaks", "geese", "violins", "bridges", "lanterns"]
    for word in words:
        await keep(client, f"There are {word} in the harbour of Bergen")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        params = {"limit": "2"} | ({} if cursor is None else {"cursor": cursor})
        page = (await client.get(ENTRIES, params=params)).json()
        seen += [entry["text"] for entry in page["entries"]]
        await keep(client, f"Note {len(seen)} was added while the list was being read")
        cursor = page["next"]
        if cursor is None:
            break
    assert [text.split()[2] for text in seen] == list(reversed(words))


async def test_a_cursor_leads_to_ones_own_list_alone(
    client: httpx2.AsyncClient, user_id: str
) -> None:
    for text in (KAYAK, TEA):
        await keep(client, text)
    cursor = (await client.get(ENTRIES, params={"limit": 1})).json()["next"]
    stranger = as_user(f"{user_id}-stranger")

    answer = await client.get(ENTRIES, params={"cursor": cursor}, headers=stranger)

    assert answer.json() == {"entries": [], "next": None}


UNUSABLE = (
    {"cursor": "forged"},
    {"cursor": "f" * 32},
    {"cursor": "../../etc"},
    {"limit": "0"},
    {"limit": "201"},
    {"user_id": "somebody"},
    {"type": "rumour"},
    {"pinned": "perhaps"},
    {"since": "2024"},
    {"until": "0001-01-01T00:00:00+14:00"},
    {"text": "a\x00b"},
    {"space": "a\x00b"},
    {"bank": "x" * 51},
    {"tag": "a\nb"},
)


async def test_what_is_not_usable_is_named(client: httpx2.AsyncClient) -> None:
    for params in UNUSABLE:
        answer = await client.get(ENTRIES, params=params)

        assert answer.status_code == 422, params
        assert answer.headers["content-type"] == "application/problem+json", params


UNUSABLE_BODIES: tuple[Any, ...] = (
    {},
    {"text": ""},
    {"text": "   \n"},
    {"text": "x" * 8193},
    {"text": "a\x00b"},
    {"text": KAYAK, "user_id": "somebody"},
    {"text": KAYAK, "tags": ["a\x00b"]},
    {"text": KAYAK, "tags": ["x"] * 33},
    {"text": KAYAK, "bank": "Cellar"},
    {"text": KAYAK, "space": ""},
    {"text": KAYAK, "importance": 2},
    {"text": KAYAK, "importance": "0.5"},
    {"text": KAYAK, "pinned": "yes"},
    {"text": KAYAK, "occurred_at": "9999-12-31"},
    {"text": KAYAK, "occurred_at": 1714555800},
    {"text": KAYAK, "expires_at": "2020-01-01"},
    ["text"],
    "text",
    None,
)


async def test_a_body_that_is_not_usable_keeps_nothing(client: httpx2.AsyncClient) -> None:
    for body in UNUSABLE_BODIES:
        answer = await client.post(ENTRIES, json=body)

        assert answer.status_code == 422, body
        assert "text" not in answer.json(), body
        assert await texts(client) == set(), body


NO_TEXTS = (
    b'{"text": "\\ud800"}',
    b'{"text": "kayak", "\\ud800": 1}',
    b'{"text": "kayak", "importance": NaN}',
    b'{"text": "kayak", "tags": ["\\udc00"]}',
    b"{",
    b"\xff\xfe",
    b"[" * 10_000,
)


async def test_a_body_that_is_no_text_is_refused(client: httpx2.AsyncClient) -> None:
    typed = {"Content-Type": "application/json"}
    for raw in NO_TEXTS:
        answer = await client.post(ENTRIES, content=raw, headers=typed)

        assert answer.status_code in {400, 422}, raw[:50]
        assert answer.headers["content-type"] == "application/problem+json", raw[:50]


async def test_what_the_user_asks_to_keep_matters_more(client: httpx2.AsyncClient) -> None:
    """000: +0.5 where it is saved by hand; an importance that is given stays."""
    asked = await keep(client, KAYAK)
    met = await keep(client, GEESE, manually_saved=False)
    given = await keep(client, TEA, importance=0.25)

    assert asked["manually_saved"] and not met["manually_saved"]
    assert asked["importance"] - met["importance"] == pytest.approx(0.5, abs=0.2)
    assert given["importance"] == 0.25


async def test_type_and_bank_are_found_out(client: httpx2.AsyncClient) -> None:
    assert (await keep(client, "I prefer green tea"))["type"] == "preference"
    assert (await keep(client, "I have a meeting with my boss on Mondays"))["bank"] == "Work"


async def test_what_is_known_already_is_counted(client: httpx2.AsyncClient) -> None:
    first = await keep(client, KAYAK)

    again = await client.post(ENTRIES, json={"text": KAYAK, "pinned": True})

    assert again.status_code == 200
    assert again.json()["outcome"] == "repeated"
    assert again.json()["entry"]["id"] == first["id"]
    assert again.json()["entry"]["repeat_count"] == 1
    assert again.json()["entry"]["pinned"]


async def test_what_may_be_an_update_is_asked_about(client: httpx2.AsyncClient) -> None:
    older = await keep(client, "My car is a Volvo")

    answer = (await client.post(ENTRIES, json={"text": "My car is a Fiat"})).json()

    assert answer["outcome"] == "doubtful"
    assert [each["id"] for each in answer["older"]] == [older["id"]]
    [doubt] = answer["doubts"]
    assert "Volvo" in doubt["question"] and "Fiat" in doubt["question"]


async def test_a_secret_is_refused_and_not_repeated(client: httpx2.AsyncClient) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    answer = await client.post(ENTRIES, json={"text": f"My AWS key is {secret}"})

    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:keepsake:secret-refused"
    assert secret not in answer.text
    assert await texts(client) == set()


async def test_what_was_forgotten_comes_back_only_if_that_is_said(
    client: httpx2.AsyncClient,
) -> None:
    entry = await keep(client, KAYAK)
    await client.delete(f"{ENTRIES}/{entry['id']}")

    refused = await client.post(ENTRIES, json={"text": KAYAK})
    wanted = await client.post(ENTRIES, json={"text": KAYAK, "despite_forgotten": True})

    assert refused.status_code == 409
    assert refused.json()["type"] == "urn:keepsake:recently-forgotten"
    assert wanted.status_code == 201


@pytest.mark.parametrize("mode", ["off", "read_only"])
async def test_memory_that_is_off_keeps_nothing_and_still_lists(
    client: httpx2.AsyncClient, mode: str
) -> None:
    await keep(client, KAYAK)
    await client.post("/v1/memory/settings", json={"memory_mode": mode})

    refused = await client.post(ENTRIES, json={"text": TEA})

    assert refused.status_code == 409
    assert refused.json()["type"] == "urn:keepsake:memory-off"
    assert await texts(client) == {KAYAK}


async def test_a_request_that_is_sent_twice_is_done_once(client: httpx2.AsyncClient) -> None:
    key = {"Idempotency-Key": "6f1c2f0a"}
    await keep(client, "My car is a Volvo")

    first = await client.post(ENTRIES, json={"text": "My car is a Fiat"}, headers=key)
    again = await client.post(ENTRIES, json={"text": "My car is a Fiat"}, headers=key)
    other = await client.post(ENTRIES, json={"text": "My car is a Saab"}, headers=key)

    assert again.status_code == first.status_code == 201
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert (other.status_code, other.json()["type"]) == (422, "urn:keepsake:key-reused")


async def test_a_repeated_request_tells_nothing_of_what_was_forgotten(
    client: httpx2.AsyncClient,
) -> None:
    key = {"Idempotency-Key": "6f1c2f0b"}
    kept = await client.post(ENTRIES, json={"text": KAYAK}, headers=key)
    await client.delete(f"{ENTRIES}/{kept.json()['entry']['id']}")

    again = await client.post(ENTRIES, json={"text": KAYAK}, headers=key)

    assert again.status_code == 404
    assert "kayak" not in again.text


async def test_the_origin_is_the_user_in_this_request(
    client: httpx2.AsyncClient, memory: MemoryService, user_id: str
) -> None:
    answer = await client.post(ENTRIES, json={"text": KAYAK})

    [entry] = await memory.audit.read(user_id)
    assert (entry.action, entry.actor) == ("kept", "user")
    assert str(entry.correlation_id) == answer.headers["x-correlation-id"]
