"""How long memories are kept (000, security and privacy: “configure data retention”)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from memory.models import Origin
from memory.settings.retention_rules import RetentionRule
from memory.store.upkeep.retention import Removable, Retainable, RetentionStore
from memory.upkeep.batches import in_batches

MOST_REMOVED = 1000
_ORIGIN = Origin("upkeep")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RetentionTimes:
    """How long what was archived or trimmed can be brought back (000's 180 days), how long what
    was cleaned away, retired or expired can, and the rules for what is in recall."""

    archived: timedelta = timedelta(days=180)
    undo: timedelta = timedelta(days=30)
    rules: tuple[RetentionRule, ...] = ()


@dataclass(frozen=True)
class Due:
    """What a run would do: take memories out of recall, each by its rule's days, and remove others
    for good."""

    retired: Sequence[tuple[Retainable, int]] = field(default_factory=list)
    removed: Sequence[Removable] = field(default_factory=list)


def days_of(item: Retainable, rules: Sequence[RetentionRule]) -> int | None:
    """How many days the rules leave such a memory, None where no rule speaks of it. The most
    particular rule decides: one for bank and type, then one for the bank, then one for the type;
    of two alike the shorter time."""
    fitting = [rule for rule in rules if rule.fits(item.bank, item.type)]
    if not fitting:
        return None
    return max(fitting, key=lambda rule: (rule.particularity, -rule.days)).days


def overdue(
    items: Sequence[Retainable], rules: Sequence[RetentionRule], now: datetime
) -> list[tuple[Retainable, int]]:
    """Those whose days are over, counted from when they were learned, with their days."""
    timed = [(item, days) for item in items if (days := days_of(item, rules)) is not None]
    return [(item, days) for item, days in timed if item.created_at < now - timedelta(days=days)]


class Retention:
    """Never touches what is pinned or was saved by hand."""

    def __init__(self, store: RetentionStore, times: RetentionTimes) -> None:
        self._store = store
        self._times = times

    async def due(self, user_id: str, now: datetime) -> Due:
        """What a run would do now; nothing is changed."""
        times = self._times
        retired: list[tuple[Retainable, int]] = []
        if times.rules:
            soonest = now - timedelta(days=min(rule.days for rule in times.rules))
            items = await self._store.retainable(user_id, soonest)
            retired = overdue(items, times.rules, now)
        removed = await self._store.removable(
            user_id, now - times.archived, now - times.undo, MOST_REMOVED
        )
        return Due(retired, removed)

    async def run(self, user_id: str, now: datetime) -> Due:
        """Does what is due: of what is to be removed the MOST_REMOVED oldest. Says what was done.
        Raises DatabaseUnavailable."""
        due = await self.due(user_id, now)
        retired: set[UUID] = set()
        for overdue in in_batches(due.retired):
            retired.update(await self._store.retire(user_id, overdue, _ORIGIN, now))
        removed: set[UUID] = set()
        for waiting in in_batches(due.removed):
            removed.update(await self._store.remove(user_id, waiting, _ORIGIN))
        if retired or removed:
            _log.info("retention", retired=len(retired), removed=len(removed))
        return Due(
            [pair for pair in due.retired if pair[0].id in retired],
            [each for each in due.removed if each.id in removed],
        )
