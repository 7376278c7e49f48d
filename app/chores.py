"""What a chat does for its user behind the talk, where no worker runs."""

from __future__ import annotations

import asyncio

import structlog

from agent.plain_words.recognise import recognise
from memory.errors import KeepsakeError
from memory.service import Memory

PAUSE_SECONDS = 600.0
_log = structlog.get_logger(__name__)


async def chores(memory: Memory, user_id: str, pause: float = PAUSE_SECONDS) -> None:
    """Erases what is due, readies old memories to be compared with new ones, and learns from what
    an earlier program left waiting, again and again, until it is cancelled. A database that is away
    is tried again after the pause."""
    # The first message should not wait for the phrases of the commands to be compiled.
    await asyncio.to_thread(recognise, "hello")
    while True:
        try:
            await memory.erase_due(user_id)
            await memory.relearn(user_id)
            await memory.learn_waiting(user_id)
        except (KeepsakeError, TimeoutError) as error:
            _log.warning("chores put off", reason=str(error) or "timeout")
        except Exception as error:  # nobody looks at this task: it says so and goes on
            _log.error("chores failed", exc_info=error)
        await asyncio.sleep(pause)


async def stop(task: asyncio.Task[None]) -> None:
    """Ends the chores before what they work on is closed."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
