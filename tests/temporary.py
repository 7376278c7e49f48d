"""Where a test run writes: in the machine's memory where there is room, since what starts with a
database of its own waits for a busy disk longer than for anything else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
NEEDED_BYTES = 6_000_000_000


def write_in_memory() -> None:
    """Before the first temporary folder: pytest's own lie there then, and those of the programs
    that the tests start. Whoever named a place for them keeps it."""
    if _has_room(IN_MEMORY):
        for name in ("PYTEST_DEBUG_TEMPROOT", "TMPDIR"):
            os.environ.setdefault(name, str(IN_MEMORY))


def services_home(run_folder: Path) -> Path:
    """Of the services that all processes of the run share."""
    return run_folder / "home"


def remove_unused(run_folder: Path) -> None:
    """Frees the space when the last process has stopped the services."""
    home = services_home(run_folder)
    if home.exists() and not (home / "postgres" / "postmaster.pid").exists():
        shutil.rmtree(home)


def _has_room(folder: Path) -> bool:
    return folder.is_dir() and shutil.disk_usage(folder).free >= NEEDED_BYTES
