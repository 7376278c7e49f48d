from __future__ import annotations

import asyncio
import stat
import tarfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from app.backup.archive import MANIFEST, put_in_place, read_archive, workplace, write_archive
from app.backup.manifest import Manifest, Table
from app.backup.restoring import refuse_newer, refuse_what_is_there, restore_database
from app.backup.writing import verify_backup, write_backup
from memory.assembly import make_memory
from memory.cache import Cache
from memory.database import Database
from memory.embedded.services import Addresses
from memory.embedders.protocol import Embedder
from memory.errors import (
    BackupDamaged,
    InvalidInput,
    ProgramFailed,
    RestoreRefused,
    SeesTooLittle,
)
from memory.models import NewItem
from memory.recalls import MemoryQueryRequest
from memory.service import Memory
from memory.settings import Settings
from memory.tokens import TokenCounter
from migrations.contents import read_tables
from migrations.scratch import scratch_database


@pytest.fixture
async def kept(memory: Memory, user_id: str) -> list[str]:
    texts = [f"User's book number {n} is “Über {n}”\n" for n in range(20)]
    items = await memory.remember_all(user_id, [NewItem(content=text) for text in texts])
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
async def empty_url(services: Addresses) -> AsyncIterator[str]:
    """A database without a schema, as a new installation has it."""
    async with scratch_database(services.database_url, prefix="restored") as url:
        yield url


@pytest.fixture
async def written(kept: list[str], file: Path, database_url: str, settings: Settings) -> Path:
    await write_backup(file, database_url, settings)
    return file


async def restored(file: Path, url: str) -> Manifest:
    with workplace(file.parent) as folder:
        manifest = await asyncio.to_thread(read_archive, file, folder)
        await restore_database(file, manifest, folder, url)
    return manifest


async def test_what_was_kept_is_there_again_and_found(
    kept: list[str], file: Path, database_url: str, empty_url: str, reader: Reader
) -> None:
    await write_backup(file, database_url, reader.settings)
    manifest = await restored(file, empty_url)
    assert manifest.tables["public.memory_items"].rows == len(kept)
    assert await read_tables(empty_url) == await read_tables(database_url)
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
    with tarfile.open(file) as tar:
        assert sorted(tar.getnames()) == ["database.dump", "digest.key", "manifest.json"]
        stream = tar.extractfile("digest.key")
        assert stream is not None
        assert stream.read() == (settings.keepsake_home / "digest.key").read_bytes()


async def test_a_drill_finds_it_whole(
    kept: list[str], file: Path, database_url: str, settings: Settings
) -> None:
    await write_backup(file, database_url, settings)
    await verify_backup(file, database_url)
    owner = await asyncpg.connect(database_url)
    left = await owner.fetchval("SELECT count(*) FROM pg_database WHERE datname ~ 'drill'")
    await owner.close()
    assert left == 0


async def test_a_drill_finds_what_is_missing(
    kept: list[str], file: Path, database_url: str, settings: Settings
) -> None:
    """A manifest that says more than the dump holds."""
    await write_backup(file, database_url, settings)
    with workplace(file.parent) as folder:
        manifest = read_archive(file, folder)
        more = Table(rows=21, digest="1")
        tables = manifest.tables | {"public.memory_items": more}
        file.unlink()
        write_archive(file, folder, manifest.model_copy(update={"tables": tables}))
    with pytest.raises(BackupDamaged, match=r"different in public\.memory_items"):
        await verify_backup(file, database_url)


async def test_what_is_written_meanwhile_is_in_the_next_one(
    kept: list[str], file: Path, database_url: str, settings: Settings, memory: Memory
) -> None:
    """The counts and the rows are of one moment, whoever writes."""
    ended = asyncio.Event()

    async def write_on() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            await memory.remember_all("ada", [NewItem(content=f"User writes line {number}")])

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


@pytest.mark.parametrize("part", ["database.dump", "digest.key", MANIFEST])
async def test_a_changed_file_is_refused(
    kept: list[str], file: Path, database_url: str, settings: Settings, part: str
) -> None:
    await write_backup(file, database_url, settings)
    whole = bytearray(file.read_bytes())
    with tarfile.open(file) as tar:
        place = tar.getmember(part).offset_data + 10
    whole[place] ^= 1
    file.write_bytes(whole)
    with workplace(file.parent) as folder, pytest.raises(BackupDamaged):
        read_archive(file, folder)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
