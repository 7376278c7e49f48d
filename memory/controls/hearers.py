"""Who in this process holds words of its own, and drops them when they are forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

Hearer: TypeAlias = Callable[[str, UUID | None], None]
"""Is called with the user, and with the turn that had it forgotten where one did."""


class Hearers:
    """Told of whatever is forgotten or erased in this process, through which door it may come."""

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []

    def add(self, hearer: Hearer) -> None:
        self._hearers.append(hearer)

    def tell(self, user_id: str, turn_id: UUID | None = None) -> None:
        for hearer in self._hearers:
            hearer(user_id, turn_id)
