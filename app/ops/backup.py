"""`python -m app backup FILE`, and `restore FILE`: rows into a schema that this program makes,
whole or not at all.

A backup is checked before anything is restored: its list of parts and its manifest, whether there
is room for what it says, then every byte against the digest of its part. The rest is one
transaction of the database: the tables of the backup's version from this program's own migrations,
the rows, a comparison of what is there with what was written, and the migrations since.
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from app.console import Progress, progress_bar
from app.console import Progress as Said
from app.ops.backup_archive import (
    DRILL,
    KEY,
    MANIFEST,
    Archive,
    ArchiveWriter,
    Manifest,
    TableRows,
    delete_leftovers,
    delete_work_folders,
    new_archive,
    open_archive,
    refuse_existing,
    run_to_completion,
)
from app.runner import CliCommand, Shutdown
from app.services import ServiceUrls, open_services
from memory.cache import Cache, clear_keys
from memory.config import Settings
from memory.config.digest_key import DIGEST_KEY_FILE, load_digest_key, write_key_file
from memory.errors import KeepsakeError, RestoreRefused, RestoreUnfinished, UnfitRows
from memory.types import EmbeddingModel
from migrations.runner import BASELINE, load_migrations
from migrations.scratch import scratch_database
from migrations.table_data import (
    BackupSource,
    DataTable,
    RestoreTarget,
    open_source,
    open_target,
    raise_if_used,
)

# What a cache holds of the database that was there before.
CACHED = ("session", "embedding_cache")
# Bytes of tables, indexes and the log of the transaction for each byte of vectors and of other
# rows, and what the log takes in any case: see decision 0022.
ROOM_FOR_VECTORS, ROOM_FOR_OTHERS, LEAST_ROOM = 4, 25, 64_000_000
MEGABYTE = 1_000_000
ByteProgress: TypeAlias = Callable[[int, int], None]


def restore(file: Path, *, replace: bool) -> CliCommand:
    """With `replace` also over data that is there."""

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        await run_to_completion(delete_work_folders, settings.keepsake_home)
        with open_archive(file) as archive:
            refuse_other_schema(archive.manifest)
            async with open_services(settings, Said()) as (addresses, _services):
                if addresses.embedded_database:
                    await run_to_completion(
                        refuse_too_large, archive.manifest, settings.keepsake_home
                    )
                await raise_if_used(addresses.owner_url, replace=replace)
                with progress_bar("Checking the file, MB") as progress:
                    await check_archive(archive, progress)
                with progress_bar("Restoring, MB") as progress:
                    await restore_database(
                        archive, addresses.owner_url, replace=replace, progress=progress
                    )
                await _finish_shielded(
                    _finish_restore(settings, addresses, archive), archive.manifest
                )
        return 0

    return command


def refuse_other_schema(manifest: Manifest) -> None:
    """Raises RestoreRefused where this program is too old to know the schema, or too new."""
    newest = max(each.version for each in load_migrations())
    if manifest.schema_version > newest:
        raise RestoreRefused(
            reason=f"the backup has schema {manifest.schema_version:04}, this program ends at "
            f"{newest:04}. Install Keepsake {manifest.keepsake} or newer"
        )
    if manifest.schema_version < BASELINE:
        raise RestoreRefused(
            reason=f"the backup has schema {manifest.schema_version:04}, this program begins at "
            f"{BASELINE:04}. Restore it with the version that made it, export each user's memories "
            "there, and import them here"
        )


def refuse_too_large(manifest: Manifest, home: Path) -> None:
    """Raises RestoreRefused where the disk of the data folder has no room for it. Blocks."""
    needed, free = room_for(manifest), shutil.disk_usage(home).free
    if needed > free:
        raise RestoreRefused(
            reason=f"it needs {_megabytes(needed)} in {home}, and there are {_megabytes(free)}. "
            "Make room, or name another KEEPSAKE_HOME"
        )


def room_for(manifest: Manifest) -> int:
    """Bytes on the disk. A halfvec has two for each dimension."""
    vectors = sum(
        min(table.bytes, 2 * manifest.dimensions * table.rows)
        for table in manifest.tables.values()
        if any(type_of.startswith("halfvec") for _, type_of in table.columns)
    )
    others = manifest.bytes - vectors
    return LEAST_ROOM + ROOM_FOR_VECTORS * vectors + ROOM_FOR_OTHERS * others


async def check_archive(archive: Archive, progress: ByteProgress) -> None:
    """Reads the file to its end. `progress` hears how many megabytes of rows of how many are done.
    Raises BackupDamaged."""
    done = 0
    async with aclosing(archive.check()) as pieces:
        async for piece in pieces:
            done += piece
            progress(done // MEGABYTE, archive.manifest.bytes // MEGABYTE)


async def restore_database(
    archive: Archive, url: str, *, replace: bool, progress: ByteProgress = lambda _done, _of: None
) -> None:
    """In one transaction: what was there is only gone when all of the backup is there, and every
    table holds the very rows that were written. `progress` hears how many megabytes of how many
    were loaded, and compared. Raises BackupDamaged, RestoreRefused, and what `open_target` does."""
    manifest = archive.manifest
    model = EmbeddingModel(manifest.model, manifest.dimensions)
    async with open_target(url, model, manifest.schema_version, replace=replace) as target:
        refuse_other_tables(archive, target)
        moved = _ByteCounter(2 * manifest.bytes, progress)
        for table in target.tables.values():
            await _restore_table(archive, target, table, moved)


@dataclass
class _ByteCounter:
    """Bytes of rows, those that are loaded and those that are read again."""

    of: int
    progress: ByteProgress
    done: int = 0

    def count(self, piece: bytes) -> None:
        self.done += len(piece)
        self.progress(self.done // MEGABYTE, self.of // MEGABYTE)


def refuse_other_tables(archive: Archive, target: RestoreTarget) -> None:
    """Raises BackupDamaged where its tables or columns are not those of its version."""
    said = {name: table.columns for name, table in archive.manifest.tables.items()}
    if said != {name: table.columns for name, table in target.tables.items()}:
        version = archive.manifest.schema_version
        raise archive.damaged(f"its tables are not those of schema {version:04}")


async def _restore_table(
    archive: Archive, target: RestoreTarget, table: DataTable, moved: _ByteCounter
) -> None:
    said, digest = archive.manifest.tables[table.name], hashlib.sha256()

    async def rows() -> AsyncGenerator[bytes]:
        async with aclosing(archive.rows(table.name)) as pieces:
            async for piece in pieces:
                moved.count(piece)
                yield piece

    async def compare(piece: bytes) -> None:
        moved.count(piece)
        digest.update(piece)

    try:
        async with aclosing(rows()) as pieces:
            loaded = await target.load(table, pieces)
    except UnfitRows as error:
        raise archive.damaged(f"its rows for {table.name} do not fit the table") from error
    found = await target.copy(table, compare)
    if (loaded, found, digest.hexdigest()) != (said.rows, said.rows, said.sha256):
        raise archive.damaged(f"restored, it is different in {table.name}")


async def _finish_shielded(finish: Coroutine[Any, Any, None], made: Manifest) -> None:
    """Also where Ctrl-C comes now, since the database is restored."""
    finishing = asyncio.ensure_future(finish)
    try:
        await asyncio.shield(finishing)
    finally:
        await finishing
        print(f"Restored {made.rows:,} rows of {made.made_at:%Y-%m-%d %H:%M} UTC.")  # noqa: T201


async def _finish_restore(settings: Settings, addresses: ServiceUrls, archive: Archive) -> None:
    """The key of the digests where it is not a setting, and no copies of what was there. Raises
    RestoreUnfinished."""
    try:
        key = None if settings.digest_key is not None else archive.key()
        if key is not None:
            await run_to_completion(write_key_file, settings.keepsake_home / DIGEST_KEY_FILE, key)
        cache = Cache(addresses.redis_url)
        try:
            cleared = [await clear_keys(cache, kind) for kind in CACHED]
        finally:
            await cache.aclose()
    except KeepsakeError as error:
        raise RestoreUnfinished(reason=str(error)) from error
    if not all(cleared):
        raise RestoreUnfinished(reason=_COPIES_REMAIN)


_COPIES_REMAIN = "Redis cannot be reached, and may hold conversations of the data before for a day."


def _megabytes(count: int) -> str:
    return f"{count / MEGABYTE:,.0f} MB"


_WARNING = "It holds everything that was said and is remembered: keep it as a secret."
_KEY_APART = "DIGEST_KEY is a setting of yours and not in it: keep that as well."


def backup(file: Path, *, verify: bool) -> CliCommand:
    """With `verify` it is restored beside the database, compared, and dropped again."""

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        await run_to_completion(refuse_existing, file)
        progress = Progress()
        async with open_services(settings, progress) as (addresses, _services):
            url = backup_url(settings, addresses)
            await delete_leftovers(file.parent, url)
            with progress.busy("Writing the backup…"):
                manifest = await write_backup(file, url, settings)
            if verify:
                with progress.busy("Restoring it, to see whether it is whole…"):
                    await verify_backup(file, url)
        told = "restored and compared" if verify else "not yet restored: --verify does that"
        tables = f"{len(manifest.tables)} tables with {manifest.rows:,} rows"
        apart = "" if settings.digest_key is None else f"\n{_KEY_APART}"
        print(f"{file}: {tables}, {told}.\n{_WARNING}{apart}", flush=True)  # noqa: T201
        return 0

    return command


def backup_url(settings: Settings, addresses: ServiceUrls) -> str:
    """One that sees the rows of all users: BACKUP_DATABASE_URL, else the owner's."""
    given = settings.backup_database_url
    return given.get_secret_value() if given else addresses.owner_url