async def test_half_a_file_is_refused(
    kept: list[str], file: Path, database_url: str, settings: Settings, share: float
) -> None:
    await write_backup(file, database_url, settings)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    with workplace(file.parent) as folder, pytest.raises(BackupDamaged):
        read_archive(file, folder)


async def test_a_restore_that_fails_leaves_what_was_there(
    kept: list[str], file: Path, database_url: str, empty_url: str, settings: Settings
) -> None:
    await write_backup(file, database_url, settings)
    owner = await asyncpg.connect(empty_url)
    await owner.execute("CREATE TABLE mine (word text); INSERT INTO mine VALUES ('here')")
    with workplace(file.parent) as folder:
        manifest = read_archive(file, folder)
        dump = folder / "database.dump"
        dump.write_bytes(dump.read_bytes()[:-2000])
        with pytest.raises(ProgramFailed):
            await restore_database(file, manifest, folder, empty_url)
    assert await owner.fetchval("SELECT word FROM mine") == "here"
    await owner.close()


@pytest.mark.parametrize("table", ["public.memory_items", "public.it's missing"])
async def test_a_restore_that_differs_leaves_what_was_there(
    written: Path, empty_url: str, table: str
) -> None:
    """Whatever it is that differs, nobody has to work with it."""
    owner = await asyncpg.connect(empty_url)
    await owner.execute("CREATE TABLE mine (word text); INSERT INTO mine VALUES ('here')")
    with workplace(written.parent) as folder:
        manifest = read_archive(written, folder)
        tables = manifest.tables | {table: Table(rows=20, digest="1")}
        more = manifest.model_copy(update={"tables": tables})
        with pytest.raises(BackupDamaged, match=f"is different in {table}"):
            await restore_database(written, more, folder, empty_url)
        assert await owner.fetchval("SELECT word FROM mine") == "here"
        await restore_database(written, manifest, folder, empty_url)
    assert await owner.fetchval("SELECT to_regclass('mine')") is None
    await owner.close()


async def test_what_belonged_to_the_owner_there_belongs_to_the_owner_here(
    kept: list[str], file: Path, database_url: str, empty_url: str, settings: Settings
) -> None:
    """Else the login that migrates here could not migrate what was restored."""
    there = f"owner_{uuid4().hex[:12]}"
    owner = await asyncpg.connect(database_url)
    here = await asyncpg.connect(empty_url)
    await owner.execute(
        f"CREATE ROLE {there} NOLOGIN; ALTER TABLE schema_migrations OWNER TO {there}"
    )
    await owner.execute(f"ALTER TABLE messages OWNER TO {there}")
    try:
        await write_backup(file, database_url, settings)
        assert (await restored(file, empty_url)).owner == there
        owners = await here.fetch(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        )
        assert [row["tableowner"] for row in owners] == ["keepsake_owner"]
    finally:
        await here.close()
        await owner.execute(f"REASSIGN OWNED BY {there} TO CURRENT_USER; DROP OWNED BY {there}")
        await owner.execute(f"DROP ROLE {there}")
        await owner.close()


async def test_data_that_is_there_is_not_overwritten_unasked(
    kept: list[str], database_url: str, empty_url: str, database: Database
) -> None:
    await database.close()
    with pytest.raises(RestoreRefused, match="--replace"):
        await refuse_what_is_there(database_url, replace=False)
    await refuse_what_is_there(database_url, replace=True)
    await refuse_what_is_there(empty_url, replace=False)


async def test_nothing_is_restored_under_a_running_program(
    database: Database, database_url: str
) -> None:
    async with database.as_user("ada"):
        with pytest.raises(RestoreRefused, match="Stop chat"):
            await refuse_what_is_there(database_url, replace=True)


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


def manifest(**changed: object) -> Manifest:
    whole = {
        "made_at": "2026-03-01T12:00:00Z",
        "keepsake": "9.9",
        "server": "18.6",
        "schema_version": 17,
        "owner": "keepsake_owner",
        "roles": (),
        "tables": {},
        "files": {},
    }
    return Manifest.model_validate(whole | changed)


def test_a_backup_of_a_newer_program_is_refused() -> None:
    refuse_newer(manifest())
    with pytest.raises(RestoreRefused, match=r"Install Keepsake 9\.9"):
        refuse_newer(manifest(schema_version=9_999))
