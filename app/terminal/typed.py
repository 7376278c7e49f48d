"""What a person typed, for the arrow keys of the next day."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog
from prompt_toolkit.history import FileHistory

from agent.turn.heard import hear_commands
from app.terminal.plain import safe
from memory.secrets import redact
from memory.understanding import OfflineReader
from memory.upkeep.redaction import redact_about

_log = structlog.get_logger(__name__)


def history_file(home: Path, user_id: str) -> Path:
    """One for each user, whose name need not be fit for a file's."""
    name = hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return home / "typed" / f"{name}.history"


class TypedHistory(FileHistory):
    """What was typed, for its owner alone (0600 in a folder of 0700), without its secrets, and
    nothing of it while `writes` says no."""

    def __init__(self, path: Path, *, writes: Callable[[], bool] = lambda: True) -> None:
        make_private(path)
        self._path = path
        self._writes = writes
        super().__init__(str(path))

    def append_string(self, string: str) -> None:
        if self._writes() and not _tells_of_incognito(string):
            super().append_string(redact(string))

    def store_string(self, string: str) -> None:
        """A full disk loses the line, not the chat."""
        try:
            make_private(self._path)
            super().store_string(safe(string))
        except OSError as error:
            _log.warning("history not written", reason=error.strerror)


def make_private(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def remove_from(path: Path, contents: Sequence[str]) -> None:
    """Writes the history anew without the entries that speak of any of the contents, or that said
    to forget something. A file that cannot be written stays, and the log says so."""
    if not path.exists():
        return
    entries = list(FileHistory(str(path)).load_history_strings())
    left = [each for each in entries if not any(_speaks_of(each, text) for text in contents)]
    if len(left) == len(entries):
        return
    try:
        _write_anew(path, left[::-1])
    except OSError as error:
        _log.error("history not cleaned", reason=error.strerror)


def remove_all(path: Path) -> None:
    path.unlink(missing_ok=True)


def _write_anew(path: Path, entries: Sequence[str]) -> None:
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    make_private(fresh)
    history = FileHistory(str(fresh))
    for each in entries:
        history.store_string(each)
    fresh.replace(path)


def _speaks_of(entry: str, content: str) -> bool:
    if entry.startswith("/forget") or redact_about(entry, content) != entry:
        return True
    return OfflineReader().describe(entry).perhaps_forgets


def _tells_of_incognito(entry: str) -> bool:
    """That a conversation was incognito is a trace of it."""
    if entry.startswith("/"):
        return entry.startswith("/incognito")
    told = hear_commands(entry, OfflineReader())
    return any(each.name.startswith("incognito") for each in told)
