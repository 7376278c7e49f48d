"""Memories into a file, and out of one."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from app.terminal.turns import Turns
from memory.errors import InvalidInput
from memory.models import Origin

MOST_BYTES = 100_000_000


async def export_to(name: str, turns: Turns, _width: int | None) -> list[str]:
    """Everything of the user as JSON, in a new file for its owner alone."""
    path = _path(name, "/export")
    exported = await turns.memory.portability.export(turns.user_id)
    await asyncio.to_thread(_write, path, exported)
    return [f"Everything is in {path}. Whoever may read that file reads your memories."]


async def import_from(name: str, turns: Turns, _width: int | None) -> list[str]:
    """An export, or another assistant's memories as lines. Secrets, duplicates and what was
    forgotten a short time ago stay out."""
    path = _path(name, "/import")
    text = await asyncio.to_thread(_read, path)
    portability = turns.memory.portability
    parsed = portability.read_import(text, turns.space)
    imported = await portability.import_(turns.user_id, parsed, Origin("import"))
    return imported.as_text().split("\n")


def _path(name: str, command: str) -> Path:
    if not name:
        raise InvalidInput(reason=f"Say which file: {command} FILE.")
    return Path(name).expanduser()


def _write(path: Path, exported: dict[str, Any]) -> None:
    text = json.dumps(exported, ensure_ascii=False, indent=1)
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InvalidInput(reason=f"{path} exists already; name a new file.") from None
    except OSError as error:
        raise InvalidInput(reason=f"{path} cannot be written ({error.strerror}).") from None


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidInput(reason=f"{path} is larger than {MOST_BYTES // 1_000_000} MB.")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(reason=f"{path} is not UTF-8 text.") from None
    except OSError as error:
        raise InvalidInput(reason=f"{path} cannot be read ({error.strerror}).") from None
