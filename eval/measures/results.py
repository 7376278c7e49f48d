"""What one question brought back, reduced to what the metrics need."""

from __future__ import annotations

from dataclasses import dataclass


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
