"""Backups that somebody made to do harm: each is refused in a sentence, nothing of it is run or
written, and what was in the database is still there."""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import tarfile
import zipfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeAlias

import asyncpg
import pytest

from app.ops.backup import (
    check_archive,
    refuse_other_schema,
    refuse_too_large,
    restore_database,
    write_backup,
)
from app.ops.backup_archive import KEY, MANIFEST, open_archive
from memory.config import Settings
from memory.errors import BackupDamaged, KeepsakeError, RestoreRefused
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from memory.types import NewMemory
from migrations.scratch import scratch_database
from tests.app.backup.archives import Fields, Parts, read_parts, write_parts

pytestmark = pytest.mark.usefixtures("own_database_url")

ITEMS = "tables/memory_items.copy"
RUNS = "COPY (SELECT 1) TO PROGRAM 'touch {trace}'"
Craft: TypeAlias = Callable[[Parts, Fields, str], None]
"""Changes the parts and the manifest; the last is SQL that leaves a trace where it is run."""


def _signed(parts: Parts, manifest: Fields, name: str, rows: bytes) -> None:
    """Other rows for a table, of which all that the manifest says is true."""
    parts[f"tables/{name}.copy"] = rows
    manifest["tables"][name] |= {
        "bytes": len(rows),
        "sha256": hashlib.sha256(rows).hexdigest(),
    }


def _role_name(_parts: Parts, manifest: Fields, sql: str) -> None:
    manifest["roles"] = [f'z"; {sql}; --']


def _owner_name(_parts: Parts, manifest: Fields, sql: str) -> None:
    manifest["owner"] = f"ada\n\\! {sql}\n"


def _table_name(parts: Parts, manifest: Fields, sql: str) -> None:
    name = f'x"; {sql}; --'
    manifest["tables"][name] = manifest["tables"].pop("memory_items")
    parts[f"tables/{name}.copy"] = parts.pop(ITEMS)


def _quoted_table(parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]['it"s'] = manifest["tables"].pop("doubts")
    parts['tables/it"s.copy'] = parts.pop("tables/doubts.copy")


def _column_name(_parts: Parts, manifest: Fields, sql: str) -> None:
    manifest["tables"]["memory_items"]["columns"][0][0] = f'bank") FROM STDIN; {sql}; --'


def _column_type(_parts: Parts, manifest: Fields, sql: str) -> None:
    manifest["tables"]["memory_items"]["columns"][0][1] = f"text); {sql}; --"


def _sql_for_rows(parts: Parts, manifest: Fields, sql: str) -> None:
    _signed(parts, manifest, "memory_items", f"{sql};\n".encode())


def _model_name(_parts: Parts, manifest: Fields, sql: str) -> None:
    """A name is only ever a value, so it would be one of a model that nobody knows."""
    manifest["model"] = f"x'); {sql}; --" * 20


def _dimensions(_parts: Parts, manifest: Fields, sql: str) -> None:
    manifest["dimensions"] = f"384); {sql}; --"


