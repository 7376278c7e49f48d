"""Imports without the collector of garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_gc() -> Iterator[None]:
    """What imports make stays until the end: looking it all through again and again meanwhile would
    take a sixth of their time, and of that of every full collection afterwards."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
