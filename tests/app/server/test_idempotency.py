"""With a route of the tests' own, which counts how often it is run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import httpx2
import pytest
from pydantic import BaseModel

from app.api.application import make_application
from app.api.dependencies import ApiServices, CurrentUser
from app.api.idempotency import Idempotent, IdempotentRequest
from memory.errors import MemoryOff, NotFound
from memory.service import MemoryService
from memory.store.database import Database
from tests.app.serving import URL, as_user
from tests.memory.embedded.conftest import eventually
from tests.patience import PATIENCE


class Note(BaseModel):
    text: str


@dataclass
class Notes:
    """What the route has kept, and what it does on its way."""

    kept: dict[UUID, str] = field(default_factory=dict)
    runs: int = 0
    failure: Exception | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
def notes() -> Notes:
    made = Notes()
    made.may_end.set()
    return made


@pytest.fixture
async def noting(
    served: ApiServices, notes: Notes, user_id: str
) -> AsyncIterator[httpx2.AsyncClient]:
    app = make_application(served)

    @app.post("/v1/notes", status_code=201)
    async def keep(note: Note, _asking: CurrentUser, once: Idempotent) -> dict[str, str]:
        if once.done is not None:
            found = notes.kept.get(once.done.ids["note"][0])
            if found is None:
                raise NotFound
            return {"text": found}
        notes.runs += 1
        notes.begun.set()
        await notes.may_end.wait()
        if notes.failure is not None:
            raise notes.failure
        note_id = uuid4()
        notes.kept[note_id] = note.text
        await once.finish(201, outcome="kept", ids={"note": [note_id]})
        return {"text": note.text}

    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=URL) as client:
        client.headers.update(as_user(user_id))
        yield client


async def send(
    client: httpx2.AsyncClient, text: str = "bees", key: str | None = "one", **headers: str
) -> httpx2.Response:
    named = {} if key is None else {"Idempotency-Key": key}
    return await client.post("/v1/notes", json={"text": text}, headers=named | headers)


async def test_the_same_request_twice_is_done_once(
    noting: httpx2.AsyncClient, notes: Notes
) -> None:
    first, second = await send(noting), await send(noting)
    assert notes.runs == 1
    assert first.json() == second.json() == {"text": "bees"}
    assert first.status_code == second.status_code == 201
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"


async def test_a_replay_says_what_is_true_now(noting: httpx2.AsyncClient, notes: Notes) -> None:
    await send(noting)
    [kept] = notes.kept
    notes.kept[kept] = "wasps"
    assert (await send(noting)).json() == {"text": "wasps"}
    del notes.kept[kept]
    gone = await send(noting)
    assert gone.status_code == 404
    assert gone.headers["idempotent-replayed"] == "true"
    assert notes.runs == 1


async def test_without_a_key_each_is_done(noting: httpx2.AsyncClient, notes: Notes) -> None:
    await send(noting, key=None)
    await send(noting, key=None)
    assert notes.runs == 2


async def test_another_body_or_query_with_the_key_is_refused(
    noting: httpx2.AsyncClient, notes: Notes
) -> None:
    await send(noting)
    for answer in (
        await send(noting, "wasps"),
        await noting.post(
            "/v1/notes?space=work", json={"text": "bees"}, headers={"Idempotency-Key": "one"}
        ),
    ):
        assert answer.status_code == 422
        assert answer.json()["type"] == "urn:keepsake:key-reused"
    assert notes.runs == 1


async def test_a_key_is_one_users(noting: httpx2.AsyncClient, notes: Notes, user_id: str) -> None:
    await send(noting)
    await send(noting, "wasps", **as_user(f"{user_id}-other"))
    assert notes.runs == 2


async def test_one_under_way_is_not_done_beside_it(
    noting: httpx2.AsyncClient, notes: Notes
) -> None:
    notes.may_end.clear()
    first = asyncio.create_task(send(noting))
    async with asyncio.timeout(PATIENCE):
        await notes.begun.wait()
    second = await send(noting)
    notes.may_end.set()
    assert second.status_code == 409
    assert second.headers["retry-after"] == "1"
    assert (await first).status_code == 201
    assert notes.runs == 1


@pytest.mark.parametrize("failure", [MemoryOff(), RuntimeError("a mistake")])
async def test_what_failed_may_be_sent_again_at_once(
    noting: httpx2.AsyncClient, notes: Notes, failure: Exception
) -> None:
    notes.failure = failure
    assert (await send(noting)).status_code >= 400
    notes.failure = None
    assert (await send(noting)).status_code == 201
    assert notes.runs == 2


async def test_a_body_that_is_not_usable_takes_no_key(
    noting: httpx2.AsyncClient, notes: Notes, database: Database, user_id: str
) -> None:
    for _ in range(2):
        answer = await noting.post(
            "/v1/notes", json={"word": "bees"}, headers={"Idempotency-Key": "one"}
        )
        assert answer.json()["type"] == "urn:keepsake:invalid-request"
    async with database.as_user(user_id) as connection:
        assert await connection.fetchval("SELECT count(*) FROM idempotency_keys") == 0


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "ключ".encode()])
async def test_a_key_that_is_none_is_refused(
    noting: httpx2.AsyncClient, notes: Notes, key: str | bytes
) -> None:
    named = key if isinstance(key, bytes) else key.encode()
    answer = await noting.post(
        "/v1/notes", json={"text": "bees"}, headers=[(b"Idempotency-Key", named)]
    )
    assert answer.status_code == 422
    assert notes.runs == 0


async def test_nobody_claims_a_key(noting: httpx2.AsyncClient, notes: Notes) -> None:
    noting.headers.pop("authorization")
    assert (await send(noting)).status_code == 401
    assert notes.runs == 0


async def test_a_claim_is_renewed_while_its_route_runs(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    began = datetime.now(UTC) - timedelta(seconds=50)
    claim = await memory.idempotency.begin(user_id, "POST /v1/notes", "one", "asked", began)
    attempt = IdempotentRequest(memory.idempotency, user_id, claim)

    staying = asyncio.create_task(attempt.stay(0))
    await eventually(lambda: _renewed(database, user_id, began))
    await attempt.finish(201)

    await asyncio.wait_for(staying, 30)


async def _renewed(database: Database, user_id: str, began: datetime) -> bool:
    async with database.as_user(user_id) as connection:
        at = await connection.fetchval("SELECT begun_at FROM idempotency_keys")
    return bool(at > began)
