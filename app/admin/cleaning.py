"""`python -m app admin cleanup` (002's `cleanup_memories`)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

from app.admin.tables import counted, make_console, show_rows
from app.process.progress import Progress
from app.process.signals import Leaving
from app.wiring import open_keepsake
from memory.models import Origin
from memory.settings import Settings
from memory.upkeep.cleanup import LowQuality

_COLUMNS = ("why", "type", "bank", "learned", "memory")


def clean_up(
    min_length: int | None, *, questions: bool, apply: bool
) -> Callable[[Settings, Leaving], Coroutine[Any, Any, int]]:
    """`min_length` None: CLEANUP_MIN_CHARS."""

    async def cleanup(settings: Settings, _leaving: Leaving) -> int:
        user, now, console = settings.keepsake_user, datetime.now(UTC), make_console()
        least = settings.cleanup_min_chars if min_length is None else min_length
        low = LowQuality(least, questions)
        async with open_keepsake(settings, Progress()) as keepsake:
            part = keepsake.memory.lifecycle.cleanup
            if apply:
                found = await part.run(user, low, Origin("user"), now)
            else:
                found = await part.plan(user, low)
        rows = [
            (why, item.type, item.bank, f"{item.created_at:%Y-%m-%d}", item.content)
            for item, why in found
        ]
        did = "Cleaned away" if apply else "Would clean away"
        title = f"{did} {counted(len(rows))} of {user}"
        show_rows(console, title, _COLUMNS, rows)
        if rows:
            console.print(_UNDO if apply else _APPLY)
        return 0

    return cleanup


_UNDO = "Bring them back with: python -m app admin cleanup --undo"
_APPLY = "Nothing was changed. To do it, add: --apply"


async def undo_cleanup(settings: Settings, _leaving: Leaving) -> int:
    async with open_keepsake(settings, Progress()) as keepsake:
        part = keepsake.memory.lifecycle.cleanup
        back = await part.undo(settings.keepsake_user, Origin("user"))
    make_console().print(f"Brought back {counted(back)} of {settings.keepsake_user}.")
    return 0
