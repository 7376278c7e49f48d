"""Who puts a summary into words, where it is not done by extraction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Summariser(Protocol):
    """May raise whatever its model raises: the sentences of the sources are taken then."""

    async def summarise(self, memories: Sequence[str]) -> str:
        """One paragraph that says what the memories say."""
