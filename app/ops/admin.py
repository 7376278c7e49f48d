"""`python -m app admin`: the maintenance that runs by itself at night, by hand."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from app.bootstrap import Keepsake, open_keepsake
from app.console import Progress, make_console, pluralize, print_table
from app.runner import Shutdown
from app.services import open_services
from memory.config import Settings
from memory.maintenance.consolidation import Consolidation
from memory.maintenance.retention import KeywordLevel, QualityRule, RetentionPlan
from memory.store.database import WORKER_ROLE
from memory.store.spaces import UsersWithData
from memory.types import Origin
from migrations.runner import rebuild_index

_PAGE = 500


async def select_users(keepsake: Keepsake, *, all_users: bool) -> list[str]:
    """The user of the settings, or everybody who has memories, in the order of their names. Raises
    SchemaOutdated where the login may not act as the worker, who alone knows who there is."""
    if not all_users:
        return [keepsake.settings.keepsake_user]
    residents = UsersWithData(keepsake.database.as_role(WORKER_ROLE))
    users: list[str] = []
    while page := await residents.users(users[-1] if users else "", _PAGE):
        users += page
    return users


_CLEANUP_COLUMNS = ("why", "type", "bank", "learned", "memory")
_UNDO = "Bring them back with: python -m app admin cleanup --undo"
_APPLY = "Nothing was changed. To do it, add: --apply"


def clean_up(
    min_length: int | None, *, questions: bool, apply: bool
) -> Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]:
    """`cleanup_memories` of specification 002. `min_length` None: CLEANUP_MIN_CHARS."""

    async def cleanup(settings: Settings, _leaving: Shutdown) -> int:
        user, now, console = settings.keepsake_user, datetime.now(UTC), make_console()
        least = settings.cleanup_min_chars if min_length is None else min_length
        low = QualityRule(least, questions)
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
        title = f"{did} {pluralize(len(rows))} of {user}"
        print_table(console, title, _CLEANUP_COLUMNS, rows)
        if rows:
            console.print(_UNDO if apply else _APPLY)
        return 0

    return cleanup


async def undo_cleanup(settings: Settings, _leaving: Shutdown) -> int:
    async with open_keepsake(settings, Progress()) as keepsake:
        part = keepsake.memory.lifecycle.cleanup
        back = await part.undo(settings.keepsake_user, Origin("user"))
    make_console().print(f"Brought back {pluralize(back)} of {settings.keepsake_user}.")
    return 0


_RETENTION_COLUMNS = ("what", "why", "type", "bank", "learned", "memory")


def apply_retention(
    *, all_users: bool, apply: bool
) -> Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]:
    async def retention(settings: Settings, _leaving: Shutdown) -> int:
        now, console = datetime.now(UTC), make_console()
        async with open_keepsake(settings, Progress()) as keepsake:
            part = keepsake.memory.lifecycle.retention
            for user_id in await select_users(keepsake, all_users=all_users):
                due = await (part.run if apply else part.due)(user_id, now)
                print_table(
                    console, _title(user_id, due, apply=apply), _RETENTION_COLUMNS, _rows(due)
                )
        if not apply:
            console.print("Nothing was changed. To do it, add: --apply")
        return 0

    return retention


def _title(user_id: str, due: RetentionPlan, *, apply: bool) -> str:
    did = "Took" if apply else "Would take"
    retired, removed = pluralize(len(due.retired)), pluralize(len(due.removed))
    return f"{user_id}: {did} {retired} out of recall, and removed for good: {removed}"


def _rows(due: RetentionPlan) -> list[tuple[str, ...]]:
    retired = [("retired", f"after {days} days", item) for item, days in due.retired]
    removed = [("removed", item.why, item) for item in due.removed]
    return [
        (what, why, item.type, item.bank, f"{item.created_at:%Y-%m-%d}", item.content)
        for what, why, item in (*retired, *removed)
    ]


_ROLL_UP_COLUMNS = ("of", "bank", "roll-up")


def roll_up(
    *, all_users: bool, apply: bool
) -> Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]:
    """With a model, the words that are shown beforehand are those of the memories themselves."""

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        now, console, progress = datetime.now(UTC), make_console(), Progress()
        async with open_keepsake(settings, progress) as keepsake:
            part = keepsake.memory.lifecycle.rolling_up
            for user_id in await select_users(keepsake, all_users=all_users):
                with progress.busy(f"Looking for what belongs together of {user_id}…"):
                    rows = await (_done if apply else _planned)(part, user_id, now)
                did = "Made" if apply else "Would make"
                title = f"{user_id}: {did} {pluralize(len(rows), 'roll-up', 'roll-ups')}"
                print_table(console, title, _ROLL_UP_COLUMNS, rows)
        if not apply:
            console.print("Nothing was changed. To do it, add: --apply")
        return 0

    return command


async def _planned(part: Consolidation, user_id: str, now: datetime) -> list[tuple[str, ...]]:
    drafts = await part.plan(user_id, now)
    return [(str(len(draft.sources)), draft.sources[0].bank, draft.content) for draft in drafts]


async def _done(part: Consolidation, user_id: str, now: datetime) -> list[tuple[str, ...]]:
    return [("", item.bank, item.content) for item in await part.run(user_id, now)]


AdminCommand: TypeAlias = Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]


def prune_vectors(age_days: int | None, *, all_users: bool) -> AdminCommand:
    age = None if age_days is None else timedelta(days=age_days)

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        now, pruned = datetime.now(UTC), 0
        async with open_keepsake(settings, Progress()) as keepsake:
            indexes = keepsake.memory.lifecycle.indexes
            for user_id in await select_users(keepsake, all_users=all_users):
                pruned += await indexes.prune_vectors(user_id, now, age)
        said = pluralize(pruned, "vector", "vectors")
        make_console().print(f"Dropped {said} of what is out of recall; the words stay.")
        return 0

    return command


def rebuild_keywords(
    level: KeywordLevel | None, max_age_days: int | None, *, all_users: bool
) -> AdminCommand:
    """First what belongs into the index, then, as the owner, the index itself."""
    age = None if max_age_days is None else timedelta(days=max_age_days)

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        now, changed, progress = datetime.now(UTC), 0, Progress()
        async with open_keepsake(settings, progress) as keepsake:
            indexes = keepsake.memory.lifecycle.indexes
            for user_id in await select_users(keepsake, all_users=all_users):
                changed += await indexes.level_keywords(user_id, now, level, age)
        with progress.busy("Building the keyword index anew…"):
            async with open_services(settings, progress) as (addresses, _):
                await rebuild_index(addresses.owner_url, "idx_memory_items_content_fts")
        said = pluralize(changed)
        make_console().print(f"Built the keyword index anew; {said} went in or out of it.")
        return 0

    return command
