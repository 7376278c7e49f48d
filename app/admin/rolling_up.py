"""`python -m app admin roll-up`."""

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
from memory.upkeep.rolling_up.rolling_up import RollingUp

_COLUMNS = ("of", "bank", "roll-up")


def roll_up(
    *, all_users: bool, apply: bool
) -> Callable[[Settings, Leaving], Coroutine[Any, Any, int]]:
    """With a model, the words that are shown beforehand are those of the memories themselves."""

    async def command(settings: Settings, _leaving: Leaving) -> int:
        now, console, progress = datetime.now(UTC), make_console(), Progress()
        async with open_keepsake(settings, progress) as keepsake:
            part = keepsake.memory.lifecycle.rolling_up
            for user_id in await users_of(keepsake, all_users=all_users):
                with progress.busy(f"Looking for what belongs together of {user_id}…"):
                    rows = await (_done if apply else _planned)(part, user_id, now)
                did = "Made" if apply else "Would make"
                title = f"{user_id}: {did} {counted(len(rows), 'roll-up', 'roll-ups')}"
                show_rows(console, title, _COLUMNS, rows)
        if not apply:
            console.print("Nothing was changed. To do it, add: --apply")
        return 0

    return command


async def _planned(part: RollingUp, user_id: str, now: datetime) -> list[tuple[str, ...]]:
    drafts = await part.plan(user_id, now)
    return [(str(len(draft.sources)), draft.sources[0].bank, draft.content) for draft in drafts]


async def _done(part: RollingUp, user_id: str, now: datetime) -> list[tuple[str, ...]]:
    return [("", item.bank, item.content) for item in await part.run(user_id, now)]
