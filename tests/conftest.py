"""Real services for every test: one PostgreSQL and one Valkey for the whole run, shared by the
test processes through Keepsake's own embedded services; one database for each process."""

from __future__ import annotations

import asyncio
import fcntl
import functools
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest
import structlog
from agents import set_tracing_disabled
from hypothesis import settings as profile
from pydantic.fields import FieldInfo

from memory.cache import Cache, EmbeddingCache
from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL, Settings
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.local import LocalEmbedder, TextModel
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory
from memory.local_services.services import LocalServices, ServiceAddresses
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel
from memory.understanding.sentence_encoder import load_sentence_encoder
from migrations.runner import migrate
from migrations.scratch import scratch_database, with_database
from tests.agent.turns import Assist, assists
from tests.embedding_once import EmbeddingOnce
from tests.patience import PATIENCE
from tests.temporary import remove_unused, services_home, write_in_memory

# No example is too slow where others use the machine. With CI set, each run tries the same ones.
profile.register_profile("keepsake", profile(), deadline=None, max_examples=40)
profile.register_profile("few", profile(), deadline=None, max_examples=10)  # `make test-fast`
profile.load_profile("keepsake")

# What a test stands on, by the fixtures that bring it; `make test-fast` runs what has no mark.
MARKS = {
    "database": {"services", "cluster"},
    "cache": {"services", "valkey", "valkey_url"},
    "server": {
        *("site", "program", "make_program", "run_eval"),
        *("finished_home", "new_place", "open_place", "listener", "silent_server"),
    },
    "browser": {"browser"},
    "model": {"load_model", "decisions"},
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
async def event_loop() -> asyncio.AbstractEventLoop:
    """That of all tests and fixtures of a process."""
    return asyncio.get_running_loop()


@pytest.fixture(autouse=True)
def _no_task_outlives_its_test(event_loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    before = asyncio.all_tasks(event_loop)
    yield
    if left := asyncio.all_tasks(event_loop) - before:
        event_loop.run_until_complete(_end(left))


async def _end(tasks: set[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base if worker_id == "master" else base.parent


@pytest.fixture(scope="session")
def services(run_folder: Path) -> Iterator[ServiceAddresses]:
    with _alone(run_folder):
        embedded = LocalServices(services_home(run_folder))
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
def template(services: ServiceAddresses, run_folder: Path) -> str:
    """The name of a migrated database that nobody is connected to."""
    with (run_folder / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        asyncio.run(_make_template(services.database_url))
    return TEMPLATE


async def create_database(admin_url: str, name: str, template: str = "template1") -> bool:
    """Makes the database; False where it exists already."""
    admin = await asyncpg.connect(admin_url, timeout=60)
    try:
        await admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    except asyncpg.DuplicateDatabaseError:
        return False
    finally:
        await admin.close(timeout=60)
    return True


async def _make_template(owner_url: str) -> None:
    if await create_database(owner_url, TEMPLATE):
        await migrate(with_database(owner_url, TEMPLATE), PROFILE)


@pytest.fixture(scope="session")
def shared_database_url(services: ServiceAddresses, template: str) -> str:
    """One database for all tests of a process: each test has users of its own, and no user sees
    another's rows. The login is the owner's."""
    name = f"shared_{uuid4().hex[:12]}"
    asyncio.run(create_database(services.database_url, name, template))
    return with_database(services.database_url, name)


class SharedDatabase(Database):
    """Not closed by a test: all that follow would find no database."""

    async def close(self) -> None:
        pytest.fail("This database is shared by all tests: close own_database instead.")


@pytest.fixture(scope="session")
async def shared_database(shared_database_url: str) -> AsyncIterator[Database]:
    opened = await SharedDatabase.open(shared_database_url)
    yield opened
    await Database.close(opened)


@pytest.fixture
async def own_database_url(services: ServiceAddresses, template: str) -> AsyncIterator[str]:
    """A database of the test's own, for one that looks at everybody's rows or changes more than
    rows: where a test or one of its fixtures asks for it, `database` and all above it are there."""
    async with scratch_database(
        services.database_url, template=template, strategy="FILE_COPY", prefix="test"
    ) as url:
        yield url


@pytest.fixture
async def own_database(own_database_url: str) -> AsyncIterator[Database]:
    opened = await Database.open(own_database_url)
    yield opened
    await opened.close()


@pytest.fixture
def database_url(request: pytest.FixtureRequest, shared_database_url: str) -> str:
    if "own_database_url" not in request.fixturenames:
        return shared_database_url
    own: str = request.getfixturevalue("own_database_url")
    return own


@pytest.fixture
def database(request: pytest.FixtureRequest, shared_database: Database) -> Database:
    if "own_database_url" not in request.fixturenames:
        return shared_database
    own: Database = request.getfixturevalue("own_database")
    return own


@pytest.fixture
async def cache(services: ServiceAddresses) -> AsyncIterator[Cache]:
    """Of the test's own: one that did not answer in time is left alone for a while."""
    opened = Cache(services.redis_url, timeout=PATIENCE)
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
    return functools.cache(lambda: EmbeddingOnce(load_sentence_encoder()))


@pytest.fixture(scope="session")
async def local_embedder(load_model: Callable[[], TextModel]) -> AsyncIterator[LocalEmbedder]:
    embedder = LocalEmbedder(load_model)
    yield embedder
    await embedder.aclose()


@pytest.fixture
def embedder(local_embedder: LocalEmbedder, cache: Cache) -> Embedder:
    return CachedEmbedder(local_embedder, EmbeddingCache(cache))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, whatever the environment of the test run says; no rate limit, and no answer
    is given up because the machine is busy."""
    return Settings.model_construct(
        **{name: field.get_default(call_default_factory=True) for name, field in _fields()}
        | {
            "keepsake_home": tmp_path,
            "memory_queries_per_minute": 0,
            "embedding_timeout_seconds": PATIENCE,
            "recall_timeout_seconds": PATIENCE,
        }
    )


def _fields() -> list[tuple[str, FieldInfo]]:
    return list(Settings.model_fields.items())


@pytest.fixture
async def memory(
    database: Database, embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> AsyncIterator[MemoryService]:
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
async def assist(memory: MemoryService, cache: Cache) -> AsyncIterator[Assist]:
    """Makes assistants over the test's memory, and closes them in the end."""
    async with assists(memory, cache) as make:
        yield make
