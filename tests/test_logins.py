"""docker/postgres/logins.sql on a cluster of its own: what each login of the containers may do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.factory import make_memory, make_worker_queries
from memory.local_services.servers import find_postgres
from memory.local_services.services import LocalServices
from memory.service import MemoryService
from memory.store.database import WORKER_ROLE, Database
from memory.store.messages import NewMessage
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel, MemoryQueryRequest, NewMemory
from migrations.runner import migrate, owner_connection, read_pending, read_profile
from migrations.scratch import with_database
from migrations.vector_swap import VectorSchema
from tests.conftest import PROFILE, create_database

LOGINS = Path(__file__).parents[1] / "docker" / "postgres" / "logins.sql"
PASSWORDS = dict.fromkeys(("MIGRATE_PASSWORD", "CHAT_PASSWORD", "WORK_PASSWORD"), "it's a secret")

pytestmark = pytest.mark.xdist_group("logins")


def as_login(url: str, login: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}"))


async def run_logins(url: str, environment: dict[str, str]) -> int:
    """As the image of PostgreSQL runs the file on an empty volume."""
    psql = await asyncio.create_subprocess_exec(
        *(find_postgres() / "bin" / "psql", "--no-psqlrc", "--quiet", "--file", LOGINS, url),
        env={**os.environ, **environment},
        stderr=asyncio.subprocess.DEVNULL,
    )
    async with asyncio.timeout(60):
        return await psql.wait()


async def _compose(superuser_url: str) -> str:
    await create_database(superuser_url, "composed")
    url = with_database(superuser_url, "composed")
    assert await run_logins(url, PASSWORDS) == 0
    await migrate(as_login(url, "keepsake_migrate"), PROFILE)
    return url


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with the logins, migrated by theirs; the URL is the superuser's."""
    services = LocalServices(tmp_path_factory.mktemp("logins") / "home", valkey=False)
    addresses = asyncio.run(services.start())
    try:
        yield asyncio.run(_compose(addresses.database_url))
    finally:
        asyncio.run(services.stop())


@pytest.fixture
async def chat(cluster: str) -> AsyncIterator[Database]:
    opened = await Database.open(as_login(cluster, "keepsake_chat"))
    yield opened
    await opened.close()


@pytest.fixture
async def work(cluster: str) -> AsyncIterator[Database]:
    opened = await Database.open(as_login(cluster, "keepsake_work"), role=WORKER_ROLE)
    yield opened
    await opened.close()


async def run_as(cluster: str, login: str, *statements: str) -> None:
    connection = await asyncpg.connect(as_login(cluster, login), timeout=60)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close(timeout=60)


@pytest.fixture
def memory_on(
    embedder: Embedder, cache: Cache, counter: TokenCounter, settings: Settings
) -> Callable[[Database], MemoryService]:
    return lambda database: make_memory(database, embedder, cache, counter, settings)


async def test_chat_remembers_and_recalls(
    chat: Database, memory_on: Callable[[Database], MemoryService]
) -> None:
    memory = memory_on(chat)
    await memory.remember("ada", NewMemory(content="I prefer uv over pip", type="preference"))
    for user_id, found in (("ada", 1), ("ben", 0)):
        request = MemoryQueryRequest(user_id=user_id, query="Do I prefer uv or pip?")
        assert len((await memory.recall(request)).items) == found


async def test_worker_embeds_what_waits_for_every_user(
    chat: Database,
    work: Database,
    memory_on: Callable[[Database], MemoryService],
    embedder: Embedder,
    settings: Settings,
) -> None:
    hello = NewMessage("user", "hello", uuid4())
    await memory_on(chat).conversations.add_message("cleo", uuid4(), hello)
    assert await make_worker_queries(work, embedder, settings).embed_waiting("cleo") == 1


async def test_the_owner_chooses_another_model_until_somebody_has_a_vector(cluster: str) -> None:
    """Of whom it sees no row."""
    await create_database(cluster, "unbound")
    url = with_database(cluster, "unbound")
    async with owner_connection(url) as superuser:
        await superuser.execute("CREATE EXTENSION vector")
        await superuser.execute("ALTER DATABASE unbound OWNER TO keepsake_migrate")
    owner = as_login(url, "keepsake_migrate")
    await migrate(owner, PROFILE)
    wanted = [EmbeddingModel("longer", 1536), PROFILE]
    assert [await choose(owner, model) for model in wanted] == wanted

    chat = await Database.open(as_login(url, "keepsake_chat"))
    assert await choose(owner, wanted[0]) == PROFILE  # the chat has found that model
    async with chat.as_user("ada") as connection:
        await connection.execute(
            "INSERT INTO episodes (user_id, task, embedding) VALUES ('ada', 'sail',"
            f" array_fill(0.05, ARRAY[{PROFILE.dimensions}])::halfvec)"
        )
    await chat.close()
    assert await choose(owner, wanted[0]) == PROFILE


async def choose(url: str, model: EmbeddingModel) -> EmbeddingModel | None:
    async with owner_connection(url) as connection:
        await VectorSchema(connection).choose(model)
    return await read_profile(url)


@pytest.mark.parametrize("login", ["keepsake_chat", "keepsake_work"])
async def test_login_sees_that_nothing_is_missing(cluster: str, login: str) -> None:
    url = as_login(cluster, login)
    assert await read_profile(url) == PROFILE
    assert await read_pending(url) == []


@pytest.mark.parametrize(
    ("login", "statement"),
    [
        ("keepsake_chat", "SET ROLE keepsake_migrate"),
        ("keepsake_chat", "SET ROLE keepsake_owner"),
        ("keepsake_chat", "SET ROLE keepsake_worker"),
        ("keepsake_chat", "SET ROLE keepsake_search"),
        ("keepsake_chat", "GRANT keepsake_worker TO keepsake_chat"),
        ("keepsake_chat", "ALTER ROLE keepsake_chat BYPASSRLS"),
        ("keepsake_chat", "ALTER TABLE memory_items DISABLE ROW LEVEL SECURITY"),
        ("keepsake_chat", "CREATE TABLE mine (id integer)"),
        ("keepsake_chat", "UPDATE schema_migrations SET checksum = ''"),
        ("keepsake_work", "SET ROLE keepsake_migrate"),
        ("keepsake_work", "SET ROLE keepsake_eraser"),
        ("keepsake_work", "TABLE conversations"),
        ("keepsake_work", "UPDATE messages SET content = ''"),
        ("keepsake_work", "DELETE FROM memory_items"),
        ("keepsake_migrate", "SET ROLE keepsake_owner"),
        ("keepsake_migrate", "ALTER ROLE keepsake_migrate SUPERUSER"),
        ("keepsake_migrate", "ALTER ROLE keepsake_migrate BYPASSRLS"),
    ],
)
async def test_login_cannot_become_more(cluster: str, login: str, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await run_as(cluster, login, statement)


async def test_chat_without_a_user_sees_no_row(cluster: str, chat: Database) -> None:
    async with chat.as_user("dora") as connection:
        await connection.execute("INSERT INTO conversations (user_id) VALUES ('dora')")
    direct = await asyncpg.connect(as_login(cluster, "keepsake_chat"), timeout=60)
    try:
        assert await direct.fetch("TABLE conversations") == []
    finally:
        await direct.close(timeout=60)
