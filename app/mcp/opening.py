"""Opening the program behind a conversation that has begun already."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Self

import structlog

from app.process.progress import Progress
from memory.errors import DatabaseUnavailable, KeepsakeError
from memory.service import Memory
from memory.settings import Settings
from memory.uncollected import uncollected

if TYPE_CHECKING:
    from app.wiring import Keepsake

_log = structlog.get_logger(__name__)


class Opening:
    """Begins when it is entered. What was opened is closed when it is left.

    An opening that fails is tried again by the next call that asks for the memory, so that a
    database that comes back later is found.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._one_at_a_time = asyncio.Lock()
        self._keepsake: Keepsake | None = None
        self._early: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._early = asyncio.create_task(self._open_early())
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._early is not None
        self._early.cancel()
        await asyncio.gather(self._early, return_exceptions=True)
        await self._stack.aclose()

    async def memory(self) -> Memory:
        """Starts an embedded database again that had stopped. Raises what `open_keepsake` raises,
        and ServiceStartFailed."""
        keepsake = await self._opened()
        try:
            await keepsake.memory.space_settings(
                self._settings.keepsake_user, self._settings.keepsake_space
            )
        except DatabaseUnavailable:
            if started := await keepsake.revive():
                _log.warning("services revived", names=started)
        return keepsake.memory

    async def _open_early(self) -> None:
        try:
            await self._opened()
        except KeepsakeError as error:
            _log.error("not_opened", kind=type(error).__name__, reason=str(error))
        except Exception as error:  # the first call will say so
            _log.error("not_opened", exc_info=error)

    async def _opened(self) -> Keepsake:
        async with self._one_at_a_time:
            if self._keepsake is None:
                self._keepsake = await self._open()
            return self._keepsake

    async def _open(self) -> Keepsake:
        # It takes seconds to import, in which the first messages would wait.
        with uncollected():
            await asyncio.to_thread(import_module, "app.wiring")
        from app.wiring import open_keepsake  # noqa: PLC0415
        from app.work.behind import work_behind  # noqa: PLC0415
        from app.work.chores import stop  # noqa: PLC0415

        opening = open_keepsake(self._settings, Progress())
        keepsake = await self._stack.enter_async_context(opening)
        behind = asyncio.create_task(work_behind(keepsake, self._settings.keepsake_user))
        self._stack.push_async_callback(stop, behind)
        return keepsake
