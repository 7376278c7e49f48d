"""Leaves what keeps failing alone for a while (003, phase 6): a circuit breaker per dependency."""

from memory.guard.circuit import Circuit, Limits
from memory.guard.guard import Guard
from memory.guard.guards import Dependency, Guards
from memory.guard.shared import SharedCircuits

__all__ = ["Circuit", "Dependency", "Guard", "Guards", "Limits", "SharedCircuits"]
