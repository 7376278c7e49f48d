"""What was left waiting to be learned from, since the program that took it ended too early."""

from __future__ import annotations

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


LEARN = Job("memory_learn", _learn, at_most=1)
