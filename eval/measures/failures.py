"""What an examined entry got wrong, told by id; of entries that are held back only how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Failure:
    """`what` says in words what is wrong, without the entry's own."""

    id: str
    category: str
    what: str
    held_back: bool = False


@dataclass(frozen=True)
class Failures:
    """The failures that may be read while developing, and the number of the others by category."""

    shown: tuple[Failure, ...]
    held_back: dict[str, int]

    @classmethod
    def of(cls, failures: Sequence[Failure]) -> Failures:
        hidden = Counter(failure.category for failure in failures if failure.held_back)
        shown = tuple(failure for failure in failures if not failure.held_back)
        return cls(shown, dict(sorted(hidden.items())))

    def tell(self) -> dict[str, Any]:
        """As JSON can hold it."""
        shown = [
            {"id": each.id, "category": each.category, "what": each.what} for each in self.shown
        ]
        return {"failures": shown, "held_back": self.held_back}
