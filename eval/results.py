"""What one question brought back, reduced to what the metrics need, and what an entry got wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Returned:
    """One recalled memory. `covers` names the pieces of evidence that it holds: its own id where
    memories are expected by name, turn ids where it rests on turns."""

    item_id: str
    content: str
    relevance: float
    covers: frozenset[str]


@dataclass(frozen=True)
class CaseResult:
    """`wanted` is the stored evidence that answers the question, empty where nothing does;
    `unreachable` counts the evidence that no stored memory holds.

    `forbidden` and `foreign` count returned memories that must not come back, and
    returned memories of another user. `latency_ms` is the whole recall. What is
    `held_back` is counted and never shown.
    """

    id: str
    category: str
    query: str
    wanted: frozenset[str]
    returned: tuple[Returned, ...]
    latency_ms: float
    degraded: bool = False
    failed: bool = False
    within_budget: bool = True
    forbidden: int = 0
    foreign: int = 0
    missing: tuple[str, ...] = ()
    unreachable: int = 0
    held_back: bool = False

    @property
    def covered(self) -> list[frozenset[str]]:
        """By rank, best first, the wanted evidence that each returned memory holds."""
        return [item.covers & self.wanted for item in self.returned]

    def above(self, score: float) -> list[frozenset[str]]:
        """`covered`, cut where the relevance falls below `score`."""
        return [item.covers & self.wanted for item in self.returned if item.relevance >= score]


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
