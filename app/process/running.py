"""How a command runs and ends: settings, log and signals around it, and one place in which errors
become a line on stderr and an exit code."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import structlog

from app.process.logs import log_file, log_to_home, log_to_stdout
from app.process.signals import Leaving
from memory.embedded.home import Home
from memory.errors import InvalidSettings, KeepsakeError
from memory.settings import Settings, load_settings
from memory.uncollected import uncollected

FAILED = 1
WRONG_USAGE = 2
PIPE_CLOSED = 141  # 128 + SIGPIPE, as if it had ended the program

Command: TypeAlias = Callable[[Settings, Leaving], Coroutine[Any, Any, int]]
_log = structlog.get_logger(__name__)


def run_command(load: Callable[[], Command], *, to_stdout: bool = False, **overrides: Any) -> int:
    """The exit code of a command with the settings of this process, some of them overridden.

    `load` imports the command, after the settings have been found to be in order.
    """
    leaving = Leaving()
    try:
        settings = load_settings(**overrides)
        Home(settings.keepsake_home).prepare()
        (log_to_stdout if to_stdout else log_to_home)(settings)
    except InvalidSettings as error:
        return complain(str(error), WRONG_USAGE)
    except KeepsakeError as error:
        return complain(str(error))
    try:
        with uncollected():
            command = load()
        return asyncio.run(leaving.watch(command(settings, leaving)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return leaving.exit_code
    except Exception as error:
        return _ended_by(error, settings, leaving)


def complain(sentence: str, code: int = FAILED) -> int:
    """One line on stderr; the exit code it was given."""
    try:
        print(f"keepsake: {' '.join(sentence.split())}", file=sys.stderr, flush=True)  # noqa: T201
    except OSError:
        _drop(2)
    return code


def unexpected(settings: Settings) -> str:
    """What the user is told of an exception whose trace is in the log."""
    return (
        "Something went wrong that Keepsake did not expect. The details are in "
        f"{log_file(settings)}"
    )


def _ended_by(error: Exception, settings: Settings, leaving: Leaving) -> int:
    if isinstance(error, BrokenPipeError):
        _drop(1)
        return PIPE_CLOSED
    if leaving.signal is not None:
        # A terminal that hung up cannot be written to while everything is closed.
        _log.warning("failed while leaving", exc_info=error)
        _drop(1)
        return leaving.exit_code
    if isinstance(error, KeepsakeError):
        _log.error("command failed", kind=type(error).__name__, reason=str(error))
        return complain(str(error))
    _log.error("unexpected", exc_info=error)
    return complain(unexpected(settings))


def _drop(descriptor: int) -> None:
    """Nobody reads it any more: what is still in the buffer goes nowhere, without an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
