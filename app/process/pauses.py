"""How long is waited for what is away."""

from __future__ import annotations

from collections.abc import Iterator

MAX_PAUSE_SECONDS = 60.0


def growing_pauses(first: float) -> Iterator[float]:
    """Seconds: twice as long each time, up to a minute."""
    pause = first
    while True:
        yield pause
        pause = min(pause * 2, MAX_PAUSE_SECONDS)
