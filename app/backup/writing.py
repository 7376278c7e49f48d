"""`python -m app backup FILE`."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from app.addresses import open_addresses
from app.backup.address import backup_url
from app.backup.archive import (
    DUMP,
    KEY,
    digests,
    read_archive,
    refuse_existing,
    workplace,
    write_archive,
)
from app.backup.blocking import to_its_end
from app.backup.left_over import DRILL, clear_left_over
from app.backup.manifest import Manifest, Table
from app.backup.programs import run_program
from app.process.progress import Progress
from app.process.running import Command
from app.process.signals import Leaving
from memory.errors import BackupDamaged
from memory.settings import Settings
from memory.settings.digest_key import digest_key
from migrations.contents import DIFFERENT, Contents, frozen_contents, read_tables
from migrations.scratch import scratch_database

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


async def write_backup(file: Path, url: str, settings: Settings) -> Manifest:
    """As of one moment. Raises SeesTooLittle, ProgramFailed, InvalidInput, DatabaseUnavailable; no
    file is left behind then."""
    with workplace(file.parent) as folder:
        async with frozen_contents(url) as contents:
            snapshot = f"--snapshot={contents.snapshot}"
            out = f"--file={folder / DUMP}"
            await run_program("pg_dump", "--format=custom", "-w", snapshot, out, url=url)
        await to_its_end(_put_key, folder, settings)
        manifest = await to_its_end(_manifest, folder, contents)
        await to_its_end(write_archive, file, folder, manifest)
    return manifest


async def verify_backup(file: Path, url: str) -> None:
    """Restores it into a database of its own and compares every table with what the backup says of
    itself. Raises BackupDamaged, ProgramFailed."""
    with workplace(file.parent) as folder:
        manifest = await to_its_end(read_archive, file, folder)
        async with scratch_database(url, template="template0", prefix=DRILL) as scratch:
            single = ("--single-transaction", "--exit-on-error", "--no-password")
            await run_program("pg_restore", *single, folder / DUMP, url=scratch)
            await compare(file, manifest, scratch)


async def compare(file: Path, manifest: Manifest, url: str) -> None:
    """Raises BackupDamaged where a table differs from what the backup says of it."""
    found = {name: Table(**vars(each)) for name, each in (await read_tables(url)).items()}
    wrong = sorted(name for name, table in manifest.tables.items() if found.get(name) != table)
    if wrong:
        names = ", ".join(wrong)
        raise BackupDamaged(file=file, reason=f"{DIFFERENT}{names}")


def _put_key(folder: Path, settings: Settings) -> None:
    """Only that of the data folder: one that is a setting stays with the settings."""
    if settings.digest_key is None:
        (folder / KEY).write_bytes(digest_key(settings))


def _manifest(folder: Path, contents: Contents) -> Manifest:
    names = [name for name in (DUMP, KEY) if (folder / name).exists()]
    return Manifest(
        made_at=datetime.now(UTC),
        keepsake=version("keepsake"),
        server=contents.server,
        schema_version=contents.schema_version,
        owner=contents.owner,
        roles=contents.roles,
        tables={name: Table(**vars(each)) for name, each in contents.tables.items()},
        files=dict(digests(folder, names)),
    )
