from __future__ import annotations

import re
from importlib.util import find_spec

import httpx2
import pytest
from pydantic import SecretStr

from app.ops.doctor_checks import (
    check_chat_model,
    check_embedder,
    check_metrics,
    check_mlflow,
    check_redis,
    check_tokenizer,
    check_traces,
)
from app.services import ServiceUrls
from memory.config import Settings
from memory.errors import InvalidSettings
from memory.local_services.services import ServiceAddresses as Services
from memory.types import EmbeddingModel
from migrations.runner import owner_connection
from migrations.vector_swap import VectorSchema
from tests.migrations.rows import fill

OPENAI = EmbeddingModel("text-embedding-3-small", 1536)


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(
        update={"openai_api_key": SecretStr("sk-mine"), "openai_model": "gpt-5-mini"}
    )


@pytest.fixture
def unbound(own_database_url: str, services: Services) -> ServiceUrls:
    """Of a data folder without a vector."""
    return ServiceUrls(
        own_database_url, own_database_url, services.redis_url, embedded_database=True
    )


@pytest.fixture
async def bound(unbound: ServiceUrls) -> ServiceUrls:
    """Of one with a vector of OpenAI's model."""
    await fill(unbound.owner_url)
    async with owner_connection(unbound.owner_url) as connection:
        await VectorSchema(connection).choose(OPENAI)
        await connection.execute(
            "UPDATE messages SET embedding = array_fill(0.02, ARRAY[1536])::halfvec,"
            " embedding_model = 'text-embedding-3-small', needs_embedding = false"
        )
    return unbound


def answering(status: int, *models: str) -> httpx2.MockTransport:
    listed = {"data": [{"id": name} for name in models]}
    return httpx2.MockTransport(lambda _request: httpx2.Response(status, json=listed))


@pytest.mark.parametrize(
    ("status", "models", "state", "found"),
    [
        (200, ["gpt-5-mini"], "ok", "is there"),
        (200, ["another"], "warning", "does not list"),
        (401, [], "broken", "refused"),
        (404, [], "ok", "lists no models"),
        (503, [], "broken", "503"),
    ],
    ids=["there", "not listed", "refused", "no listing", "down"],
)
async def test_the_chat_model(
    keyed: Settings, status: int, models: list[str], state: str, found: str
) -> None:
    finding = await check_chat_model(keyed, answering(status, *models))
    assert finding.state == state
    assert found in finding.found
    assert "sk-mine" not in finding.found + finding.mend


async def test_a_server_that_is_not_there(keyed: Settings) -> None:
    def refuse(_request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no")

    finding = await check_chat_model(keyed, httpx2.MockTransport(refuse))
    assert finding.state == "broken"


async def test_nothing_is_asked_where_nothing_is_configured(settings: Settings) -> None:
    def refuse(_request: httpx2.Request) -> httpx2.Response:
        raise AssertionError

    transport = httpx2.MockTransport(refuse)
    assert (await check_chat_model(settings, transport)).state == "ok"
    assert (await check_mlflow(settings, transport)).state == "ok"


@pytest.mark.parametrize(("status", "state"), [(200, "ok"), (500, "warning")], ids=["up", "down"])
async def test_mlflow(settings: Settings, status: int, state: str) -> None:
    named = settings.model_copy(update={"mlflow_tracking_uri": "http://mlflow:5000"})
    assert (await check_mlflow(named, answering(status))).state == state


@pytest.mark.parametrize("traced", [True, False])
async def test_who_needs_the_mlflow_that_is_away_is_said(settings: Settings, traced: bool) -> None:
    named = {"mlflow_tracking_uri": "http://mlflow:5000", "mlflow_tracing": traced}
    finding = await check_mlflow(settings.model_copy(update=named), answering(500))
    assert ("MLFLOW_TRACING" in finding.mend) is traced


def embedding_at(status: int, dimensions: int = 1536) -> httpx2.MockTransport:
    entry = {"object": "embedding", "index": 0, "embedding": [0.5] * dimensions}
    answer = {"object": "list", "model": "m", "data": [entry]}
    return httpx2.MockTransport(lambda _request: httpx2.Response(status, json=answer))


OWN = {"openai_base_url": "http://own.example:8080/v1"}
NAMED = {"embedding_model": "text-embedding-3-small"}
KEY = {"openai_api_key": SecretStr("sk-mine")}


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, "keepsake-e5-small-1 answers, on this machine"),
        (OWN | KEY, "keepsake-e5-small-1 answers, on this machine"),
        (OWN | NAMED, "text-embedding-3-small answers, at own.example"),
        (KEY, "text-embedding-3-small answers, at api.openai.com"),
    ],
    ids=["no server", "a server that may only chat", "a server that embeds", "OpenAI"],
)
async def test_which_embedding_model_answers_and_where_it_runs(
    settings: Settings, unbound: ServiceUrls, fields: dict[str, object], found: str
) -> None:
    finding = await check_embedder(settings.model_copy(update=fields), unbound, embedding_at(200))
    assert (finding.state, finding.found) == ("ok", found)


