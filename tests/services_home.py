"""Where the services of a test run keep their data: in the machine's memory where there is room,
since a copy of the template takes 35 ms there, and up to half a second on a busy disk."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
NEEDED_BYTES = 6_000_000_000


def services_home(run_folder: Path) -> Path:
    """The same for all processes of the run."""
    named = run_folder / "home"
    if not named.exists():
        if _has_room(IN_MEMORY):
            named.symlink_to(tempfile.mkdtemp(prefix="keepsake-tests-", dir=IN_MEMORY))
        else:
            named.mkdir()
    return named


def remove_unused(run_folder: Path) -> None:
    """Frees the memory when the last process has stopped the services."""
    named = run_folder / "home"
    if named.is_symlink() and not (named / "postgres" / "postmaster.pid").exists():
        shutil.rmtree(named.resolve())
        named.unlink()


def _has_room(folder: Path) -> bool:
    return folder.is_dir() and shutil.disk_usage(folder).free >= NEEDED_BYTES