async def write_backup(file: Path, url: str, settings: Settings) -> Manifest:
    """As of one moment. Raises SeesTooLittle, InvalidInput and DatabaseUnavailable; no file is left
    behind then."""
    key = (
        None
        if settings.digest_key is not None
        else await run_to_completion(load_digest_key, settings)
    )
    with new_archive(file) as archive:
        async with open_source(url) as source:
            for table in source.tables:
                archive.tables[table.name] = await _write_rows(archive, source, table)
            manifest = _manifest(source, archive, key)
        await run_to_completion(_finish_archive, archive, manifest, key)
    return manifest


async def verify_backup(file: Path, url: str) -> None:
    """Restores it into a database of its own, which compares every row with what was written.
    Raises what `restore_database` does."""
    with open_archive(file) as archive:
        async with scratch_database(url, prefix=DRILL) as scratch:
            await restore_database(archive, scratch, replace=False)


async def _write_rows(archive: ArchiveWriter, source: BackupSource, table: DataTable) -> TableRows:
    with archive.table(table.name) as writer:
        rows = await source.copy(table, writer.write)
        await writer.flush()
    return TableRows(columns=table.columns, rows=rows, bytes=writer.bytes, sha256=writer.sha256)


def _manifest(source: BackupSource, archive: ArchiveWriter, key: bytes | None) -> Manifest:
    return Manifest(
        made_at=datetime.now(UTC),
        keepsake=version("keepsake"),
        schema_version=source.schema_version,
        model=source.model.name,
        dimensions=source.model.dimensions,
        tables=archive.tables,
        key_sha256=None if key is None else hashlib.sha256(key).hexdigest(),
    )


def _finish_archive(archive: ArchiveWriter, manifest: Manifest, key: bytes | None) -> None:
    if key is not None:
        archive.add(KEY, key)
    archive.add(MANIFEST, manifest.model_dump_json(indent=2).encode())
