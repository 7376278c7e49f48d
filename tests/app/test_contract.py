"""The running application against its own description: Schemathesis asks, with what fits the
OpenAPI document and with what does not, and with the ids that earlier answers told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from app.api.application import make_application
from app.api.auth.api_keys import ApiKeyVerifier, KeyUsageRecorder, key_digest, make_key
from app.api.auth.credentials import CredentialIdentifier, FailedAttempts
from app.api.auth.sessions import SameSiteIdentifier, SessionSealer
from app.api.dependencies import ApiServices
from memory.config import Settings
from memory.store.credentials import ApiKeyStore, EndedSessionStore
from memory.store.database import Database
from tests.app.contract import ask, described_by
from tests.app.listening import listening
from tests.app.streaming import say

# It would take away what the others are asked about; it is asked alone.
ERASING = "/v1/memory/erase"
MANY = 1_000_000
# Every path is in one of them, with those that its answers lead to, so that the processes of a run
# share the work; from the last one no answer leads anywhere.
PARTS = (
    *(r"^/v1/memory/entries", r"^/v1/memory/(?!entries)", r"^/v1/(chat|conversations)"),
    *(r"^/v1/episodes", r"^/(?!v1/(memory|chat|conversations|episodes))"),
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With every operation switched on."""
    return settings.model_copy(update={"episodes_enabled": True})


@pytest.fixture
async def key(database: Database, user_id: str) -> SecretStr:
    made = make_key()
    ends = datetime.now(UTC) + timedelta(days=1)
    await ApiKeyStore(database).add(user_id, key_digest(made), "laptop", ends)
    return made


@pytest.fixture
def headers(key: SecretStr) -> dict[str, str]:
    return {"Authorization": f"Bearer {key.get_secret_value()}"}


@pytest.fixture
async def site(served: ApiServices, database: Database) -> AsyncIterator[str]:
    """The offline assistant over a database of the test's own, in the mode token; it takes as many
    requests, and as many wrong keys, as come."""
    unlimited = {"api_requests_per_minute": 0, "chats_per_minute": 0, "auth_mode": "token"}
    settings = served.settings.model_copy(update=unlimited)
    keys = ApiKeyStore(database)
    verifier = ApiKeyVerifier(keys, KeyUsageRecorder(keys))
    sessions, ended = SessionSealer(b"0" * 32, "token"), EndedSessionStore(database)
    signing_in = CredentialIdentifier(verifier, sessions, ended, FailedAttempts(MANY))
    identifier = SameSiteIdentifier(signing_in)
    made = replace(served, settings=settings, identifier=identifier, signing_in=signing_in)
    async with listening(make_application(made)) as url:
        yield url
        await made.chats.aclose()
    await signing_in.aclose()


@dataclass(frozen=True)
class Known:
    """What there is to be asked about by its id."""

    turn: str
    incognito: str
    doubt: str
    forgotten: str
    edited: str
    key: str
    episode: str


# The operations that Schemathesis finds no way to, with what they are asked.
BY_ID: dict[str, Callable[[Known], dict[str, Any]]] = {
    "GET /v1/chat/{turn_id}/events": lambda known: {"path_parameters": {"turn_id": known.turn}},
    "POST /v1/chat/{turn_id}/stop": lambda known: {"path_parameters": {"turn_id": known.turn}},
    "GET /v1/memory/entries/{id}/proof": lambda known: {"path_parameters": {"id": known.forgotten}},
    "POST /v1/memory/entries/{id}/revert": lambda known: {"path_parameters": {"id": known.edited}},
    "POST /v1/memory/doubts/{id}": lambda known: {
        "path_parameters": {"id": known.doubt},
        "body": {"holds": "newer"},
    },
    "POST /v1/memory/incognito/end": lambda known: {"body": {"conversation_id": known.incognito}},
    "POST /v1/episodes/{id}/actions": lambda known: {
        "path_parameters": {"id": known.episode},
        "body": {"type": "look"},
    },
    "POST /v1/episodes/{id}/complete": lambda known: {
        "path_parameters": {"id": known.episode},
        "body": {"outcome_score": 0.5},
    },
    "POST /v1/session": lambda known: {"body": {"credential": known.key}},
}


@pytest.fixture
async def known(site: str, headers: dict[str, str], key: SecretStr) -> Known:
    async with httpx2.AsyncClient(base_url=site, headers=headers) as client:
        await keep(client, "My sister Maria lives in Oslo")
        doubtful = await keep(client, "My sister Maria lives in Bergen")
        kayak = await keep(client, "I own a red kayak")
        forgotten = await client.delete(f"/v1/memory/entries/{kayak['entry']['id']}")
        vim = (await keep(client, "I use vim"))["entry"]["id"]
        edited = await client.patch(f"/v1/memory/entries/{vim}", json={"text": "I use Emacs"})
        hidden = (await client.post("/v1/memory/incognito/start", json={})).json()
        begun = (await client.post("/v1/episodes", json={"task": "Deploy the shop"})).json()
        told = await say(client, "Good morning")  # a forgetting takes the events of earlier turns
    return Known(
        turn=told[0].data["turn_id"],
        incognito=hidden["conversation_id"],
        doubt=doubtful["doubts"][0]["id"],
        forgotten=forgotten.json()["forgotten"][0],
        edited=edited.json()["id"],
        key=key.get_secret_value(),
        episode=begun["id"],
    )


async def keep(client: httpx2.AsyncClient, text: str) -> dict[str, Any]:
    answer: dict[str, Any] = (await client.post("/v1/memory/entries", json={"text": text})).json()
    return answer


@pytest.mark.parametrize("part", PARTS)
async def test_every_answer_is_as_described(site: str, headers: dict[str, str], part: str) -> None:
    schema = await described_by(site, headers, chains=part != PARTS[-1])
    asked = await ask(schema.include(path_regex=part).exclude(path=ERASING))
    assert asked.statuses
    assert asked.faults == []
    assert asked.never_well <= set(BY_ID)


async def test_what_one_part_told_is_answered_by_another_as_described(
    site: str, headers: dict[str, str]
) -> None:
    schema = await described_by(site, headers, alone=False)
    asked = await ask(schema.exclude(path=ERASING))
    assert asked.statuses
    assert asked.faults == []


async def test_erasing_answers_as_described(site: str, headers: dict[str, str]) -> None:
    schema = await described_by(site, headers, chains=False)
    asked = await ask(schema.include(path=ERASING))
    assert asked.faults == []
    assert asked.never_well == set()


async def test_what_no_answer_leads_to_answers_as_described(
    site: str, headers: dict[str, str], known: Known
) -> None:
    schema = await described_by(site, headers)
    for operation, asking in BY_ID.items():
        method, path = operation.split()
        case = schema[path][method].Case(**asking(known))
        answer = await asyncio.to_thread(case.call_and_validate, headers=headers)
        assert 200 <= answer.status_code < 300, f"{operation}: {answer.text}"
