"""Memories read as statements, each once for as long as it is compared again and again."""

from __future__ import annotations

from functools import lru_cache

from memory.write.slots import Understood, understood

MOST_READ = 2000


class Reader:
    """`understood`, which remembers the `most` memories that it read last; 0 remembers nothing.

    What it remembers is in this process alone and is written nowhere. Words cannot be taken out
    one by one, so whoever forgets or erases memories calls `clear`. Other processes that serve
    the same user drop them as they read others, or when they end.
    """

    def __init__(self, most: int = MOST_READ) -> None:
        self._most = most
        self.clear()

    def __call__(self, content: str) -> Understood:
        return self._read(content)

    def clear(self) -> None:
        """Drops everything; what is being read at this moment is not remembered either."""
        self._read = lru_cache(self._most)(understood)
