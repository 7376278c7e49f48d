"""The signals that end the program."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Leaving:
    """The first signal cancels the command; later ones are left aside while it tidies up, which
    everything in it does within a time limit. Who wants Ctrl-C for something else borrows it, and
    who tidies up for long can be asked to hurry."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._command: asyncio.Task[int] | None = None
        self._on_interrupt: Callable[[], None] | None = None
        self._on_hurry: Callable[[], None] | None = None

    @property
    def exit_code(self) -> int:
        """128 + the number of the signal, as shells have it."""
        return 128 + (self.signal or signal.SIGINT)

    @property
    def was_asked_to_end(self) -> bool:
        """SIGTERM is how a service is stopped: whoever obeys it ended well."""
        return self.signal is signal.SIGTERM

    async def watch(self, command: Coroutine[Any, Any, int]) -> int:
        """Runs the command under the signals. One that is ignored (nohup) stays so."""
        self._command = asyncio.ensure_future(command)
        loop = asyncio.get_running_loop()
        for each in ENDING:
            if signal.getsignal(each) is not signal.SIG_IGN:
                loop.add_signal_handler(each, self._received, each)
        return await self._command

    def leave(self, number: signal.Signals) -> None:
        if self.signal is None and self._command is not None:
            self.signal = number
            self._command.cancel()

    @contextmanager
    def on_interrupt(self, action: Callable[[], None]) -> Iterator[None]:
        """Within this, Ctrl-C calls `action` instead of leaving."""
        self._on_interrupt = action
        try:
            yield
        finally:
            self._on_interrupt = None

    @contextmanager
    def on_hurry(self, action: Callable[[], None]) -> Iterator[None]:
        """Within this, a further signal while the command tidies up calls `action`."""
        self._on_hurry = action
        try:
            yield
        finally:
            self._on_hurry = None

    def _received(self, number: signal.Signals) -> None:
        if self.signal is not None:
            if self._on_hurry is not None:
                self._on_hurry()
        elif number is signal.SIGINT and self._on_interrupt is not None:
            self._on_interrupt()
        else:
            self.leave(number)
