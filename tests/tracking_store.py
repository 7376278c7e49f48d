"""MLflow's tables in SQLite, made once for the whole run: to make them takes it seconds."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path

from eval.tracking import open_client


def copy_tracking_store(run_folder: Path, to: Path) -> str:
    """The address of a store of the test's own, with nothing in it."""
    made = run_folder / "tracking.db"
    with (run_folder / "tracking.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            unfinished = run_folder / "unfinished.db"
            open_client(f"sqlite:///{unfinished}").search_experiments()
            unfinished.rename(made)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(made, to)
    return f"sqlite:///{to}"
