from __future__ import annotations

import asyncio
import stat
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from app.ops.backup import (
    check_archive,
    refuse_other_schema,
    restore_database,
    verify_backup,
    write_backup,
)
from app.ops.backup_archive import KEY, Manifest, abandoned_drills, open_archive, put_in_place
from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.errors import (
    BackupDamaged,
    DatabaseUnavailable,
    InvalidInput,
    RestoreRefused,
    SeesTooLittle,
)
from memory.factory import make_memory
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.store.database import Database
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel, MemoryQueryRequest, NewMemory
from migrations.runner import migrate
from migrations.scratch import scratch_database
from migrations.table_data import open_target, raise_if_used
from tests.app.backup.archives import Fields, rewritten
from tests.conftest import PROFILE

pytestmark = pytest.mark.usefixtures("own_database_url")


@pytest.fixture
async def kept(memory: MemoryService, user_id: str) -> list[str]:
    texts = [f"User's book number {n} is “Über {n}”\n" for n in range(20)]
    items = await memory.remember_all(user_id, [NewMemory(content=text) for text in texts])
    return sorted(item.content for item in items)


@dataclass
class Reader:
    """Who looks at what was restored."""

    user_id: str
    embedder: Embedder
    cache: Cache
    settings: Settings


@pytest.fixture
def reader(user_id: str, embedder: Embedder, cache: Cache, settings: Settings) -> Reader:
    return Reader(user_id, embedder, cache, settings)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "keepsake.backup"


@pytest.fixture
async def empty_url(services: ServiceAddresses) -> AsyncIterator[str]:
    """A database without a schema, as a new installation has it."""
    async with scratch_database(services.database_url, prefix="restored") as url:
        yield url


@pytest.fixture
async def written(kept: list[str], file: Path, database_url: str, settings: Settings) -> Path:
    await write_backup(file, database_url, settings)
    return file


async def restored(file: Path, url: str, *, replace: bool = False) -> Manifest:
    with open_archive(file) as archive:
        await check_archive(archive, lambda _done, _of: None)
        await restore_database(archive, url, replace=replace)
        return archive.manifest


async def test_what_was_restored_is_written_as_it_was(
    written: Path, empty_url: str, settings: Settings, tmp_path: Path
) -> None:
    """The same rows, in every table, down to the last byte."""
    manifest = await restored(written, empty_url)
    again = await write_backup(tmp_path / "again.backup", empty_url, settings)
    assert again.tables == manifest.tables
    assert again.key_sha256 == manifest.key_sha256


async def test_what_was_kept_is_there_again_and_found(
    kept: list[str], file: Path, database_url: str, empty_url: str, reader: Reader
) -> None:
    await write_backup(file, database_url, reader.settings)
    manifest = await restored(file, empty_url)
    assert manifest.tables["memory_items"].rows == len(kept)
    database = await Database.open(empty_url)
    try:
        memory = make_memory(
            database, reader.embedder, reader.cache, TokenCounter(), reader.settings
        )
        recent = await memory.list_recent(reader.user_id)
        assert sorted(item.content for item in recent) == kept
        asked = MemoryQueryRequest(user_id=reader.user_id, query="book number 7")
        answer = await memory.recall(asked)
        assert (answer.error, answer.degraded) == (False, ())
        assert "number 7" in answer.items[0].content
        await memory.aclose()
    finally:
        await database.close()


async def test_the_file_is_a_secret_and_holds_the_key(
    kept: list[str], file: Path, database_url: str, settings: Settings
) -> None:
    await write_backup(file, database_url, settings)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        assert archive.read(KEY) == (settings.keepsake_home / "digest.key").read_bytes()


async def test_a_drill_finds_it_whole(
    kept: list[str], file: Path, database_url: str, settings: Settings
) -> None:
    await write_backup(file, database_url, settings)
    await verify_backup(file, database_url)
    assert await abandoned_drills(database_url) == []


async def test_a_drill_finds_what_is_missing(written: Path, database_url: str) -> None:
    """A manifest that says more than there are rows."""

    def more(manifest: Fields) -> None:
        manifest["tables"]["memory_items"]["rows"] += 1

    with pytest.raises(BackupDamaged, match="different in memory_items"):
        await verify_backup(rewritten(written, more), database_url)


async def test_what_is_written_meanwhile_is_in_the_next_one(
    kept: list[str], file: Path, database_url: str, settings: Settings, memory: MemoryService
) -> None:
    """The counts and the rows are of one moment, whoever writes."""
    ended = asyncio.Event()

    async def write_on() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            await memory.remember_all("ada", [NewMemory(content=f"User writes line {number}")])

    async with asyncio.TaskGroup() as group:
        group.create_task(write_on())
        await write_backup(file, database_url, settings)
        ended.set()
    await verify_backup(file, database_url)


