"""The guards of a program, by what they stand before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Literal

import structlog

from memory.cache import Cache
from memory.guard.guard import Guard

WATCH_SECONDS = 15.0
_log = structlog.get_logger(__name__)

Dependency = Literal["model", "embedder", "extraction", "redis"]


class Guards:
    """Redis has a guard of its own: the cache leaves it alone for a second after each failure,
    and asks anew, see `memory.cache.connection`; without one nothing is said of it."""

    def __init__(
        self, guards: Mapping[Dependency, Guard] | None = None, cache: Cache | None = None
    ) -> None:
        self._guards = dict(guards or {})
        self._cache = cache

    def of(self, dependency: Dependency) -> Guard | None:
        """None where the error guard is switched off."""
        return self._guards.get(dependency)

    def open(self) -> frozenset[Dependency]:
        """What is left alone at this moment, as far as this process knows."""
        found: set[Dependency] = {name for name, guard in self._guards.items() if guard.is_open}
        if self._cache is not None and self._cache.is_away:
            found.add("redis")
        return frozenset(found)

    async def watch(self, pause: float = WATCH_SECONDS) -> None:
        """Looks every `pause` seconds what other processes found out, until it is cancelled: what
        is shown of a guard is so in a process too that makes no call any more."""
        while True:
            await asyncio.sleep(pause)
            try:
                for guard in self._guards.values():
                    await guard.refresh()
            except Exception as error:  # nobody looks at this task: it says so and goes on
                _log.error("watching the guards failed", exc_info=error)
