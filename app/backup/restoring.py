"""`python -m app restore FILE`."""

from __future__ import annotations

from pathlib import Path

from app.addresses import Addresses, open_addresses
from app.backup.address import backup_url, digest_key_file
from app.backup.archive import DUMP, KEY, read_archive, workplace
from app.backup.blocking import to_its_end
from app.backup.left_over import clear_workplaces
from app.backup.manifest import Manifest
from app.backup.programs import run_program
from app.process.progress import Progress
from app.process.running import Command
from app.process.signals import Leaving
from app.schema import apply_migrations
from memory.cache import Cache
from memory.cache.clearing import clear
from memory.errors import (
    BackupDamaged,
    KeepsakeError,
    ProgramFailed,
    RestoreRefused,
    RestoreUnfinished,
)
from memory.key_file import put_key
from memory.settings import Settings
from migrations.contents import (
    DIFFERENT,
    Content,
    holds_rows,
    is_used,
    make_roles,
    new_owner,
    refuse_different,
)
from migrations.runner import load_migrations

# What a cache holds of the database that was there before.
CACHED = ("session", "embedding_cache")
_PRELUDE = """\
SET client_min_messages = error;
SET lock_timeout = '10s';
DROP SCHEMA public CASCADE;
CREATE SCHEMA public AUTHORIZATION pg_database_owner;
GRANT USAGE ON SCHEMA public TO PUBLIC;
"""


def restore(file: Path, *, replace: bool) -> Command:
    """With `replace` also over data that is there."""

    async def command(settings: Settings, _leaving: Leaving) -> int:
        progress = Progress()
        await to_its_end(clear_workplaces, settings.keepsake_home)
        with workplace(settings.keepsake_home) as folder:
            manifest = await to_its_end(read_archive, file, folder)
            refuse_newer(manifest)
            async with open_addresses(settings, progress) as (addresses, _services):
                url = backup_url(settings, addresses)
                await refuse_what_is_there(url, replace=replace)
                key = await to_its_end(_ready_key, settings, folder)
                with progress.busy("Restoring…"):
                    await restore_database(file, manifest, folder, url)
                await _finish(settings, addresses, key)
        print(f"Restored {manifest.rows:,} rows of {manifest.made_at:%Y-%m-%d %H:%M} UTC.")  # noqa: T201
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


async def restore_database(file: Path, manifest: Manifest, folder: Path, url: str) -> None:
    """In one transaction: what was there is only gone when all of the backup is there, and every
    table is what the backup says of it. Raises SeesTooLittle, ProgramFailed, BackupDamaged."""
    await make_roles(url, manifest.roles)
    script, before, after = (folder / name for name in ("restore.sql", "before.sql", "after.sql"))
    await run_program("pg_restore", f"--file={script}", folder / DUMP)
    await to_its_end(before.write_text, _PRELUDE)
    owner = await new_owner(url, manifest.owner)
    tables = {name: Content(**dict(each)) for name, each in manifest.tables.items()}
    ending = _handing_over(manifest.owner, owner) + refuse_different(tables)
    await to_its_end(after.write_text, ending)
    parts = [word for part in (before, script, after) for word in ("-f", part)]
    once = ("-X", "-q", "--single-transaction", "--no-password", "--set=ON_ERROR_STOP=1")
    try:
        await run_program("psql", *once, *parts, url=url)
    except ProgramFailed as error:
        _, different, names = str(error.fields["reason"]).partition(DIFFERENT)
        if different:
            raise BackupDamaged(file=file, reason=f"{DIFFERENT}{names}") from error
        raise


def _handing_over(old: str, new: str | None) -> str:
    """What belonged to a login of the other server belongs to the owner of this database."""
    return "" if new is None else f'REASSIGN OWNED BY "{old}" TO "{new}";\n'


async def refuse_what_is_there(url: str, *, replace: bool) -> None:
    """Raises RestoreRefused."""
    if await is_used(url):
        raise RestoreRefused(
            reason="a program uses this database. Stop chat, serve, mcp and worker first"
        )
    if not replace and await holds_rows(url):
        raise RestoreRefused(
            reason="this database holds data already, which the backup would take the place of. "
            "Name another KEEPSAKE_HOME or DATABASE_URL, or say --replace"
        )


def _ready_key(settings: Settings, folder: Path) -> Path | None:
    """The key of the digests, where it is not a setting: whole, and on the disk of the data folder
    before anything is changed, so that afterwards it only takes another name. Raises
    InvalidSettings."""
    key = folder / KEY
    if settings.digest_key is not None or not key.exists():
        return None
    put_key(key, key.read_bytes())
    return key


async def _finish(settings: Settings, addresses: Addresses, key: Path | None) -> None:
    """The key of the digests, the schema of this program, and no copies of what was there. Raises
    RestoreUnfinished."""
    of_the_backup = {"embedding_model": None, "embedding_dimensions": None}
    try:
        if key is not None:
            await to_its_end(key.replace, digest_key_file(settings))
        await apply_migrations(addresses, settings.model_copy(update=of_the_backup))
    except OSError as error:
        reason = f"{digest_key_file(settings)} cannot be written ({error.strerror})."
        raise RestoreUnfinished(reason=reason) from error
    except KeepsakeError as error:
        raise RestoreUnfinished(reason=str(error)) from error
    cache = Cache(addresses.redis_url)
    try:
        for kind in CACHED:
            await clear(cache, kind)
    finally:
        await cache.aclose()
