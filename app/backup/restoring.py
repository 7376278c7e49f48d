"""`python -m app restore FILE`: rows into a schema that this program makes, whole or not at all.

The file is checked before anything is written: its list of parts and its manifest, whether there is
room for what it says, then every byte against the digest of its part. The rest is one transaction
of the database: the schema of the backup's version from this program's own migrations, the rows, a
comparison of what is there with what was written, and the migrations since."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from app.addresses import Addresses, open_addresses
from app.backup.archive import Archive, Manifest, open_archive
from app.backup.blocking import to_its_end
from app.backup.left_over import clear_workplaces
from app.process.progress import Progress as Said
from app.process.progress_bar import filling
from app.process.running import Command
from app.process.signals import Leaving
from memory.cache import Cache
from memory.cache.clearing import clear
from memory.errors import KeepsakeError, RestoreRefused, RestoreUnfinished, UnfitRows
from memory.key_file import put_key
from memory.models import EmbeddingModel
from memory.settings import Settings
from memory.settings.digest_key import DIGEST_KEY_FILE
from migrations.runner import load_migrations
from migrations.table_data import Table, Target, open_target, refuse_used

# What a cache holds of the database that was there before.
CACHED = ("session", "embedding_cache")
# Bytes of tables, indexes and the log of the transaction for each byte of vectors and of other
# rows, and what the log takes in any case: see decision 0022.
ROOM_FOR_VECTORS, ROOM_FOR_OTHERS, LEAST_ROOM = 4, 25, 64_000_000
MEGABYTE = 1_000_000
Progress: TypeAlias = Callable[[int, int], None]


def restore(file: Path, *, replace: bool) -> Command:
    """With `replace` also over data that is there."""

    async def command(settings: Settings, _leaving: Leaving) -> int:
        await to_its_end(clear_workplaces, settings.keepsake_home)
        with open_archive(file) as archive:
            refuse_newer(archive.manifest)
            async with open_addresses(settings, Said()) as (addresses, _services):
                if addresses.embedded_database:
                    await to_its_end(refuse_too_large, archive.manifest, settings.keepsake_home)
                await refuse_used(addresses.owner_url, replace=replace)
                with filling("Checking the file, MB") as progress:
                    await check(archive, progress)
                with filling("Restoring, MB") as progress:
                    await restore_database(
                        archive, addresses.owner_url, replace=replace, progress=progress
                    )
                await _finish_whole(_finish(settings, addresses, archive), archive.manifest)
        return 0

    return command


def refuse_newer(manifest: Manifest) -> None:
    """Raises RestoreRefused where this program is too old to know the schema."""
    newest = load_migrations()[-1].version
    if manifest.schema_version > newest:
        raise RestoreRefused(
            reason=f"the backup has schema {manifest.schema_version:04}, this program ends at "
            f"{newest:04}. Install Keepsake {manifest.keepsake} or newer"
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


async def check(archive: Archive, progress: Progress) -> None:
    """Reads the file to its end. `progress` hears how many megabytes of rows of how many are done.
    Raises BackupDamaged."""
    done = 0
    async with aclosing(archive.check()) as pieces:
        async for piece in pieces:
            done += piece
            progress(done // MEGABYTE, archive.manifest.bytes // MEGABYTE)


async def restore_database(
    archive: Archive, url: str, *, replace: bool, progress: Progress = lambda _done, _of: None
) -> None:
    """In one transaction: what was there is only gone when all of the backup is there, and every
    table holds the very rows that were written. `progress` hears how many megabytes of how many
    were loaded, and compared. Raises BackupDamaged, RestoreRefused, and what `open_target` does."""
    manifest = archive.manifest
    model = EmbeddingModel(manifest.model, manifest.dimensions)
    async with open_target(url, model, manifest.schema_version, replace=replace) as target:
        refuse_other_tables(archive, target)
        moved = _Moved(2 * manifest.bytes, progress)
        for table in target.tables.values():
            await _restore_table(archive, target, table, moved)


@dataclass
class _Moved:
    """Bytes of rows, those that are loaded and those that are read again."""

    of: int
    progress: Progress
    done: int = 0

    def count(self, piece: bytes) -> None:
        self.done += len(piece)
        self.progress(self.done // MEGABYTE, self.of // MEGABYTE)


def refuse_other_tables(archive: Archive, target: Target) -> None:
    """Raises BackupDamaged where its tables or columns are not those of its version."""
    said = {name: table.columns for name, table in archive.manifest.tables.items()}
    if said != {name: table.columns for name, table in target.tables.items()}:
        version = archive.manifest.schema_version
        raise archive.damaged(f"its tables are not those of schema {version:04}")


async def _restore_table(archive: Archive, target: Target, table: Table, moved: _Moved) -> None:
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


async def _finish_whole(finish: Coroutine[Any, Any, None], made: Manifest) -> None:
    """Also where Ctrl-C comes now, since the database is restored."""
    finishing = asyncio.ensure_future(finish)
    try:
        await asyncio.shield(finishing)
    finally:
        await finishing
        print(f"Restored {made.rows:,} rows of {made.made_at:%Y-%m-%d %H:%M} UTC.")  # noqa: T201


async def _finish(settings: Settings, addresses: Addresses, archive: Archive) -> None:
    """The key of the digests where it is not a setting, and no copies of what was there. Raises
    RestoreUnfinished."""
    try:
        key = None if settings.digest_key is not None else archive.key()
        if key is not None:
            await to_its_end(put_key, settings.keepsake_home / DIGEST_KEY_FILE, key)
        cache = Cache(addresses.redis_url)
        try:
            for kind in CACHED:
                await clear(cache, kind)
        finally:
            await cache.aclose()
    except KeepsakeError as error:
        raise RestoreUnfinished(reason=str(error)) from error


def _megabytes(count: int) -> str:
    return f"{count / MEGABYTE:,.0f} MB"
