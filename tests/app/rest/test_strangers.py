"""Every route of `/v1` without a credential, and with another user's ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from app.api.application import ROUTERS
from memory.config import Settings
from tests.app.rest.keeping import ENTRIES, keep
from tests.app.serving import as_user

# Where a credential is not asked for, since one is handed in or given back there.
SIGNING_IN = {"/v1/session"}
# What a route needs besides its ids, to get as far as looking for them.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", "/v1/memory/entries/{id}"): {"importance": 0.5},
    ("POST", "/v1/memory/doubts/{id}"): {"holds": "newer"},
    ("PATCH", "/v1/conversations/{id}"): {"title": "Mine"},
    ("POST", "/v1/episodes/{id}/actions"): {"type": "look"},
    ("POST", "/v1/episodes/{id}/complete"): {"outcome_score": 0.0},
}
NOUNS = ("entries", "doubts", "conversations", "chat", "episodes")
# Ids in bodies.
NAMING: list[tuple[str, dict[str, Any]]] = [
    ("/v1/memory/incognito/start", {"conversation_id": "conversations"}),
    ("/v1/memory/incognito/end", {"conversation_id": "conversations"}),
    ("/v1/chat", {"conversation_id": "conversations", "message": "Hello"}),
    (
        "/v1/chat",
        {"conversation_id": "conversations", "message": "Hello", "instead_of": "chat"},
    ),
]


def api_routes(routes: Iterable[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Method and path of each, those of included routers too."""
    for route in routes:
        if isinstance(route, APIRoute):
            if route.path.startswith("/v1"):
                yield from ((method, route.path) for method in sorted(route.methods or ()))
        else:
            included = getattr(route, "original_router", None)
            yield from api_routes(included.routes if included is not None else ())


ROUTES = sorted({each for router in ROUTERS for each in api_routes(router.routes)})


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With every route switched on."""
    return settings.model_copy(update={"episodes_enabled": True})


@pytest.fixture
async def theirs(client: httpx2.AsyncClient, user_id: str) -> dict[str, str]:
    """Ids of another user, by the noun of the path they belong to."""
    client.headers.update(as_user(f"{user_id}-owner"))
    await keep(client, "My car is a Volvo")
    fiat = await keep(client, "My car is a Fiat")
    [doubt] = (await client.get("/v1/memory/doubts")).json()["doubts"]
    begun = (await client.post("/v1/episodes", json={"task": "Deploy the shop"})).json()
    told = await client.post("/v1/chat", json={"message": "Hello there"})
    [talk] = (await client.get("/v1/conversations")).json()["conversations"]
    client.headers.update(as_user(user_id))
    return {
        "entries": fiat["id"],
        "doubts": doubt["id"],
        "conversations": talk["id"],
        "episodes": begun["id"],
        "chat": str(UUID(told.headers["keepsake-turn"])),
    }


def filled(path: str, ids: dict[str, str]) -> str:
    """The path with an id of the noun before it in the place of its parameter."""
    parts = path.split("/")
    nouns = [parts[place - 1] for place, part in enumerate(parts) if part.startswith("{")]
    for noun in nouns:
        place = next(at for at, part in enumerate(parts) if part.startswith("{"))
        parts[place] = ids[noun]
    return "/".join(parts)


def test_the_routes_are_found() -> None:
    assert ("GET", ENTRIES) in ROUTES
    assert ("POST", "/v1/chat/{turn_id}/stop") in ROUTES
    assert len(ROUTES) > 30


async def test_nobody_is_let_in(anyone: httpx2.AsyncClient) -> None:
    known = dict.fromkeys(NOUNS, str(uuid4()))
    for method, path in [each for each in ROUTES if each[1] not in SIGNING_IN]:
        body = BODIES.get((method, path))
        answer = await anyone.request(method, filled(path, known), json=body)

        assert answer.status_code == 401, (method, path)
        assert answer.headers["content-type"] == "application/problem+json", (method, path)
        assert answer.json()["type"] == "urn:keepsake:not-signed-in", (method, path)


async def test_another_users_ids_are_not_found_in_any_path(
    client: httpx2.AsyncClient, theirs: dict[str, str]
) -> None:
    unknown = {noun: str(uuid4()) for noun in theirs}
    for method, path in ROUTES:
        if "{" not in path:
            continue
        told = []
        for ids in (theirs, unknown):
            body = BODIES.get((method, path))
            answer = await client.request(method, filled(path, ids), json=body)
            assert answer.status_code == 404, (method, path, answer.text)
            said = answer.text.replace(answer.headers["x-correlation-id"], "")
            for known in ids.values():
                said = said.replace(known, "")
            told.append(said)
        assert told[0] == told[1], (method, path)


async def test_another_users_ids_are_not_found_in_any_body(
    client: httpx2.AsyncClient, theirs: dict[str, str]
) -> None:
    for path, body in NAMING:
        filled_in = {name: theirs.get(value, value) for name, value in body.items()}
        answer = await client.post(path, json=filled_in)
        assert answer.status_code == 404, (path, answer.text)


async def test_nothing_of_the_other_user_was_changed(
    client: httpx2.AsyncClient, user_id: str, theirs: dict[str, str]
) -> None:
    owner = as_user(f"{user_id}-owner")
    before = (await client.get(ENTRIES, headers=owner)).json()
    episodes = (await client.get("/v1/episodes", headers=owner)).json()
    for method, path in ROUTES:
        if "{" in path:
            body = BODIES.get((method, path))
            await client.request(method, filled(path, theirs), json=body)

    assert (await client.get(ENTRIES, headers=owner)).json() == before
    assert (await client.get("/v1/episodes", headers=owner)).json() == episodes
    assert len((await client.get("/v1/memory/doubts", headers=owner)).json()["doubts"]) == 1
    assert (await client.get("/v1/conversations", headers=owner)).json()["conversations"]
