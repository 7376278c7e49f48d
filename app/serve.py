"""`python -m app serve`: REST, web, MCP and what runs behind, on one port."""

from __future__ import annotations

import asyncio
import gc
import socket
from contextlib import AbstractAsyncContextManager, AsyncExitStack, closing

import structlog

from app.chats.chats import Chats
from app.identity.opening import Identity, open_identity, refuse_unsafe
from app.process.progress import Progress
from app.process.running import Command
from app.process.signals import Leaving
from app.server.application import make_application
from app.server.doorway import Doorway
from app.server.listening import address_of, listen
from app.server.metrics import Metrics
from app.server.rate import make_limits
from app.server.reviving import look_after
from app.server.served import Served
from app.telemetry.exporter import exported
from app.wiring import Keepsake, open_keepsake
from app.work.behind import work_behind
from app.work.chores import stop
from memory.errors import ServerStopping
from memory.settings import Settings
from memory.store.api_keys import ApiKeys
from memory.store.ended_sessions import EndedSessions

_log = structlog.get_logger(__name__)
_WHAT_NEXT = {
    "local": "open it in a browser",
    "token": "sign in with a key of `python -m app keys add`",
    "jwt": "sign in with a token of your identity provider",
    "proxy": "open it through your proxy",
}


def serve(*, worker: bool = True) -> Command:
    """Without `worker`, what can wait is left to a `python -m app worker`."""

    async def command(settings: Settings, leaving: Leaving) -> int:
        await refuse_unsafe(settings)
        progress = Progress()
        with closing(await listen(settings)) as listener:
            async with AsyncExitStack() as stack:
                with progress.busy("Starting Keepsake…"):
                    keepsake = await stack.enter_async_context(open_keepsake(settings, progress))
                return await serve_keepsake(keepsake, listener, leaving, worker=worker)

    return command


async def serve_keepsake(
    keepsake: Keepsake, listener: socket.socket, leaving: Leaving, *, worker: bool
) -> int:
    """Answers on the socket until a signal ends it: then what is under way is ended first. A second
    signal cuts that short. 0 on SIGTERM, which is how a service is stopped. Raises ServerEnded
    where it ends without one."""
    async with AsyncExitStack() as stack:
        keys, ended = ApiKeys(keepsake.database), EndedSessions(keepsake.database)
        identity = await stack.enter_async_context(open_identity(keepsake.settings, keys, ended))
        served = make_served(keepsake, identity)
        await stack.enter_async_context(_exported(served))
        stack.push_async_callback(served.chats.aclose)
        stack.push_async_callback(stop, asyncio.create_task(look_after(keepsake)))
        if worker:
            settings = keepsake.settings
            only = settings.keepsake_user if settings.auth_mode == "local" else None
            stack.push_async_callback(stop, asyncio.create_task(work_behind(keepsake, only)))
        doorway = Doorway(make_application(served), listener)
        _settle()
        try:
            doorway.open()
            _announce(keepsake.settings, address_of(listener))
            await doorway.stay_open()
        except asyncio.CancelledError:
            await _close(doorway, served, leaving)
            if not leaving.was_asked_to_end:
                raise
    return 0


def _settle() -> None:
    """What was made so far stays until the end: looking it all through again and again would hold
    every answer up for a quarter of a second each time."""
    gc.collect()
    gc.freeze()


def make_served(keepsake: Keepsake, identity: Identity) -> Served:
    """What the front doors need of the running program."""
    chats = Chats(keepsake.assistant, resume_seconds=keepsake.settings.resume_seconds)

    async def ready() -> None:
        if chats.stopping:
            raise ServerStopping
        await keepsake.memory.space_settings("-", keepsake.settings.keepsake_space)

    return Served(
        settings=keepsake.settings,
        memory=keepsake.memory,
        assistant=keepsake.assistant,
        chats=chats,
        limits=make_limits(keepsake.settings),
        metrics=Metrics(keepsake.counters.registry),
        identifier=identity.identifier,
        ready=ready,
        signing_in=identity.signing_in,
    )


def _exported(served: Served) -> AbstractAsyncContextManager[None]:
    settings = served.settings
    registry = served.metrics.registry
    return exported(registry, settings.metrics_host, settings.serve_metrics_port)


def _announce(settings: Settings, address: str) -> None:
    next_step = _WHAT_NEXT[settings.auth_mode]
    print(f"Keepsake is at {address} ({next_step}); Ctrl-C stops it.", flush=True)  # noqa: T201
    _log.info("server opened", address=address, auth_mode=settings.auth_mode)


async def _close(doorway: Doorway, served: Served, leaving: Leaving) -> None:
    hurry = asyncio.Event()
    with leaving.on_hurry(hurry.set):
        await doorway.close(served.chats, served.settings.drain_seconds, hurry)
