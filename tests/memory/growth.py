"""Whether what reads a text takes longer than in proportion to its length.

No bound in seconds: the processor time of a text is compared with that of a quarter of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

TIMES = 4
# How many times as long the longer text may take: linear is TIMES, quadratic 16.
MOST_TIMES = 9.0
# Processor time, in seconds. What takes less is not looked at further: it is too short to compare.
SLOW = 0.1


def grows_too_fast(
    read: Callable[[str], object], pieces: Iterable[str], *, length: int
) -> list[tuple[str, float, float]]:
    """The pieces that take too long when repeated up to the length, with both times."""
    return [(piece, *slow) for piece in pieces if (slow := _compared(read, piece, length))]


def _compared(read: Callable[[str], object], piece: str, length: int) -> tuple[float, float] | None:
    short = long = 0.0
    for _ in range(3):  # others may have slowed one of them down
        short, long = (_seconds(read, piece, each) for each in (length // TIMES, length))
        if long < max(SLOW, MOST_TIMES * short):
            return None
    return short, long


def _seconds(read: Callable[[str], object], piece: str, length: int) -> float:
    text = (piece * (length // len(piece) + 1))[:length]
    began = time.thread_time()
    read(text)
    return time.thread_time() - began
