"""Real services for every test: one PostgreSQL and one Valkey for the whole run, shared by the
test processes through Keepsake's own embedded services; a migrated template copied per test."""

from __future__ import annotations

import asyncio
import fcntl
import functools
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import structlog
from agents import set_tracing_disabled
from hypothesis import settings as profile
from pydantic.fields import FieldInfo

from memory.assembly import make_memory
from memory.cache import Cache, EmbeddingCache
from memory.database import Database
from memory.embedded.services import Addresses, EmbeddedServices
from memory.embedders.cached import CachedEmbedder
from memory.embedders.local import LocalEmbedder, TextModel
from memory.embedders.minilm import load_minilm
from memory.embedders.protocol import Embedder
from memory.models import EmbeddingModel
from memory.service import Memory
from memory.settings import LOCAL_DIMENSIONS, LOCAL_MODEL, Settings
from memory.tokens import TokenCounter
from migrations.runner import migrate
from migrations.scratch import create_database, scratch_database, with_database
from tests.agent.turns import Assist, assists
from tests.embedding_once import EmbeddingOnce
from tests.temporary import remove_unused, services_home, write_in_memory

# No example is too slow where others use the machine. With CI set, each run tries the same ones.
profile.register_profile("keepsake", profile(), deadline=None)
profile.register_profile("few", profile(), deadline=None, max_examples=10)  # `make test-fast`
profile.load_profile("keepsake")

# What a test stands on, by the fixtures that bring it; `make test-fast` runs what has no mark.
MARKS = {
    "database": {"services", "cluster"},
    "cache": {"services", "valkey", "valkey_url"},
    "server": {
        *("site", "program", "make_program", "run_eval"),
        *("finished_home", "new_place", "open_place", "silent_server", "listener"),
    },
    "browser": {"browser"},
    "model": {"load_model", "minilm"},
}
TEMPLATE = "keepsake_template"
PROFILE = EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS)


def pytest_configure() -> None:
    """Before any test: one traceback with all that its frames hold takes seconds to draw."""
    write_in_memory()
    processors = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*processors[:-1], plain])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Before `-m` chooses among them."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        for mark in (mark for mark, brought_by in MARKS.items() if brought_by & fixtures):
            item.add_marker(mark)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Every full collection would look through a million objects that stay anyhow."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def services(run_folder: Path) -> Iterator[Addresses]:
    with _alone(run_folder):
        embedded = EmbeddedServices(services_home(run_folder))
        addresses = asyncio.run(embedded.start())
    yield addresses
    with _alone(run_folder):
        asyncio.run(embedded.stop())
        remove_unused(run_folder)


@contextmanager
def _alone(run_folder: Path) -> Iterator[None]:
    """One process of the run at a time."""
    with (run_folder / "services.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def template(services: Addresses, run_folder: Path) -> str:
    """The name of a migrated database that nobody is connected to."""
    with (run_folder / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        asyncio.run(_make_template(services.database_url))
    return TEMPLATE


async def _make_template(owner_url: str) -> None:
    if await create_database(owner_url, TEMPLATE):
        await migrate(with_database(owner_url, TEMPLATE), PROFILE)


@pytest.fixture
async def database_url(services: Addresses, template: str) -> AsyncIterator[str]:
    """A database of this test's own; the login is the owner's."""
    async with scratch_database(
        services.database_url, template=template, strategy="FILE_COPY", prefix="test"
    ) as url:
        yield url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    opened = await Database.open(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def cache(services: Addresses) -> AsyncIterator[Cache]:
    opened = Cache(services.redis_url)
    yield opened
    await opened.aclose()


@pytest.fixture
def user_id() -> str:
    """A user whose keys in the shared Valkey are this test's alone."""
    return f"user-{uuid4().hex[:12]}"


@pytest.fixture(scope="session")
def counter() -> TokenCounter:
    return TokenCounter()


@pytest.fixture(scope="session")
def load_model() -> Callable[[], TextModel]:
    """Loads the local model, once in a process."""
    return functools.cache(lambda: EmbeddingOnce(load_minilm()))


@pytest.fixture
async def local_embedder(load_model: Callable[[], TextModel]) -> AsyncIterator[LocalEmbedder]:
    """Of the test's own event loop, to which its lock is bound."""
    embedder = LocalEmbedder(load_model)
    yield embedder
    await embedder.aclose()


@pytest.fixture
def embedder(local_embedder: LocalEmbedder, cache: Cache) -> Embedder:
    return CachedEmbedder(local_embedder, EmbeddingCache(cache))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, whatever the environment of the test run says; no rate limit."""
    return Settings.model_construct(
        **{name: field.get_default(call_default_factory=True) for name, field in _fields()}
        | {"keepsake_home": tmp_path, "memory_queries_per_minute": 0}
    )


def _fields() -> list[tuple[str, FieldInfo]]:
    return list(Settings.model_fields.items())


@pytest.fixture
async def memory(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[Memory]:
    made = make_memory(database, embedder, cache, counter, settings)
    yield made
    await made.aclose()


@pytest.fixture(scope="session", autouse=True)
def _no_traces() -> None:
    set_tracing_disabled(True)


@pytest.fixture
def conversation() -> UUID:
    return uuid4()


@pytest.fixture
async def assist(memory: Memory, cache: Cache) -> AsyncIterator[Assist]:
    """Makes assistants over the test's memory, and closes them in the end."""
    async with assists(memory, cache) as make:
        yield make
