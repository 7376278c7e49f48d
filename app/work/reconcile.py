"""Finds work that nobody queued, or whose job was lost, so that nothing waits for ever."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import structlog

from app.wiring import Keepsake
from app.work.embedding import EMBED
from app.work.erasing import ERASE
from app.work.job import Job
from app.work.learning import LEARN
from memory.settings import Settings

# So long what was given up is left alone before it is tried anew, also what never came back: a new
# version or a larger machine may have mended it, and an erasure was promised. If not, three workers
# stand still for a lease each, four times a day.
GIVEN_UP_FOR = timedelta(hours=6)
_log = structlog.get_logger(__name__)


async def _reconcile(keepsake: Keepsake, _user_id: str | None) -> None:
    now, everyone = datetime.now(UTC), keepsake.everyone
    await _ask(keepsake, EMBED, await everyone.users_lacking_vectors(now), now)
    await _ask(keepsake, ERASE, await everyone.users_with_due(now), now)
    await _ask(keepsake, LEARN, await everyone.users_waiting_to_learn(now), now)


async def _ask(keepsake: Keepsake, kind: Job, users: Sequence[str], now: datetime) -> None:
    if users:
        _log.info("work found", kind=kind.name, users=len(users))
        await keepsake.everyone.queue.put_missing(kind.name, users, now - GIVEN_UP_FOR)


def _every_minute(_settings: Settings) -> str:
    return "* * * * *"


RECONCILE = Job("reconcile", _reconcile, _every_minute, deadline=timedelta(minutes=5))
