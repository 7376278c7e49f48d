"""The terminal while an answer is written: what is typed meanwhile does not show in it."""

from __future__ import annotations

import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_LOCAL_MODES = 3


@contextmanager
def quiet_keys() -> Iterator[None]:
    """Turns the echo off, and on again whatever happens. Ctrl-C stays a signal, and what is typed
    waits for the next prompt. Does nothing where the input is not a terminal."""
    if not sys.stdin.isatty():
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    quiet = termios.tcgetattr(descriptor)
    quiet[_LOCAL_MODES] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal may have hung up
            termios.tcsetattr(descriptor, termios.TCSANOW, before)
