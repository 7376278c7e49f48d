"""What a backup, its drill or a restore leaves behind where it is killed and cannot tidy up: a copy
of everybody's data, in a folder or as a database."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.backup.blocking import to_its_end
from memory.embedded.file_lock import FileLock
from memory.errors import InvalidInput
from migrations.scratch import abandoned_databases, drop_abandoned

WORKPLACE = ".keepsake-"
DRILL = "keepsake_drill"
_CLAIM = "in-use.lock"


@contextmanager
def workplace(beside: Path) -> Iterator[Path]:
    """A private folder (0700) on the disk of `beside`, gone in the end. Raises InvalidInput."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=WORKPLACE, dir=beside)
        lock = claim(Path(folder.name))
    except OSError as error:
        raise InvalidInput(
            reason=f"Nothing can be written in {beside} ({error.strerror}). Name another folder."
        ) from error
    try:
        with folder as path:
            yield Path(path)
    finally:
        lock.release()


def claim(workplace: Path) -> FileLock:
    """Held as long as the workplace is used. The lock is there before its name is, so that nobody
    finds the one without the other. On a disk that knows no locks there is none, and nobody ever
    takes the workplace for abandoned."""
    draft = workplace / f"{_CLAIM}.draft"
    lock = FileLock(draft)
    with suppress(OSError):
        lock.try_exclusive()
        draft.rename(workplace / _CLAIM)
    return lock


def abandoned_workplaces(beside: Path) -> list[Path]:
    """Those whose program has ended. Blocks."""
    return sorted(path for path in beside.glob(f"{WORKPLACE}*") if _is_abandoned(path))


def clear_workplaces(beside: Path) -> None:
    """Removes those whose program has ended. Blocks."""
    for path in abandoned_workplaces(beside):
        shutil.rmtree(path, ignore_errors=True)


async def clear_left_over(beside: Path, url: str) -> None:
    """Removes what earlier backups left beside this one, and on the server of `url`."""
    await to_its_end(clear_workplaces, beside)
    await drop_abandoned(url, DRILL)


async def abandoned_drills(url: str) -> list[str]:
    """Databases of drills that nobody is at any more. Raises DatabaseUnavailable."""
    return await abandoned_databases(url, DRILL)


def _is_abandoned(path: Path) -> bool:
    """Only what has a lock of ours can be one, whatever else has such a name."""
    lock = path / _CLAIM
    with suppress(OSError):
        if path.is_symlink() or lock.stat().st_uid != os.geteuid():
            return False
        held = FileLock(lock)
        try:
            return held.try_exclusive()
        finally:
            held.release()
    return False