@pytest.mark.parametrize(
    ("fields", "mend"),
    [
        (OWN | NAMED, "name a server that has text-embedding-3-small .*, or take EMBEDDING_MODEL"),
        (KEY, "look at OPENAI_API_KEY; or set EMBEDDING_MODEL=keepsake-e5-small-1"),
    ],
    ids=["named", "OpenAI"],
)
async def test_a_server_without_embeddings_before_the_first_vector(
    settings: Settings, unbound: ServiceUrls, fields: dict[str, object], mend: str
) -> None:
    finding = await check_embedder(settings.model_copy(update=fields), unbound, embedding_at(404))
    assert finding.state == "warning"
    assert re.search(mend, finding.mend)


@pytest.mark.parametrize("named", [NAMED, {}], ids=["named", "not named"])
async def test_a_server_without_embeddings_after_it(
    settings: Settings, bound: ServiceUrls, named: dict[str, object]
) -> None:
    keyed = settings.model_copy(update=OWN | KEY | named)
    finding = await check_embedder(keyed, bound, embedding_at(404))
    assert finding.state == "warning"
    assert "python -m app reembed --model keepsake-e5-small-1" in finding.mend
    assert ("take EMBEDDING_MODEL out" in finding.mend) is bool(named)


async def test_nothing_is_sent_to_a_server_that_nobody_named(
    settings: Settings, bound: ServiceUrls
) -> None:
    def refuse(_request: httpx2.Request) -> httpx2.Response:
        raise AssertionError

    with pytest.raises(InvalidSettings, match="reembed --model keepsake-e5-small-1"):
        await check_embedder(settings, bound, httpx2.MockTransport(refuse))


async def test_redis_that_is_away_is_a_warning() -> None:
    nowhere = ServiceUrls("", "", "unix:///nowhere/at/all.sock", embedded_database=False)
    finding = await check_redis(nowhere)
    assert (finding.state, bool(finding.mend)) == ("warning", True)


async def test_the_tokenizer_counts() -> None:
    assert (await check_tokenizer()).state == "ok"


async def test_metrics_that_nobody_asked_for_are_well(settings: Settings) -> None:
    nowhere = settings.model_copy(update={"metrics_host": "203.0.113.7"})
    assert (await check_metrics(nowhere)).state == "ok"


@pytest.mark.parametrize(
    ("host", "state"),
    [("127.0.0.1", "ok"), ("0.0.0.0", "ok"), ("localhost", "ok"), ("203.0.113.7", "broken")],
)
async def test_metrics_at_what_is_no_address_of_this_machine_are_said(
    settings: Settings, host: str, state: str
) -> None:
    named = settings.model_copy(update={"metrics_host": host, "worker_metrics_port": 9464})
    finding = await check_metrics(named)
    assert (finding.state, "METRICS_HOST" in finding.mend) == (state, state == "broken")


async def test_traces_that_nobody_asked_for_are_well(settings: Settings) -> None:
    assert (await check_traces(settings)).state == "ok"


@pytest.mark.skipif(
    find_spec("opentelemetry.exporter") is not None, reason="the exporter is installed"
)
async def test_traces_without_their_exporter_are_said_before_nothing_starts(
    settings: Settings,
) -> None:
    named = settings.model_copy(
        update={"otel_exporter_otlp_endpoint": "http://traces.example.org:4318"}
    )
    with pytest.raises(InvalidSettings, match=r"keepsake\[otel\]"):
        await check_traces(named)
