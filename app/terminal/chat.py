"""`python -m app chat`: opens the program and lets a person or a script talk to it."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack

from app.process.progress import Progress
from app.process.signals import Leaving
from app.terminal.interactive import Interactive
from app.terminal.piped import Piped
from app.terminal.quiet import quiet_keys
from app.terminal.turns import Turns
from app.wiring import open_keepsake
from app.work.behind import work_behind
from app.work.chores import stop
from memory.settings import Settings


async def chat(settings: Settings, leaving: Leaving) -> int:
    """The exit code. Interactive where both input and output are a terminal."""
    progress = Progress()
    user_id = settings.keepsake_user
    async with AsyncExitStack() as stack:
        with quiet_keys(), progress.busy("Starting Keepsake…"):
            keepsake = await stack.enter_async_context(open_keepsake(settings, progress))
        stack.push_async_callback(stop, asyncio.create_task(work_behind(keepsake, user_id)))
        turns = Turns(keepsake, user_id)
        if sys.stdin.isatty() and sys.stdout.isatty():
            return await Interactive(turns, leaving).run()
        return await Piped(turns).run()
