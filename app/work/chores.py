"""What a program does for its user where it may not act as the worker."""

from __future__ import annotations

import asyncio

import structlog

from memory.errors import KeepsakeError
from memory.service import Memory

PAUSE_SECONDS = 600.0
_log = structlog.get_logger(__name__)


async def chores(memory: Memory, user_id: str, pause: float = PAUSE_SECONDS) -> None:
    """The chores again and again, until it is cancelled."""
    while True:
        await do_chores(memory, user_id)
        await asyncio.sleep(pause)


async def do_chores(memory: Memory, user_id: str) -> None:
    """Erases what is due, readies old memories to be compared with new ones, and learns from what
    an earlier program left waiting. What fails is logged, and left for the next time."""
    try:
        await memory.erase_due(user_id)
        await memory.relearn(user_id)
        await memory.learn_waiting(user_id)
    except (KeepsakeError, TimeoutError) as error:
        _log.warning("chores put off", reason=str(error) or "timeout")
    except Exception as error:  # nobody looks at this task: it says so and goes on
        _log.error("chores failed", exc_info=error)


async def stop(task: asyncio.Task[None]) -> None:
    """Ends what runs behind before what it works on is closed."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
