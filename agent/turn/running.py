"""The turns of this process that are under way, and how those of a user who is erased end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from uuid import UUID

from agent.turn.events import StopSignal
from memory.errors import BeingErased

# What a stopped turn may take to close: the model's run ends first.
CLOSE_TIMEOUT = 20.0


@dataclass(eq=False)
class RunningTurn:
    """`erased` says that everything of its user goes, so that nothing of it is stored any more;
    `closed` that its reply is stored, or never will be."""

    id: UUID
    user_id: str
    stop: StopSignal
    erased: bool = False
    closed: asyncio.Event = field(default_factory=asyncio.Event)


class RunningTurns:
    """From before their message is stored until they have closed."""

    def __init__(self) -> None:
        self._running: set[RunningTurn] = set()
        self._erased: Counter[str] = Counter()

    def begin(self, user_id: str, turn_id: UUID, stop: StopSignal) -> RunningTurn:
        """Raises BeingErased."""
        if self._erased[user_id]:
            raise BeingErased
        turn = RunningTurn(turn_id, user_id, stop)
        self._running.add(turn)
        return turn

    def end(self, turn: RunningTurn) -> None:
        turn.closed.set()
        self._running.discard(turn)

    @asynccontextmanager
    async def stopped(self, user_id: str, but: RunningTurn | None = None) -> AsyncIterator[None]:
        """Stops the turns of a user who is erased, stores nothing more of them, and waits until
        they have closed; none begins meanwhile. `but` is the turn that asks for it. Raises
        BeingErased where another one asked before it: two of them would stop each other."""
        if but is not None and self._erased[user_id]:
            raise BeingErased
        self._erased[user_id] += 1
        try:
            await self._stop([each for each in self._running if each.user_id == user_id], but)
            yield
        finally:
            self._erased[user_id] -= 1
            self._erased += Counter()  # without what is zero

    async def _stop(self, theirs: list[RunningTurn], but: RunningTurn | None) -> None:
        others = [each for each in theirs if each is not but]
        for each in others:
            each.erased = True
            each.stop.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                for each in others:
                    await each.closed.wait()
