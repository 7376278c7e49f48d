from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import numpy as np
import pytest

from memory.config import MAX_DIMENSIONS
from memory.errors import (
    DatabaseUnavailable,
    DimensionMismatch,
    EmbeddingOutdated,
    MigrationChanged,
    MigrationFailed,
    SchemaOutdated,
    SchemaTooOld,
)
from memory.local_services.services import ServiceAddresses
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.types import EmbeddingModel, NewMemory
from migrations.runner import (
    BASELINE,
    LOCK_KEY,
    Migration,
    load_migrations,
    migrate,
    read_pending,
    read_profile,
)
from migrations.scratch import scratch_database
from tests.conftest import PROFILE
from tests.memory.fakes import unit
from tests.migrations.catalogue import catalogue

PROJECT = Path(__file__).parents[2]
NAMES = [migration.name for migration in load_migrations()]
LATER = Migration(9001, "later", "CREATE TABLE later (id integer)")
BROKEN = Migration(
    9002, "broken", "CREATE TABLE half (id integer); INSERT INTO half VALUES ('not a number')"
)


@contextlib.asynccontextmanager
async def owner(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url, timeout=60)
    try:
        yield connection
    finally:
        await connection.close(timeout=60)


@pytest.fixture
async def empty_url(services: ServiceAddresses) -> AsyncIterator[str]:
    async with scratch_database(services.database_url, prefix="empty") as url:
        yield url


@pytest.fixture
async def migrated_url(services: ServiceAddresses, template: str) -> AsyncIterator[str]:
    async with scratch_database(services.database_url, template=template, prefix="test") as url:
        yield url


async def tables(url: str) -> set[str]:
    async with owner(url) as connection:
        rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {row["tablename"] for row in rows}


def test_the_files_are_numbered_without_a_gap() -> None:
    numbers = [each.version for each in load_migrations() if not each.is_repeated]
    assert numbers == [*range(BASELINE, BASELINE + len(numbers))]


async def test_an_empty_database_is_brought_up_to_date_once(empty_url: str) -> None:
    assert await read_profile(empty_url) is None
    assert await read_pending(empty_url) == NAMES
    assert await migrate(empty_url, PROFILE) == NAMES
    assert await migrate(empty_url, PROFILE) == []
    assert await read_pending(empty_url) == []
    assert await read_profile(empty_url) == PROFILE
    await (await Database.open(empty_url)).close()


async def test_a_new_file_is_applied_to_an_old_database(migrated_url: str) -> None:
    grown = [*load_migrations(), LATER]
    assert await migrate(migrated_url, PROFILE, grown) == ["later"]
    assert "later" in await tables(migrated_url)


async def test_a_file_that_changed_is_refused(migrated_url: str) -> None:
    first, *others = load_migrations()
    changed = [dataclasses.replace(first, sql=first.sql + "\n"), *others, LATER]
    with pytest.raises(MigrationChanged, match=first.name):
        await migrate(migrated_url, PROFILE, changed)
    assert "later" not in await tables(migrated_url)


async def test_a_ledger_that_does_not_agree_is_refused(migrated_url: str) -> None:
    async with owner(migrated_url) as connection:
        await connection.execute("UPDATE schema_migrations SET checksum = 'x' WHERE version > 0")
    with pytest.raises(MigrationChanged, match=NAMES[0]):
        await read_pending(migrated_url)


def replaced(name: str, sql: str) -> list[Migration]:
    """This folder's files, one of them with other words."""
    return [
        dataclasses.replace(each, sql=each.sql + sql) if each.name == name else each
        for each in load_migrations()
    ]


@pytest.mark.parametrize("name", ["policies", "functions"])
async def test_policies_and_functions_are_applied_whenever_they_changed(
    migrated_url: str, name: str
) -> None:
    before = await catalogue(migrated_url)
    grown = replaced(name, "CREATE VIEW later AS SELECT 1;")
    assert await migrate(migrated_url, PROFILE, grown) == [name]
    assert await migrate(migrated_url, PROFILE, grown) == []
    async with owner(migrated_url) as connection:
        await connection.execute("DROP VIEW later")
    assert await migrate(migrated_url, PROFILE) == [name]
    assert await catalogue(migrated_url) == before


# What the ledger says after the 23 files that 0023_schema.sql took the place of; the sums of the
# others do not count.
LAST_BEFORE = "53cef1caa145a2583036d208f0819570e536bdbf338d05575c4dbee5be1005c5"
LEDGER_BEFORE = """
DELETE FROM schema_migrations;
INSERT INTO schema_migrations (version, name, checksum)
SELECT version, 'before', CASE version WHEN 23 THEN '{last}' ELSE md5(version::text) END
FROM generate_series(1, {version}) AS version
"""


