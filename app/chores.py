"""What a chat does for its user behind the talk, where no worker runs."""

from __future__ import annotations

import asyncio

import structlog

from memory.errors import KeepsakeError
from memory.service import Memory

PAUSE_SECONDS = 600.0
_log = structlog.get_logger(__name__)


async def chores(memory: Memory, user_id: str) -> None:
    """Erases what is due and learns from what an earlier program left waiting, again and again,
    until it is cancelled. A database that is away is tried again after the pause."""
    while True:
        try:
            await memory.erase_due(user_id)
            await memory.learn_waiting(user_id)
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("chores put off", reason=str(error) or "timeout")
        await asyncio.sleep(PAUSE_SECONDS)


async def stop(task: asyncio.Task[None]) -> None:
    """Ends the chores before what they work on is closed."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
