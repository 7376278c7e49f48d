"""How a command runs and ends: settings, log and signals around it, and one place in which errors
become a line on stderr and an exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import structlog

from app.logs import log_file, log_to_home, log_to_stdout
from memory.config import Settings, load_settings
from memory.errors import InvalidSettings, KeepsakeError
from memory.gc_pause import pause_gc
from memory.local_services.data_folder import DataFolder

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_log = structlog.get_logger(__name__)


class Shutdown:
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
    def was_terminated(self) -> bool:
        """SIGTERM is how a service is stopped: whoever obeys it ended well."""
        return self.signal is signal.SIGTERM

    async def watch(self, command: Coroutine[Any, Any, int]) -> int:
        """Runs the command under the signals. One that is ignored (nohup) stays so."""
        self._command = asyncio.ensure_future(command)
        loop = asyncio.get_running_loop()
        for each in ENDING_SIGNALS:
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
    def on_second_signal(self, action: Callable[[], None]) -> Iterator[None]:
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


FAILED = 1
WRONG_USAGE = 2
PIPE_CLOSED = 141  # 128 + SIGPIPE, as if it had ended the program

CliCommand: TypeAlias = Callable[[Settings, Shutdown], Coroutine[Any, Any, int]]


def run_command(
    load: Callable[[], CliCommand], *, to_stdout: bool = False, **overrides: Any
) -> int:
    """The exit code of a command with the settings of this process, some of them overridden.

    `load` imports the command, after the settings have been found to be in order.
    """
    leaving = Shutdown()
    try:
        settings = load_settings(**overrides)
        DataFolder(settings.keepsake_home).prepare()
        (log_to_stdout if to_stdout else log_to_home)(settings)
    except InvalidSettings as error:
        return print_error(str(error), WRONG_USAGE)
    except KeepsakeError as error:
        return print_error(str(error))
    try:
        with pause_gc():
            command = load()
        return asyncio.run(leaving.watch(command(settings, leaving)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return leaving.exit_code
    except Exception as error:
        return _exit_code_after(error, settings, leaving)


def print_error(sentence: str, code: int = FAILED) -> int:
    """One line on stderr; the exit code it was given."""
    try:
        print(f"keepsake: {' '.join(sentence.split())}", file=sys.stderr, flush=True)  # noqa: T201
    except OSError:
        _discard_output(2)
    return code


def unexpected_error_text(settings: Settings) -> str:
    """What the user is told of an exception whose trace is in the log."""
    return (
        "Something went wrong that Keepsake did not expect. The details are in "
        f"{log_file(settings)}"
    )


def _exit_code_after(error: Exception, settings: Settings, leaving: Shutdown) -> int:
    if isinstance(error, BrokenPipeError):
        _discard_output(1)
        return PIPE_CLOSED
    if leaving.signal is not None:
        # A terminal that hung up cannot be written to while everything is closed.
        _log.warning("failed while leaving", exc_info=error)
        _discard_output(1)
        return leaving.exit_code
    if isinstance(error, KeepsakeError):
        _log.error("command failed", kind=type(error).__name__, reason=str(error))
        return print_error(str(error))
    _log.error("unexpected", exc_info=error)
    return print_error(unexpected_error_text(settings))


def _discard_output(descriptor: int) -> None:
    """Nobody reads it any more: what is still in the buffer goes nowhere, without an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