async def test_a_database_of_the_files_before_gets_policies_and_functions(
    migrated_url: str,
) -> None:
    before = await catalogue(migrated_url)
    async with owner(migrated_url) as connection:
        await connection.execute(LEDGER_BEFORE.format(last=LAST_BEFORE, version=23))
        await connection.execute(
            "INSERT INTO conversations (user_id, title) VALUES ('ada', 'Boats');"
            "DROP POLICY own_rows ON conversations; DROP TRIGGER items_wait_anew ON memory_items;"
            "CREATE POLICY everything ON conversations TO keepsake_app USING (true)"
        )
    assert await read_pending(migrated_url) == ["policies", "functions"]
    assert await migrate(migrated_url, PROFILE) == ["policies", "functions"]
    assert await read_pending(migrated_url) == []
    assert await catalogue(migrated_url) == before
    async with owner(migrated_url) as connection:
        assert await connection.fetchval("SELECT title FROM conversations") == "Boats"


@pytest.mark.parametrize("version", [1, 22])
async def test_a_database_from_before_those_is_told_what_to_do(
    migrated_url: str, version: int
) -> None:
    async with owner(migrated_url) as connection:
        await connection.execute(LEDGER_BEFORE.format(last=LAST_BEFORE, version=version))
    before = await catalogue(migrated_url)
    for attempt in (migrate(migrated_url, PROFILE), read_pending(migrated_url)):
        with pytest.raises(SchemaTooOld, match=f"00{version:02}.*Export.*import them here"):
            await attempt
    assert await catalogue(migrated_url) == before


async def test_a_failing_migration_leaves_nothing_of_itself(migrated_url: str) -> None:
    for _ in range(2):
        with pytest.raises(MigrationFailed, match="broken") as caught:
            await migrate(migrated_url, PROFILE, [*load_migrations(), LATER, BROKEN])
        assert "invalid input syntax" in str(caught.value.fields["reason"])
    assert "half" not in await tables(migrated_url)
    assert "later" in await tables(migrated_url)
    mended = dataclasses.replace(BROKEN, sql="CREATE TABLE half (id integer)")
    assert await migrate(migrated_url, PROFILE, [*load_migrations(), LATER, mended]) == ["broken"]


async def test_a_migration_and_its_mark_are_one(migrated_url: str) -> None:
    unmarked = Migration(
        9003,
        "unmarked",
        "CREATE TABLE half (id integer);"
        "ALTER TABLE schema_migrations ADD CONSTRAINT no CHECK (name <> 'unmarked')",
    )
    with pytest.raises(MigrationFailed, match="unmarked"):
        await migrate(migrated_url, PROFILE, [*load_migrations(), unmarked])
    assert "half" not in await tables(migrated_url)


async def test_an_extension_that_is_not_installed_is_named(empty_url: str) -> None:
    wants = Migration(1, "schema", "CREATE EXTENSION no_such_extension")
    with pytest.raises(MigrationFailed, match="no_such_extension"):
        await migrate(empty_url, PROFILE, [wants])


@pytest.mark.parametrize(
    "other",
    [
        EmbeddingModel("text-embedding-3-small", 1536),
        EmbeddingModel(PROFILE.name, 512),
        EmbeddingModel("another", PROFILE.dimensions),
    ],
)
async def test_another_embedding_model_is_refused(migrated_url: str, other: EmbeddingModel) -> None:
    with pytest.raises(DimensionMismatch, match=other.name) as caught:
        await migrate(migrated_url, other, [*load_migrations(), LATER])
    assert str(PROFILE.dimensions) in str(caught.value)
    assert await read_profile(migrated_url) == PROFILE
    assert "later" not in await tables(migrated_url)


@pytest.mark.parametrize("dimensions", [1, 1536, MAX_DIMENSIONS])
async def test_the_profile_fixes_the_length_of_a_vector(empty_url: str, dimensions: int) -> None:
    profile = EmbeddingModel("some model", dimensions)
    await migrate(empty_url, profile)
    assert await read_profile(empty_url) == profile
    database = await Database.open(empty_url)
    items = MemoryStore(database)
    await items.save("u" * 255, longest(dimensions))
    with pytest.raises(EmbeddingOutdated):
        await items.save("ada", longest(dimensions + 1))
    await database.close()


