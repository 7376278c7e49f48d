"""What a program does for its user where it may not act as the worker, and how long it waits for
what is away."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import structlog

from memory.errors import KeepsakeError
from memory.service import MemoryService

MAX_BACKOFF_SECONDS = 60.0
_log = structlog.get_logger(__name__)


def exponential_backoff(first: float) -> Iterator[float]:
    """Seconds: twice as long each time, up to a minute."""
    pause = first
    while True:
        yield pause
        pause = min(pause * 2, MAX_BACKOFF_SECONDS)


MAINTENANCE_PAUSE_SECONDS = 600.0


async def maintain_user_forever(
    memory: MemoryService, user_id: str, pause: float = MAINTENANCE_PAUSE_SECONDS
) -> None:
    """`maintain_user` again and again, until it is cancelled."""
    while True:
        await maintain_user(memory, user_id)
        await asyncio.sleep(pause)


async def maintain_user(memory: MemoryService, user_id: str) -> None:
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


async def cancel_and_wait(task: asyncio.Task[None]) -> None:
    """Ends what runs behind before what it works on is closed."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
