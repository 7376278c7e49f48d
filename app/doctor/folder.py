"""The data folder: who can read it, whether there is room, and the key in it."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from app.backup.left_over import abandoned_workplaces
from app.doctor.finding import Finding, broken, ok, warning
from app.work.heartbeat import file_of_work_behind, heartbeat_file, why_not_alive
from memory.errors import InvalidSettings
from memory.settings import Settings
from memory.settings.digest_key import digest_key

ROOM_BYTES = 1_000_000_000
LEAST_ROOM_BYTES = 100_000_000
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def look_at_folder(settings: Settings) -> list[Finding]:
    """Blocks for some milliseconds."""
    return [
        *_permissions(settings.keepsake_home),
        *_left_over(settings.keepsake_home),
        _room(settings.keepsake_home),
        _key(settings),
        _worker(settings.keepsake_home),
    ]


def _permissions(home: Path) -> Iterator[Finding]:
    part, mode = "data folder", home.stat().st_mode
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        yield broken(
            part, f"{home} cannot be written", "run Keepsake as its owner, or set KEEPSAKE_HOME"
        )
    elif mode & _OTHERS:
        yield warning(part, f"{home} can be entered by others", f"chmod 700 {home}")
    else:
        yield ok(part, f"{home}, closed to others")
    if open_ones := [path.name for path in _private_files(home) if path.stat().st_mode & _OTHERS]:
        names = " ".join(sorted(open_ones))
        yield broken("key files", f"others can read {names}", f"in {home}: chmod 600 {names}")


def _private_files(home: Path) -> list[Path]:
    return [path for path in (home / "digest.key",) if path.is_file()]


def _left_over(home: Path) -> Iterator[Finding]:
    if found := abandoned_workplaces(home):
        names = " ".join(path.name for path in found)
        yield warning("left over", f"a killed backup or restore left {names}", f"in {home}: rm -r")


def _room(home: Path) -> Finding:
    free = shutil.disk_usage(home).free
    found = f"{free / 1e9:,.1f} GB free"
    if free < LEAST_ROOM_BYTES:
        return broken("disk", found, "make room: a full disk stops the database")
    if free < ROOM_BYTES:
        return warning("disk", found, "make room soon: a full disk stops the database")
    return ok("disk", found)


def _key(settings: Settings) -> Finding:
    try:
        digest_key(settings)
    except InvalidSettings as error:
        return broken("digest key", str(error), "put the key of a backup back in its place")
    where = "in the data folder" if settings.digest_key is None else "in DIGEST_KEY"
    return ok("digest key", where)


def _worker(home: Path) -> Finding:
    """A chat and a server do the work themselves; a worker that was there and stopped is told where
    none of them does."""
    file, now = heartbeat_file(home), time.time()
    reason = why_not_alive(file, now)
    if reason is None:
        return ok("worker", "alive")
    if not file.exists():
        return ok("worker", "none on this home; chat and serve do its work while they run")
    if why_not_alive(file_of_work_behind(home), now) is None:
        return ok("worker", "one stopped without a word; a chat or server does its work")
    mend = "restart it: python -m app worker; chat and serve do its work too while they run"
    return warning("worker", reason, mend)
