"""Memories into a file, and out of one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path

from app.process.progress_bar import filling
from app.terminal.turns import Turns
from memory.errors import InvalidInput
from memory.models import Origin


async def export_to(name: str, turns: Turns, _width: int | None) -> list[str]:
    """Everything of the user as JSON, in a new file for its owner alone."""
    path = _path(name, "/export")
    with _told(path, "written"):
        file = os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        try:
            with file:
                async with aclosing(turns.memory.portability.export(turns.user_id)) as pieces:
                    async for piece in pieces:
                        await asyncio.to_thread(file.write, piece.encode())
        except BaseException:
            path.unlink()  # a part of an export would be taken for the whole
            raise
    return [f"Everything is in {path}. Whoever may read that file reads your memories."]


async def import_from(name: str, turns: Turns, _width: int | None) -> list[str]:
    """An export, or another assistant's memories as lines. Secrets, duplicates and what was
    forgotten a short time ago stay out."""
    path = _path(name, "/import")
    portability = turns.memory.portability
    with _told(path, "read"), path.open("rb") as file, filling("Importing") as progress:
        found = await asyncio.to_thread(portability.read_import, file, turns.space)
        imported = await portability.import_(turns.user_id, found, Origin("import"), progress)
    return imported.as_text().split("\n")


def _path(name: str, command: str) -> Path:
    if not name:
        raise InvalidInput(reason=f"Say which file: {command} FILE.")
    return Path(name).expanduser()


@contextmanager
def _told(path: Path, done: str) -> Iterator[None]:
    """What keeps a file from being read or written, as a sentence."""
    try:
        yield
    except FileExistsError:
        raise InvalidInput(reason=f"{path} exists already; name a new file.") from None
    except OSError as error:
        raise InvalidInput(reason=f"{path} cannot be {done} ({error.strerror}).") from None
