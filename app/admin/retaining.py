"""`python -m app admin retention`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

from app.admin.tables import counted, make_console, show_rows
from app.admin.whom import users_of
from app.process.progress import Progress
from app.process.signals import Leaving
from app.wiring import open_keepsake
from memory.settings import Settings
from memory.upkeep.retention import Due

_COLUMNS = ("what", "why", "type", "bank", "learned", "memory")


def retain(
    *, all_users: bool, apply: bool
) -> Callable[[Settings, Leaving], Coroutine[Any, Any, int]]:
    async def retention(settings: Settings, _leaving: Leaving) -> int:
        now, console = datetime.now(UTC), make_console()
        async with open_keepsake(settings, Progress()) as keepsake:
            part = keepsake.memory.lifecycle.retention
            for user_id in await users_of(keepsake, all_users=all_users):
                due = await (part.run if apply else part.due)(user_id, now)
                show_rows(console, _title(user_id, due, apply=apply), _COLUMNS, _rows(due))
        if not apply:
            console.print("Nothing was changed. To do it, add: --apply")
        return 0

    return retention


def _title(user_id: str, due: Due, *, apply: bool) -> str:
    did = "Took" if apply else "Would take"
    retired, removed = counted(len(due.retired)), counted(len(due.removed))
    return f"{user_id}: {did} {retired} out of recall, and removed for good: {removed}"


def _rows(due: Due) -> list[tuple[str, ...]]:
    retired = [("retired", f"after {days} days", item) for item, days in due.retired]
    removed = [("removed", item.why, item) for item in due.removed]
    return [
        (what, why, item.type, item.bank, f"{item.created_at:%Y-%m-%d}", item.content)
        for what, why, item in (*retired, *removed)
    ]