async def test_a_backup_that_is_cancelled_leaves_nothing(
    kept: list[str], file: Path, database_url: str, settings: Settings, tmp_path: Path
) -> None:
    before = set(tmp_path.iterdir())
    for turns in (1, 10, 50, 200):
        writing = asyncio.create_task(write_backup(file, database_url, settings))
        for _ in range(turns):
            await asyncio.sleep(0)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        assert set(tmp_path.iterdir()) == before


async def test_no_other_file_is_overwritten(
    file: Path, database_url: str, settings: Settings
) -> None:
    file.write_text("mine")
    with pytest.raises(InvalidInput, match="is there already"):
        await write_backup(file, database_url, settings)
    assert file.read_text() == "mine"


def test_a_file_that_came_meanwhile_is_not_overwritten(file: Path, tmp_path: Path) -> None:
    """While the backup was written, which can take an hour."""
    draft = tmp_path / "draft"
    draft.write_text("backup")
    file.write_text("mine")
    with pytest.raises(InvalidInput, match="is there already"):
        put_in_place(draft, file)
    assert file.read_text() == "mine"
    file.unlink()
    put_in_place(draft, file)
    assert file.read_text() == "backup"


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99])
async def test_half_a_file_is_refused(written: Path, empty_url: str, share: float) -> None:
    whole = written.read_bytes()
    written.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(BackupDamaged):
        await restored(written, empty_url)


async def test_a_restore_that_is_cancelled_leaves_what_was_there(
    written: Path, empty_url: str
) -> None:
    """At any moment of it; afterwards it can be done again."""
    await migrate(empty_url, PROFILE)
    owner = await asyncpg.connect(empty_url)
    await owner.execute("INSERT INTO conversations (user_id, title) VALUES ('bob', 'here')")
    title = "SELECT title FROM conversations WHERE user_id = 'bob'"
    for turns in (1, 10, 50, 200, 400):
        restoring = asyncio.create_task(restored(written, empty_url, replace=True))
        for _ in range(turns):
            await asyncio.sleep(0)
        restoring.cancel()
        await asyncio.gather(restoring, return_exceptions=True)
        assert await owner.fetchval(title) == "here"
    await restored(written, empty_url, replace=True)
    assert await owner.fetchval(title) is None
    await owner.close()


@pytest.mark.parametrize("with_ours", [False, True])
async def test_the_tables_of_another_program_are_never_lost(
    written: Path, empty_url: str, with_ours: bool
) -> None:
    """Neither in a database of its own, nor beside Keepsake's, whatever is said."""
    if with_ours:
        await migrate(empty_url, PROFILE)
    owner = await asyncpg.connect(empty_url)
    await owner.execute("CREATE TABLE invoices (word text); INSERT INTO invoices VALUES ('here')")
    for replace in (False, True):
        with pytest.raises(RestoreRefused, match="of another program"):
            await restored(written, empty_url, replace=replace)
    assert await owner.fetchval("SELECT word FROM invoices") == "here"
    await owner.close()


async def test_a_connection_that_is_lost_ends_the_restore(
    written: Path, empty_url: str, services: ServiceAddresses
) -> None:
    name = urlsplit(empty_url).path.removeprefix("/")
    admin = await asyncpg.connect(services.database_url)

    async def lose() -> None:
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
        )

    with open_archive(written) as archive, pytest.raises(DatabaseUnavailable):
        async with open_target(
            empty_url,
            EmbeddingModel(archive.manifest.model, archive.manifest.dimensions),
            archive.manifest.schema_version,
            replace=False,
        ) as target:

            async def rows() -> AsyncIterator[bytes]:
                yield (await anext(archive.rows("memory_items")))[:100]
                await lose()
                while True:
                    await asyncio.sleep(0)  # as a file is read: else nobody hears of the loss
                    yield bytes(1_000_000)

            async with asyncio.timeout(60):
                await target.load(target.tables["memory_items"], rows())
    await admin.close()
    await restored(written, empty_url)


