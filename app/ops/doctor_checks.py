"""What `python -m app doctor` looks at: the data folder, PostgreSQL, and what Keepsake asks over a
socket or a network."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import stat
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import httpx2

from app.ops.backup_archive import abandoned_drills, abandoned_work_folders
from app.services import ServiceUrls, database_model
from app.telemetry.traces import open_tracer
from app.worker.heartbeat import background_heartbeat_file, heartbeat_file, why_not_alive
from memory.cache import Cache
from memory.config import LOCAL_MODEL, OPENAI_URL, RETIRED_MODELS, Settings
from memory.config.digest_key import load_digest_key
from memory.embeddings.factory import (
    REEMBED_COMMAND,
    choose_embedding_model,
    make_embedder,
    require_configured,
)
from memory.errors import InvalidSettings, KeepsakeError
from memory.factory import without_cache
from memory.store.database import APPLICATION_ROLE, WORKER_ROLE
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel
from migrations.diagnosis import DatabaseBacklog, RoleInfo, ServerInfo, read_backlog, read_server
from migrations.runner import read_pending

State = Literal["ok", "warning", "broken"]


@dataclass(frozen=True)
class Finding:
    """`found` says how the part is, `mend` what to do where it is not well. With a warning Keepsake
    works, with less than it could; what is broken keeps something from working."""

    part: str
    state: State
    found: str
    mend: str = ""


def ok(part: str, found: str) -> Finding:
    return Finding(part, "ok", found)


def warning(part: str, found: str, mend: str) -> Finding:
    return Finding(part, "warning", found, mend)


def broken(part: str, found: str, mend: str) -> Finding:
    return Finding(part, "broken", found, mend)


ROOM_BYTES = 1_000_000_000
LEAST_ROOM_BYTES = 100_000_000
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check_folder(settings: Settings) -> list[Finding]:
    """Blocks for some milliseconds."""
    return [
        *_permissions(settings.keepsake_home),
        *_left_over(settings.keepsake_home),
        _room(settings.keepsake_home),
        _key(settings),
        _worker(settings.keepsake_home),
    ]


def _permissions(home: Path) -> Iterator[Finding]:
    part, mode = "data folder", home.stat().st_mode
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        yield broken(
            part, f"{home} cannot be written", "run Keepsake as its owner, or set KEEPSAKE_HOME"
        )
    elif mode & _OTHERS:
        yield warning(part, f"{home} can be entered by others", f"chmod 700 {home}")
    else:
        yield ok(part, f"{home}, closed to others")
    if open_ones := [path.name for path in _private_files(home) if path.stat().st_mode & _OTHERS]:
        names = " ".join(sorted(open_ones))
        yield broken("key files", f"others can read {names}", f"in {home}: chmod 600 {names}")


def _private_files(home: Path) -> list[Path]:
    return [path for path in (home / "digest.key",) if path.is_file()]


def _left_over(home: Path) -> Iterator[Finding]:
    if found := abandoned_work_folders(home):
        names = " ".join(path.name for path in found)
        yield warning("left over", f"a killed backup or restore left {names}", f"in {home}: rm -r")


def _room(home: Path) -> Finding:
    free = shutil.disk_usage(home).free
    found = f"{free / 1e9:,.1f} GB free"
    if free < LEAST_ROOM_BYTES:
        return broken("disk", found, "make room: a full disk stops the database")
    if free < ROOM_BYTES:
        return warning("disk", found, "make room soon: a full disk stops the database")
    return ok("disk", found)


def _key(settings: Settings) -> Finding:
    try:
        load_digest_key(settings)
    except InvalidSettings as error:
        return broken("digest key", str(error), "put the key of a backup back in its place")
    where = "in the data folder" if settings.digest_key is None else "in DIGEST_KEY"
    return ok("digest key", where)


def _worker(home: Path) -> Finding:
    """A chat and a server do the work themselves; a worker that was there and stopped is told where
    none of them does."""
    file, now = heartbeat_file(home), time.time()
    reason = why_not_alive(file, now)
    if reason is None:
        return ok("worker", "alive")
    if not file.exists():
        return ok("worker", "none on this home; chat and serve do its work while they run")
    if why_not_alive(background_heartbeat_file(home), now) is None:
        return ok("worker", "one stopped without a word; a chat or server does its work")
    mend = "restart it: python -m app worker; chat and serve do its work too while they run"
    return warning("worker", reason, mend)


LEAST_VERSION = 150_000
LEAST_VECTOR = (0, 8, 4)
CLOCKS_APART = timedelta(seconds=5)
OLD_BACKLOG = timedelta(hours=1)
MIGRATE = "python -m app migrate"


async def check_database(settings: Settings, addresses: ServiceUrls) -> AsyncIterator[Finding]:
    """Raises KeepsakeError where it cannot be looked at at all."""
    server, roles, unprotected = await read_server(addresses.database_url)
    missing = await read_pending(addresses.owner_url)
    if missing and addresses.embedded_database:
        yield ok("PostgreSQL", f"{server.version_name}, embedded")
        applied = "1 migration is" if len(missing) == 1 else f"{len(missing)} migrations are"
        yield ok("schema", f"{applied} applied at the next start")
        yield await _check_vector_model(settings, addresses)
        return
    for finding in check_server(server, datetime.now(UTC)):
        yield finding
    if missing:
        yield broken("schema", f"missing: {', '.join(missing)}", MIGRATE)
        return
    yield ok("schema", "up to date")
    for finding in check_roles(roles, unprotected):
        yield finding
    yield await _check_vector_model(settings, addresses)
    for finding in check_drills(await abandoned_drills(addresses.owner_url)):
        yield finding
    for finding in check_backlog(await read_backlog(addresses.owner_url), datetime.now(UTC)):
        yield finding


def check_server(server: ServerInfo, now: datetime) -> Iterator[Finding]:
    found = f"{server.version_name}, {server.size}, as {server.login}"
    if server.version < LEAST_VERSION:
        yield broken("PostgreSQL", found, "upgrade it to 15 or newer")
    else:
        yield ok("PostgreSQL", found)
    if server.vector_version is None:
        yield broken(
            "pgvector",
            "not in this database",
            f"install it on the server; as superuser: CREATE EXTENSION vector; then {MIGRATE}",
        )
    elif _numbers(server.vector_version) < LEAST_VECTOR:
        yield warning(
            "pgvector",
            server.vector_version,
            "install 0.8.4 or newer on the server; then: ALTER EXTENSION vector UPDATE",
        )
    else:
        yield ok("pgvector", server.vector_version)
    apart = abs(server.clock - now)
    if apart > CLOCKS_APART:
        found = f"{apart.total_seconds():.0f} seconds apart from the database's"
        yield warning("clock", found, "let both machines follow a time server")
    else:
        yield ok("clock", "the same as the database's")


def check_roles(roles: Sequence[RoleInfo], unprotected: Sequence[str]) -> Iterator[Finding]:
    known = {role.name: role for role in roles}
    app, worker = known.get(APPLICATION_ROLE), known.get(WORKER_ROLE)
    if app is None or not app.may_act:
        yield broken(
            "roles", f"this login may not act as {APPLICATION_ROLE}", f"as the owner: {MIGRATE}"
        )
    elif app.bypasses:
        mend = f"as superuser: ALTER ROLE {APPLICATION_ROLE} NOSUPERUSER NOBYPASSRLS"
        yield broken("roles", f"{APPLICATION_ROLE} reads past row-level security", mend)
    elif worker is None or not worker.may_act:
        mend = "run a worker with a login of that role, see docker/postgres/logins.sql"
        yield ok("roles", f"this login does not act as {WORKER_ROLE}: {mend}")
    else:
        yield ok("roles", f"acts as {APPLICATION_ROLE} and {WORKER_ROLE}")
    if unprotected:
        names = ", ".join(unprotected)
        mend = "ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY, or restore a backup"
        yield broken("row security", f"not on {names}", mend)
    else:
        yield ok("row security", "forced on every table of users")


async def _check_vector_model(settings: Settings, addresses: ServiceUrls) -> Finding:
    stored = await database_model(addresses)
    wanted = choose_embedding_model(settings, stored)
    made = stored or wanted
    found = f"made for {made.name}, {made.dimensions} dimensions"
    if stored is None:
        found = f"none yet; the first will be of {made.name}, {made.dimensions} dimensions"
    if stored not in (None, wanted) and made.name not in RETIRED_MODELS:
        mend = f"python -m app reembed, or set EMBEDDING_MODEL={made.name} again"
        return broken("vectors", f"{found}; the settings name {wanted.name}", mend)
    try:
        require_configured(made, settings)
    except KeepsakeError as error:
        return broken("vectors", found, str(error))
    return ok("vectors", found)


def check_drills(names: Sequence[str]) -> Iterator[Finding]:
    if names:
        found = f"killed restore drills left {', '.join(names)}, each with everybody's data"
        yield warning("left over", found, "python -m app backup drops them")


def check_backlog(backlog: DatabaseBacklog | None, now: datetime) -> Iterator[Finding]:
    if backlog is None:
        yield ok("backlog", "not to be seen by this login")
        return
    found = f"{backlog.waiting:,} rows wait for their vector"
    if backlog.oldest is not None and now - backlog.oldest > OLD_BACKLOG:
        since = f", the oldest since {backlog.oldest:%Y-%m-%d %H:%M} UTC"
        yield warning("backlog", found + since, "run a worker, and look whether the model answers")
    else:
        yield ok("backlog", found)
    if backlog.other:
        found = f"{backlog.other:,} vectors are of another model"
        yield warning("old vectors", found, "run python -m app reembed once more")
    if backlog.dead_jobs:
        found = f"{backlog.dead_jobs:,} were given up"
        yield warning("jobs", found, "python -m app jobs list --dead, then jobs requeue")
    else:
        yield ok("jobs", "none was given up")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


CHECK_SECONDS = 10.0


async def check_redis(addresses: ServiceUrls) -> Finding:
    async with aclosing(Cache(addresses.redis_url)) as cache:
        try:
            await cache.ping()
        except KeepsakeError as error:
            mend = "start it, or take REDIS_URL out of the settings for an embedded one"
            return warning("Redis", str(error), mend)
    return ok("Redis", "answers")


async def check_embedder(
    settings: Settings, addresses: ServiceUrls, transport: httpx2.AsyncBaseTransport | None = None
) -> Finding:
    """One short text is embedded, whatever the cache holds. `transport` stands in for the network.
    Raises InvalidSettings where nothing starts with the model."""
    stored = await _stored(addresses)
    model = choose_embedding_model(settings, stored)
    require_configured(model, settings)
    async with (
        aclosing(Cache(addresses.redis_url)) as cache,
        aclosing(make_embedder(model, settings, cache, TokenCounter(), transport)) as embedder,
    ):
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await without_cache(embedder).embed_query("hello")
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
        here = f"have all vectors made anew on this machine: {REEMBED_COMMAND}{named}"
        return f"look at OPENAI_API_KEY and OPENAI_BASE_URL; or {here}"
    if settings.embedding_model is not None:
        return (
            f"name a server that has {model.name} in OPENAI_BASE_URL, or take EMBEDDING_MODEL out"
        )
    return f"look at OPENAI_API_KEY; or set EMBEDDING_MODEL={LOCAL_MODEL}"


async def _stored(addresses: ServiceUrls) -> EmbeddingModel | None:
    """None too where the database cannot be asked, which is a finding of its own."""
    try:
        return await database_model(addresses)
    except KeepsakeError:
        return None


async def check_chat_model(
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
        async with httpx2.AsyncClient(transport=transport, timeout=CHECK_SECONDS) as client:
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


async def check_tokenizer() -> Finding:
    try:
        count = await asyncio.to_thread(lambda: TokenCounter().count("hello world"))
    except Exception as error:  # whatever a damaged installation raises
        return broken("tokenizer", type(error).__name__, "install the requirements again")
    return ok("tokenizer", f"cl100k_base counts ({count} tokens in two words)")


async def check_mlflow(
    settings: Settings, transport: httpx2.AsyncBaseTransport | None = None
) -> Finding:
    uri = settings.tracking_uri
    if not uri.startswith(("http://", "https://")):
        return ok("MLflow", "evaluations go into a file")
    try:
        async with httpx2.AsyncClient(transport=transport, timeout=CHECK_SECONDS) as client:
            answer = await client.get(f"{uri.rstrip('/')}/health")
        found = f"answers {answer.status_code}"
        healthy = not answer.is_error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        found, healthy = f"does not answer ({type(error).__name__})", False
    if healthy:
        return ok("MLflow", found)
    needs = "evaluations and MLFLOW_TRACING need" if settings.mlflow_tracing else "evaluations need"
    return warning("MLflow", found, f"only {needs} it; look at MLFLOW_TRACKING_URI")


async def check_metrics(settings: Settings) -> Finding:
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


async def check_traces(settings: Settings) -> Finding:
    """Of what the program needs to send them; nothing is sent."""
    if settings.otel_exporter_otlp_endpoint is None:
        return ok("traces", "not asked for")
    async with open_tracer(settings):
        return ok("traces", "are sent where OTEL_EXPORTER_OTLP_ENDPOINT says")