def _huge_dimensions(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["dimensions"] = 10**9


def _other_dimensions(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["dimensions"] = 383


def _screen_codes(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest |= {"keepsake": "\x1b[2J9.9", "schema_version": 9_999}


def _outside(parts: Parts, _manifest: Fields, _sql: str) -> None:
    parts["../../../../tmp/outside"] = b"words"


def _absolute(parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]["/etc/cron.d/x"] = manifest["tables"]["doubts"]
    parts["tables//etc/cron.d/x.copy"] = parts["tables/doubts.copy"]


def _extra_table(parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]["schema_migrations"] = manifest["tables"]["doubts"]
    parts["tables/schema_migrations.copy"] = parts["tables/doubts.copy"]


def _missing_table(parts: Parts, manifest: Fields, _sql: str) -> None:
    del manifest["tables"]["doubts"], parts["tables/doubts.copy"]


def _extra_column(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]["memory_items"]["columns"].append(["zeal", "text"])


def _other_type(_parts: Parts, manifest: Fields, _sql: str) -> None:
    [column] = [
        each for each in manifest["tables"]["memory_items"]["columns"] if each[0] == "content"
    ]
    column[1] = "bytea"


def _newer_format(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest |= {"format": 3, "signature": "something that comes later"}


def _newer_schema(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["schema_version"] = 9_999


def _schema_of_no_version(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["schema_version"] = 0


def _older_schema(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["schema_version"] = 1


def _wrong_sum(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]["memory_items"]["sha256"] = "0" * 64


def _changed_rows(parts: Parts, _manifest: Fields, _sql: str) -> None:
    parts[ITEMS] = parts[ITEMS].replace(b"canoe", b"kayak")


def _too_many_rows(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]["memory_items"]["rows"] = 10**15


def _huge_size(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["tables"]["memory_items"]["bytes"] = 200 * 10**9


def _zeros(parts: Parts, manifest: Fields, _sql: str) -> None:
    """A thousandth of its size on disk."""
    _signed(parts, manifest, "memory_items", bytes(50_000_000))


def _key_of_another_length(parts: Parts, manifest: Fields, _sql: str) -> None:
    parts[KEY] = b"short"
    manifest["key_sha256"] = hashlib.sha256(b"short").hexdigest()


def _rows_cut_off(parts: Parts, manifest: Fields, _sql: str) -> None:
    _signed(parts, manifest, "memory_items", parts[ITEMS][:-40])


def _field_of_two_gigabytes(parts: Parts, manifest: Fields, _sql: str) -> None:
    head, columns = parts[ITEMS][:19], len(manifest["tables"]["memory_items"]["columns"])
    _signed(parts, manifest, "memory_items", head + struct.pack("!hi", columns, 2**31 - 1))


def _row_of_one_column(parts: Parts, manifest: Fields, _sql: str) -> None:
    _signed(parts, manifest, "memory_items", parts[ITEMS][:19] + struct.pack("!hi", 1, 0))


def _orphans(parts: Parts, manifest: Fields, _sql: str) -> None:
    """Messages without their conversation."""
    empty = parts["tables/doubts.copy"]
    _signed(parts, manifest, "conversations", empty)
    manifest["tables"]["conversations"]["rows"] = 0


def _endless_manifest(parts: Parts, manifest: Fields, _sql: str) -> None:
    """Small in the archive."""
    parts[MANIFEST] = json.dumps(manifest).encode() + b" " * 500_000_000


def _model_of_screen_codes(_parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["model"] = "\x1b[2J"


def _endless_version(parts: Parts, manifest: Fields, _sql: str) -> None:
    manifest["schema_version"] = 10**4000


def _not_an_object(parts: Parts, _manifest: Fields, _sql: str) -> None:
    parts[MANIFEST] = b'["format", 2]'


def _nested(parts: Parts, _manifest: Fields, _sql: str) -> None:
    parts[MANIFEST] = b"[" * 500_000


def _large_manifest(parts: Parts, manifest: Fields, _sql: str) -> None:
    parts[MANIFEST] = json.dumps(manifest).encode() + b" " * 5_000_000


def _no_manifest(parts: Parts, _manifest: Fields, _sql: str) -> None:
    del parts[MANIFEST]


CRAFTS: tuple[Craft, ...] = (
    *(_role_name, _owner_name, _table_name, _quoted_table, _column_name, _column_type),
    *(_sql_for_rows, _model_name, _dimensions, _huge_dimensions, _other_dimensions),
    *(_screen_codes, _outside, _absolute, _extra_table, _missing_table, _extra_column),
    *(_other_type, _newer_format, _newer_schema, _schema_of_no_version, _older_schema),
    *(_wrong_sum, _changed_rows, _too_many_rows, _huge_size, _zeros, _key_of_another_length),
    *(_rows_cut_off, _field_of_two_gigabytes, _row_of_one_column, _orphans, _not_an_object),
    *(_nested, _large_manifest, _no_manifest, _endless_manifest, _model_of_screen_codes),
    _endless_version,
)


@pytest.fixture
async def good(
    memory: MemoryService, database_url: str, settings: Settings, tmp_path: Path
) -> Path:
    await memory.remember_all("ada", [NewMemory(content="User owns a canoe")])
    owner = await asyncpg.connect(database_url)
    await owner.execute(
        "INSERT INTO conversations (user_id, title) VALUES ('ada', 'boats');"
        "INSERT INTO messages (user_id, conversation_id, role, content, correlation_id)"
        " SELECT 'ada', id, 'user', 'I own a canoe', id FROM conversations"
    )
    await owner.close()
    await write_backup(tmp_path / "good.backup", database_url, settings)
    return tmp_path / "good.backup"


@pytest.fixture
async def mine(services: ServiceAddresses, template: str) -> AsyncIterator[str]:
    """A database with something in it that a restore would take the place of."""
    async with scratch_database(services.database_url, template=template, prefix="crafted") as url:
        owner = await asyncpg.connect(url)
        await owner.execute("INSERT INTO conversations (user_id, title) VALUES ('bob', 'here')")
        await owner.close()
        yield url


async def restore(file: Path, url: str, home: Path) -> None:
    """In the order of the command."""
    with open_archive(file) as archive:
        refuse_other_schema(archive.manifest)
        refuse_too_large(archive.manifest, home)
        await check_archive(archive, lambda _done, _of: None)
        await restore_database(archive, url, replace=True)


async def refused(file: Path, url: str, trace: Path) -> str:
    """The sentence that it is refused with, after making sure that nothing else came of it."""
    roles = "SELECT rolname FROM pg_roles ORDER BY 1"
    owner = await asyncpg.connect(url)
    try:
        before = await owner.fetch(roles)
        beside = set(file.parent.iterdir())
        with pytest.raises(KeepsakeError) as raised:
            await restore(file, url, file.parent)
        assert await owner.fetchval("SELECT title FROM conversations") == "here"
        assert await owner.fetch(roles) == before
    finally:
        await owner.close()
    assert not trace.exists()
    assert set(file.parent.iterdir()) == beside
    assert isinstance(raised.value, BackupDamaged | RestoreRefused)
    sentence = str(raised.value)
    assert sentence.isprintable()
    assert len(sentence) < 500
    return sentence


async def test_none_is_restored(
    good: Path, mine: str, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    trace = tmp_path / "trace"
    sql = RUNS.format(trace=trace)
    for craft in CRAFTS:
        with subtests.test(craft.__name__):
            parts = read_parts(good)
            manifest: Fields = json.loads(parts[MANIFEST])
            before = parts[MANIFEST]
            craft(parts, manifest, sql)
            if parts.get(MANIFEST) == before:
                parts[MANIFEST] = json.dumps(manifest).encode()
            await refused(write_parts(tmp_path / "crafted.backup", parts), mine, trace)
    owner = await asyncpg.connect(mine)
    await restore(good, mine, tmp_path)
    assert await owner.fetchval("SELECT content FROM memory_items") == "User owns a canoe"
    await owner.close()


def _tar(file: Path, link: bool = False) -> None:
    """As the first version wrote them."""
    with tarfile.open(file, "w") as tar:
        member = tarfile.TarInfo(MANIFEST)
        member.size = 2
        tar.addfile(member, io.BytesIO(b"{}"))
        if link:
            dump = tarfile.TarInfo("database.dump")
            dump.type, dump.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(dump)


def _sparse_tar(file: Path) -> None:
    """10 kB that say they are 200 GB."""
    _tar(file)
    with file.open("r+b") as stream:
        stream.truncate(200 * 10**9)


def _sparse_list(file: Path) -> None:
    """A list of parts that would fill the memory: 200 GB of nothing before its end."""
    size = 200 * 10**9
    end = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, size, 1)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)
    with file.open("wb") as stream:
        stream.truncate(size)
        stream.seek(size)
        stream.write(end + locator + last)


def _pipe(file: Path) -> None:
    os.mkfifo(file)


def _holiday(file: Path) -> None:
    file.write_bytes(b"not a backup" * 1000)


def _nothing(file: Path) -> None:
    file.touch()


@pytest.mark.parametrize("make", [_tar, _sparse_tar, _sparse_list, _pipe, _holiday, _nothing])
async def test_what_is_no_such_archive_is_refused(
    mine: str, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    file = tmp_path / "crafted.backup"
    make(file)
    sentence = await refused(file, mine, tmp_path / "trace")
    assert ("import them here" in sentence) == (make in {_tar, _sparse_tar})


def _twice(good: zipfile.ZipFile, crafted: zipfile.ZipFile) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        crafted.writestr(ITEMS, good.read(ITEMS))


def _link(good: zipfile.ZipFile, crafted: zipfile.ZipFile) -> None:
    link = zipfile.ZipInfo("tables/link.copy")
    link.external_attr = 0o120777 << 16
    crafted.writestr(link, "/etc/passwd")


def _lzma(good: zipfile.ZipFile, crafted: zipfile.ZipFile) -> None:
    crafted.infolist()[0].compress_type = zipfile.ZIP_LZMA


def _encrypted(good: zipfile.ZipFile, crafted: zipfile.ZipFile) -> None:
    crafted.infolist()[0].flag_bits |= 1


def _overlapping(good: zipfile.ZipFile, crafted: zipfile.ZipFile) -> None:
    """Each part begins where the first one does."""
    for part in crafted.infolist():
        part.header_offset = 0


def _larger_than_said(good: zipfile.ZipFile, crafted: zipfile.ZipFile) -> None:
    crafted.getinfo(ITEMS).file_size = 200 * 10**9


@pytest.mark.parametrize(
    "craft", [_twice, _link, _lzma, _encrypted, _overlapping, _larger_than_said]
)
async def test_a_list_of_parts_that_lies_is_refused(
    good: Path,
    mine: str,
    tmp_path: Path,
    craft: Callable[[zipfile.ZipFile, zipfile.ZipFile], None],
) -> None:
    file = write_parts(tmp_path / "crafted.backup", read_parts(good))
    with zipfile.ZipFile(good) as whole, zipfile.ZipFile(file, "a") as crafted:
        craft(whole, crafted)
        crafted.comment = b"so that the list is written anew"
    await refused(file, mine, tmp_path / "trace")
