"""How much of a user's memory one transaction of the upkeep changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

BATCH = 500
Each = TypeVar("Each")


def in_batches(items: Sequence[Each], size: int = BATCH) -> Iterator[Sequence[Each]]:
    """One after the other, so that no other writer of the user waits for long."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
