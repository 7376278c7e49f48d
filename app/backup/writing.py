"""`python -m app backup FILE`."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from app.addresses import Addresses, open_addresses
from app.backup.archive import (
    KEY,
    MANIFEST,
    ArchiveWriter,
    Manifest,
    TableRows,
    new_archive,
    open_archive,
    refuse_existing,
)
from app.backup.blocking import to_its_end
from app.backup.left_over import DRILL, clear_left_over
from app.backup.restoring import restore_database
from app.process.progress import Progress
from app.process.running import Command
from app.process.signals import Leaving
from memory.settings import Settings
from memory.settings.digest_key import digest_key
from migrations.scratch import scratch_database
from migrations.table_data import Source, Table, open_source

_WARNING = "It holds everything that was said and is remembered: keep it as a secret."
_KEY_APART = "DIGEST_KEY is a setting of yours and not in it: keep that as well."


def backup(file: Path, *, verify: bool) -> Command:
    """With `verify` it is restored beside the database, compared, and dropped again."""

    async def command(settings: Settings, _leaving: Leaving) -> int:
        await to_its_end(refuse_existing, file)
        progress = Progress()
        async with open_addresses(settings, progress) as (addresses, _services):
            url = backup_url(settings, addresses)
            await clear_left_over(file.parent, url)
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


def backup_url(settings: Settings, addresses: Addresses) -> str:
    """One that sees the rows of all users: BACKUP_DATABASE_URL, else the owner's."""
    given = settings.backup_database_url
    return given.get_secret_value() if given else addresses.owner_url


async def write_backup(file: Path, url: str, settings: Settings) -> Manifest:
    """As of one moment. Raises SeesTooLittle, InvalidInput and DatabaseUnavailable; no file is left
    behind then."""
    key = None if settings.digest_key is not None else await to_its_end(digest_key, settings)
    with new_archive(file) as archive:
        async with open_source(url) as source:
            for table in source.tables:
                archive.tables[table.name] = await _write_rows(archive, source, table)
            manifest = _manifest(source, archive, key)
        await to_its_end(_finish, archive, manifest, key)
    return manifest


async def verify_backup(file: Path, url: str) -> None:
    """Restores it into a database of its own, which compares every row with what was written.
    Raises what `restore_database` does."""
    with open_archive(file) as archive:
        async with scratch_database(url, prefix=DRILL) as scratch:
            await restore_database(archive, scratch, replace=False)


async def _write_rows(archive: ArchiveWriter, source: Source, table: Table) -> TableRows:
    with archive.table(table.name) as writer:
        rows = await source.copy(table, writer.write)
        await writer.flush()
    return TableRows(columns=table.columns, rows=rows, bytes=writer.bytes, sha256=writer.sha256)


def _manifest(source: Source, archive: ArchiveWriter, key: bytes | None) -> Manifest:
    return Manifest(
        made_at=datetime.now(UTC),
        keepsake=version("keepsake"),
        schema_version=source.schema_version,
        model=source.model.name,
        dimensions=source.model.dimensions,
        tables=archive.tables,
        key_sha256=None if key is None else hashlib.sha256(key).hexdigest(),
    )


def _finish(archive: ArchiveWriter, manifest: Manifest, key: bytes | None) -> None:
    if key is not None:
        archive.add(KEY, key)
    archive.add(MANIFEST, manifest.model_dump_json(indent=2).encode())
