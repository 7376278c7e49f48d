"""`python -m app serve`: REST, web, MCP and what runs behind, on one port."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import uvicorn

from app.chores import chores, stop
from app.identity.caller import LocalIdentifier
from app.leaving import Leaving
from app.progress import Progress
from app.server.application import make_application
from app.server.served import Served
from app.wiring import Keepsake, open_keepsake
from memory.settings import Settings


async def serve(settings: Settings, leaving: Leaving) -> int:
    """Answers until a signal ends it."""
    progress = Progress()
    async with AsyncExitStack() as stack:
        with progress.busy("Starting Keepsake…"):
            keepsake = await stack.enter_async_context(open_keepsake(settings, progress))
        stack.push_async_callback(
            stop, asyncio.create_task(chores(keepsake.memory, settings.keepsake_user))
        )
        config = uvicorn.Config(
            make_application(make_served(keepsake)),
            host=settings.serve_host,
            port=settings.serve_port,
            log_config=None,
            lifespan="off",
        )
        await uvicorn.Server(config).serve()
    return 0


def make_served(keepsake: Keepsake) -> Served:
    """What the front doors need of the running program."""

    async def ready() -> None:
        await keepsake.memory.space_settings("-", keepsake.settings.keepsake_space)

    return Served(
        settings=keepsake.settings,
        memory=keepsake.memory,
        assistant=keepsake.assistant,
        identifier=LocalIdentifier(keepsake.settings),
        ready=ready,
    )
