"""`python -m app seed FILE`: all memories of a file, or none."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from app.process.progress import Progress
from app.process.signals import Leaving
from app.seeding.entries import Entry, read_entries
from app.seeding.memory import SeedMemory, check_entry
from app.wiring import open_keepsake
from memory.errors import InvalidInput
from memory.models import NewItem
from memory.settings import Settings

SHOWN_FAULTS = 20
MANY = 1000
MOST_BYTES = 100_000_000


def seed_from(file: Path) -> Callable[[Settings, Leaving], Coroutine[Any, Any, int]]:
    async def seed(settings: Settings, _leaving: Leaving) -> int:
        items = await asyncio.to_thread(load_items, file)
        progress = Progress()
        with progress.busy(f"Keeping {_count(len(items))}…"):
            async with open_keepsake(settings, progress) as keepsake:
                kept = await keepsake.memory.remember_all(settings.keepsake_user, items)
        print(f"Kept {_count(len(kept))} for {settings.keepsake_user}.", flush=True)  # noqa: T201
        return 0

    return seed


def load_items(file: Path) -> list[NewItem]:
    """The memories of a file. Raises InvalidInput, after a line on stderr for each fault."""
    try:
        entries = read_entries(_text_of(file))
    except InvalidInput as error:
        raise InvalidInput(reason=f"{file} was not loaded. {error}") from None
    items: list[NewItem] = []
    faults: list[str] = []
    for entry in _with_bar(entries):
        match check_entry(entry):
            case SeedMemory() as memory:
                items.append(memory.as_item())
            case wrong:
                faults += wrong
    if faults:
        _show(faults)
        wrong_ones = len(entries) - len(items)
        raise InvalidInput(
            reason=f"{file} was not loaded: {wrong_ones} of {_count(len(entries))} cannot be used. "
            "Nothing was kept."
        )
    return items


def _text_of(file: Path) -> str:
    try:
        if not file.is_file() or file.stat().st_size > MOST_BYTES:
            raise InvalidInput(reason=f"It is no file of at most {MOST_BYTES // 1_000_000} MB.")
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(reason=f"Byte {error.start + 1} is not UTF-8.") from None
    except OSError as error:
        raise InvalidInput(reason=f"It cannot be read ({error.strerror}).") from None


def _with_bar(entries: Sequence[Entry]) -> Sequence[Entry]:
    """With a bar for as many as take a while, on a terminal."""
    console = Console(stderr=True)
    if len(entries) < MANY or not console.is_terminal:
        return entries
    return list(track(entries, "Checking", console=console, transient=True))


def _show(faults: Sequence[str]) -> None:
    for fault in faults[:SHOWN_FAULTS]:
        print(fault, file=sys.stderr)  # noqa: T201
    if len(faults) > SHOWN_FAULTS:
        print(f"and {len(faults) - SHOWN_FAULTS:,} more", file=sys.stderr)  # noqa: T201


def _count(number: int) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'}"