def longest(dimensions: int) -> EmbeddedMemory:
    """The largest row that there can be: a vector is stored within it, on a page of 8 kB."""
    item = NewMemory(content="word " * 1600, space="s" * 255, bank="b" * 50, tags=("t" * 50,) * 50)
    return EmbeddedMemory(item, unit(np.ones(dimensions, np.float32)), "some model")


async def test_six_at_once_apply_each_migration_once(empty_url: str) -> None:
    applied = await asyncio.gather(*(migrate(empty_url, PROFILE) for _ in range(6)))
    assert sorted(applied, key=len) == [[], [], [], [], [], NAMES]


async def test_databases_of_one_server_are_migrated_at_once(services: ServiceAddresses) -> None:
    async with contextlib.AsyncExitStack() as stack:
        urls = [
            await stack.enter_async_context(scratch_database(services.database_url, prefix="empty"))
            for _ in range(3)
        ]
        assert await asyncio.gather(*(migrate(url, PROFILE) for url in urls)) == [NAMES] * 3


async def test_two_processes_at_once(empty_url: str) -> None:
    program = (
        "import asyncio, sys\n"
        "from memory.types import EmbeddingModel\n"
        "from migrations.runner import migrate\n"
        "profile = EmbeddingModel(sys.argv[2], int(sys.argv[3]))\n"
        "print(len(asyncio.run(migrate(sys.argv[1], profile))))\n"
    )
    arguments = (empty_url, PROFILE.name, str(PROFILE.dimensions))
    started = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", program, *arguments),
            cwd=PROJECT,
            env=os.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    async with asyncio.timeout(60):
        said = [await each.communicate() for each in started]
    assert [error for _, error in said] == [b"", b""]
    assert sorted(int(output) for output, _ in said) == [0, len(NAMES)]


async def test_it_waits_for_who_holds_the_lock(empty_url: str) -> None:
    async with owner(empty_url) as other:
        await other.execute("SELECT pg_advisory_lock($1)", LOCK_KEY)
        waiting = asyncio.create_task(migrate(empty_url, PROFILE))
        done, _ = await asyncio.wait({waiting}, timeout=0.3)
        assert not done
        assert "messages" not in await tables(empty_url)
        await other.execute("SELECT pg_advisory_unlock($1)", LOCK_KEY)
        assert await waiting == NAMES


async def test_the_lock_is_free_afterwards(migrated_url: str) -> None:
    with pytest.raises(MigrationFailed):
        await migrate(migrated_url, PROFILE, [*load_migrations(), BROKEN])
    async with owner(migrated_url) as connection:
        assert await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK_KEY)


@contextlib.asynccontextmanager
async def login(url: str, *statements: str) -> AsyncIterator[str]:
    """The URL of a role of this test's own that can log in and has no other right."""
    name = f"test_{uuid4().hex[:12]}"
    async with owner(url) as connection:
        await connection.execute(f"CREATE ROLE {name} LOGIN")
        try:
            for statement in statements:
                await connection.execute(statement.format(name=name))
            admin = await connection.fetchval("SELECT session_user")
            yield url.replace(f"{admin}@", f"{name}@")
        finally:
            await connection.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")


async def test_a_login_without_rights_is_told(empty_url: str) -> None:
    async with login(empty_url) as url:
        with pytest.raises(SchemaOutdated, match="permission denied for schema public"):
            await migrate(url, PROFILE)
    assert await tables(empty_url) == set()


async def test_a_login_that_may_not_make_extensions_is_told(empty_url: str) -> None:
    async with login(empty_url, "GRANT CREATE ON SCHEMA public TO {name}") as url:
        with pytest.raises(MigrationFailed, match="permission denied"):
            await migrate(url, PROFILE)


async def test_the_applications_login_sees_that_nothing_is_missing(migrated_url: str) -> None:
    async with login(migrated_url, "GRANT keepsake_app TO {name}") as url:
        assert await read_pending(url) == []
        assert await read_profile(url) == PROFILE


async def test_a_stranger_may_not_look(migrated_url: str) -> None:
    async with login(migrated_url) as url:
        for look in (read_pending(url), read_profile(url)):
            with pytest.raises(SchemaOutdated, match="permission denied"):
                await look


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:secret@127.0.0.1:1/x",
        "postgresql://ada:secret@/x?host=/nowhere",
        "postgresql://ada:secret@127.0.0.1:secret/x",
    ],
)
async def test_a_database_that_is_not_there(url: str) -> None:
    for attempt in (migrate(url, PROFILE), read_pending(url), read_profile(url)):
        with pytest.raises(DatabaseUnavailable) as caught:
            await attempt
        assert "secret" not in str(caught.value)
