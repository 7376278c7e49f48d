"""What time it is for a memory. A measure that lets days pass gives a clock of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""The present moment with an offset; “last Friday” is read in that offset."""


def local_clock() -> datetime:
    """The clock of this machine."""
    return datetime.now().astimezone()