async def test_what_is_restored_belongs_to_the_login_that_restores(
    written: Path, services: ServiceAddresses
) -> None:
    """One that is no superuser, whose own rows row-level security hides from it as well."""
    login = f"owner_{uuid4().hex[:12]}"
    admin = await asyncpg.connect(services.database_url)
    await admin.execute(f"CREATE ROLE {login} LOGIN CREATEROLE")
    roles = await admin.fetch("SELECT rolname FROM pg_roles WHERE rolname ~ '^keepsake_[a-z]+$'")
    for (role,) in roles:
        if role != "keepsake_owner":
            await admin.execute(f"GRANT {role} TO {login} WITH ADMIN OPTION")
    try:
        async with scratch_database(services.database_url, prefix="narrow") as url:
            made = await asyncpg.connect(url)
            await made.execute("CREATE EXTENSION vector")
            name = await made.fetchval("SELECT current_database()")
            await made.execute(f"ALTER DATABASE {name} OWNER TO {login}")
            await made.close()
            narrow = url.replace("keepsake_owner", login)
            await restored(written, narrow)
            with pytest.raises(RestoreRefused, match="--replace"):
                await raise_if_used(narrow, replace=False)
            await restored(written, narrow, replace=True)
            mine = await asyncpg.connect(narrow)
            owners = await mine.fetch(
                "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
            )
            await mine.close()
            assert [row["tableowner"] for row in owners] == [login]
    finally:
        await admin.execute(f"DROP OWNED BY {login}; DROP ROLE {login}")
        await admin.close()


async def test_rows_are_guarded_again_and_numbers_go_on(
    written: Path, empty_url: str, database_url: str
) -> None:
    """What a restore lifts for itself is as the migrations made it, and no role is left behind."""
    await restored(written, empty_url)
    query = """
        SELECT relname, relrowsecurity, relforcerowsecurity,
               (SELECT count(*) FROM pg_trigger
                WHERE tgrelid = pg_class.oid AND tgenabled = 'D') AS switched_off
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname
    """
    here, there = await asyncpg.connect(empty_url), await asyncpg.connect(database_url)
    try:
        assert await here.fetch(query) == await there.fetch(query)
        assert await here.fetch("SELECT 1 FROM pg_roles WHERE rolname ~ '^keepsake_loader'") == []
        last = await here.fetchval("SELECT max(id) FROM audit_log")
        assert last
        await here.execute("INSERT INTO audit_log (user_id, action) VALUES ('ada', 'kept')")
        assert await here.fetchval("SELECT max(id) FROM audit_log") == last + 1
    finally:
        await here.close()
        await there.close()


async def test_data_that_is_there_is_not_overwritten_unasked(
    kept: list[str], database_url: str, empty_url: str, database: Database
) -> None:
    await database.close()
    with pytest.raises(RestoreRefused, match="--replace"):
        await raise_if_used(database_url, replace=False)
    await raise_if_used(database_url, replace=True)
    await raise_if_used(empty_url, replace=False)


async def test_nothing_is_restored_under_a_running_program(
    database: Database, database_url: str
) -> None:
    async with database.as_user("ada"):
        with pytest.raises(RestoreRefused, match="Stop chat"):
            await raise_if_used(database_url, replace=True)


async def test_a_scratch_database_beside_it_is_no_running_program(own_database_url: str) -> None:
    async with scratch_database(own_database_url):
        await raise_if_used(own_database_url, replace=True)


async def test_a_login_that_sees_too_little_writes_no_backup(
    kept: list[str], file: Path, database_url: str, settings: Settings
) -> None:
    """Else the backup of a login under row-level security would be empty, and look well."""
    owner = await asyncpg.connect(database_url)
    await owner.execute("CREATE ROLE narrow LOGIN; GRANT pg_read_all_data TO narrow")
    try:
        with pytest.raises(SeesTooLittle):
            await write_backup(file, database_url.replace("keepsake_owner", "narrow"), settings)
    finally:
        await owner.execute("DROP OWNED BY narrow; DROP ROLE narrow")
        await owner.close()
    assert not file.exists()


async def test_a_backup_of_a_newer_program_is_refused(written: Path) -> None:
    def newer(manifest: Fields) -> None:
        manifest |= {"schema_version": 9_999, "keepsake": "9.9"}

    with open_archive(written) as archive:
        refuse_other_schema(archive.manifest)
    with (
        open_archive(rewritten(written, newer)) as archive,
        pytest.raises(RestoreRefused, match=r"Install Keepsake 9\.9"),
    ):
        refuse_other_schema(archive.manifest)


async def test_a_backup_of_an_older_program_is_refused(written: Path) -> None:
    def older(manifest: Fields) -> None:
        manifest["schema_version"] = 22

    with (
        open_archive(rewritten(written, older)) as archive,
        pytest.raises(RestoreRefused, match=r"schema 0022.*import them here"),
    ):
        refuse_other_schema(archive.manifest)
