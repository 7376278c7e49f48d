"""The vectors that are missing (000's `memory_embed_backfill`)."""

from __future__ import annotations

import structlog

from app.wiring import Keepsake
from app.work.job import LONG_DEADLINE, Job

_log = structlog.get_logger(__name__)


async def _embed(keepsake: Keepsake, user_id: str | None) -> None:
    """Until nothing of the user waits: what comes after the last look asks for a job of its
    own."""
    if user_id is not None and (filled := await keepsake.everyone.embed_waiting(user_id)):
        _log.info("vectors filled", count=filled)


EMBED = Job("memory_embed_backfill", _embed, at_most=2, deadline=LONG_DEADLINE)
