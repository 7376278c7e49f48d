"""What Keepsake asks over a socket or a network: Redis, the models, MLflow; and what it counts
tokens with."""

from __future__ import annotations

import asyncio
import socket
from contextlib import aclosing
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from app.addresses import Addresses
from app.doctor.finding import Finding, broken, ok, warning
from app.schema import kept_model
from app.telemetry.traces import traced
from memory.assembly import make_embedder, uncached
from memory.cache import Cache
from memory.embedders.wanted import REEMBED_HERE, refuse_keyless, wanted_model
from memory.errors import KeepsakeError
from memory.models import EmbeddingModel
from memory.settings import LOCAL_MODEL, OPENAI_URL, Settings
from memory.tokens import TokenCounter

SECONDS = 10.0


async def look_at_redis(addresses: Addresses) -> Finding:
    async with aclosing(Cache(addresses.redis_url)) as cache:
        try:
            await cache.ping()
        except KeepsakeError as error:
            mend = "start it, or take REDIS_URL out of the settings for an embedded one"
            return warning("Redis", str(error), mend)
    return ok("Redis", "answers")


async def look_at_embedder(
    settings: Settings, addresses: Addresses, transport: httpx2.AsyncBaseTransport | None = None
) -> Finding:
    """One short text is embedded, whatever the cache holds. `transport` stands in for the network.
    Raises InvalidSettings where nothing starts with the model."""
    stored = await _stored(addresses)
    model = wanted_model(settings, stored)
    refuse_keyless(model, settings)
    async with (
        aclosing(Cache(addresses.redis_url)) as cache,
        aclosing(make_embedder(model, settings, cache, TokenCounter(), transport)) as embedder,
    ):
        try:
            async with asyncio.timeout(SECONDS):
                await uncached(embedder).embed_query("hello")
        except (KeepsakeError, TimeoutError) as error:
            mend = f"recall goes on with keywords; {_mend_embedder(settings, model, stored)}"
            return warning("embedding", str(error) or "no answer in time", mend)
    return ok("embedding", f"{model.name} answers, {_where(model, settings)}")


def _where(model: EmbeddingModel, settings: Settings) -> str:
    if model.name == LOCAL_MODEL:
        return "on this machine"
    return f"at {urlsplit(settings.openai_base_url or OPENAI_URL).hostname}"


def _mend_embedder(settings: Settings, model: EmbeddingModel, stored: EmbeddingModel | None) -> str:
    """A server that chats may have no embeddings: then what else could make the vectors."""
    if model.name == LOCAL_MODEL:
        return "look in the log in the data folder"
    if stored is not None:
        named = ", and take EMBEDDING_MODEL out" if settings.embedding_model else ""
        here = f"have all vectors made anew on this machine: {REEMBED_HERE}{named}"
        return f"look at OPENAI_API_KEY and OPENAI_BASE_URL; or {here}"
    if settings.embedding_model is not None:
        return (
            f"name a server that has {model.name} in OPENAI_BASE_URL, or take EMBEDDING_MODEL out"
        )
    return f"look at OPENAI_API_KEY; or set EMBEDDING_MODEL={LOCAL_MODEL}"


async def _stored(addresses: Addresses) -> EmbeddingModel | None:
    """None too where the database cannot be asked, which is a finding of its own."""
    try:
        return await kept_model(addresses)
    except KeepsakeError:
        return None


async def look_at_model(
    settings: Settings, transport: httpx2.AsyncBaseTransport | None = None
) -> Finding:
    """Only a list of models is asked for, and only where one is configured: nothing is paid for.
    `transport` stands in for the network."""
    if not settings.has_model:
        return ok("chat model", "none configured: the offline assistant answers")
    base = (settings.openai_base_url or OPENAI_URL).rstrip("/")
    key = settings.openai_api_key
    headers = {} if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}
    try:
        async with httpx2.AsyncClient(transport=transport, timeout=SECONDS) as client:
            answer = await client.get(f"{base}/models", headers=headers)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        found = f"its server cannot be asked ({type(error).__name__})"
        return broken("chat model", found, "look at OPENAI_BASE_URL and at the network")
    return _of_status(settings.openai_model, answer)


def _of_status(model: str, answer: httpx2.Response) -> Finding:
    status = answer.status_code
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        mend = "put a valid key into OPENAI_API_KEY"
        return broken("chat model", f"the key is refused ({status})", mend)
    if answer.is_server_error:
        return broken("chat model", f"its server answers {status}", "wait, or ask who runs it")
    if answer.is_client_error:
        return ok("chat model", f"its server answers, but lists no models ({status})")
    if model not in _names(answer):
        mend = "name one that it has in OPENAI_MODEL"
        return warning("chat model", f"its server does not list {model}", mend)
    return ok("chat model", f"{model} is there")


def _names(answer: httpx2.Response) -> set[str]:
    try:
        return {str(each["id"]) for each in answer.json()["data"]}
    except (ValueError, KeyError, TypeError):
        return set()


async def look_at_tokenizer() -> Finding:
    try:
        count = await asyncio.to_thread(lambda: TokenCounter().count("hello world"))
    except Exception as error:  # whatever a damaged installation raises
        return broken("tokenizer", type(error).__name__, "install the requirements again")
    return ok("tokenizer", f"cl100k_base counts ({count} tokens in two words)")


async def look_at_mlflow(
    settings: Settings, transport: httpx2.AsyncBaseTransport | None = None
) -> Finding:
    uri = settings.tracking_uri
    if not uri.startswith(("http://", "https://")):
        return ok("MLflow", "evaluations go into a file")
    try:
        async with httpx2.AsyncClient(transport=transport, timeout=SECONDS) as client:
            answer = await client.get(f"{uri.rstrip('/')}/health")
        found = f"answers {answer.status_code}"
        healthy = not answer.is_error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        found, healthy = f"does not answer ({type(error).__name__})", False
    if healthy:
        return ok("MLflow", found)
    needs = "evaluations and MLFLOW_TRACING need" if settings.mlflow_tracing else "evaluations need"
    return warning("MLflow", found, f"only {needs} it; look at MLFLOW_TRACKING_URI")


async def look_at_metrics(settings: Settings) -> Finding:
    """Whether a program could tell its metrics at METRICS_HOST, at some port: that of a program
    which runs is taken."""
    ports = (settings.serve_metrics_port, settings.worker_metrics_port)
    if not any(ports):
        return ok("metrics", "at /metrics of the server alone")
    host = settings.metrics_host
    try:
        await asyncio.to_thread(_listen_once, host)
    except OSError as error:
        mend = "name an address of this machine in METRICS_HOST: nothing starts with this one"
        return broken("metrics", f"cannot be told at {host} ({error.strerror})", mend)
    return ok("metrics", f"can be told at {host}")


def _listen_once(host: str) -> None:
    family, *_, place = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
    socket.create_server(place[:2], family=family).close()


async def look_at_traces(settings: Settings) -> Finding:
    """Of what the program needs to send them; nothing is sent."""
    if settings.otel_exporter_otlp_endpoint is None:
        return ok("traces", "not asked for")
    async with traced(settings):
        return ok("traces", "are sent where OTEL_EXPORTER_OTLP_ENDPOINT says")
