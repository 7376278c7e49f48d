"""What a server does behind its answers, where no worker of its own is wanted."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import structlog

from agent.plain_words.recognise import recognise
from app.chores import chores
from app.wiring import Keepsake
from app.worker import growing_pauses, work_once
from memory.errors import KeepsakeError, SchemaOutdated

_log = structlog.get_logger(__name__)


async def work_behind(keepsake: Keepsake) -> None:
    """A worker's rounds for all users, until it is cancelled. Where the login may not act as the
    worker, the one user of AUTH_MODE=local is done the chores of a chat; for the users of the
    other modes there has to be a `python -m app worker`, and the log says so."""
    # The first message should not wait for the phrases of the commands to be compiled.
    await asyncio.to_thread(recognise, "hello")
    try:
        await _rounds(keepsake)
    except SchemaOutdated as error:  # as which the database refuses the role
        settings = keepsake.settings
        if settings.auth_mode == "local":
            await chores(keepsake.memory, settings.keepsake_user)
        _log.warning("no_work_behind", reason=str(error), start="python -m app worker")


async def _rounds(keepsake: Keepsake) -> None:
    poll = keepsake.settings.worker_poll_seconds
    pauses = growing_pauses(poll)
    while True:
        pause = poll
        try:
            await work_once(keepsake.everyone, keepsake.memory, datetime.now(UTC))
            pauses = growing_pauses(poll)
        except SchemaOutdated:
            raise
        except (KeepsakeError, TimeoutError) as error:
            pause = next(pauses)
            _log.warning("work put off", seconds=pause, reason=str(error) or "timeout")
        except Exception as error:  # nobody looks at this task: it says so and goes on
            pause = next(pauses)
            _log.error("work failed", exc_info=error)
        await asyncio.sleep(pause)
