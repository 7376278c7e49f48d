"""What was left waiting to be learned from, since the program that took it ended too early."""

from __future__ import annotations

from datetime import timedelta

import structlog

from app.wiring import Keepsake
from app.work.job import Job

_log = structlog.get_logger(__name__)


async def _learn(keepsake: Keepsake, user_id: str | None) -> None:
    if user_id is None:
        return
    await keepsake.memory.relearn(user_id)
    if looked_at := await keepsake.memory.learn_waiting(user_id):
        _log.info("messages learned from", count=looked_at)


# A message has a deadline of its own and a job a share of the time, three minutes together: this is
# for what else may hang, with the longest LEARN_TIMEOUT_SECONDS that there is.
LEARN = Job("memory_learn", _learn, at_most=1, deadline=timedelta(minutes=15))
