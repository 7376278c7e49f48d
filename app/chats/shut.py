"""Where no turn begins for now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from memory.errors import BeingErased, TurnUnderWay


class Shut:
    """Conversations that are being deleted, and users who are being erased; each by several at
    once."""

    def __init__(self) -> None:
        self._shut: Counter[tuple[str, UUID | None]] = Counter()

    @contextmanager
    def shut(self, user_id: str, conversation_id: UUID | None = None) -> Iterator[None]:
        """Without an id, all of the user's."""
        place = (user_id, conversation_id)
        self._shut[place] += 1
        try:
            yield
        finally:
            self._shut[place] -= 1
            self._shut += Counter()  # without what is zero

    def refuse(self, user_id: str, conversation_id: UUID) -> None:
        """Raises BeingErased and TurnUnderWay."""
        if (user_id, None) in self._shut:
            raise BeingErased
        if (user_id, conversation_id) in self._shut:
            raise TurnUnderWay
