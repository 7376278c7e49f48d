"""Benchmarks by name."""

from __future__ import annotations

from eval.bench.recall import RecallBench
from eval.errors import WrongUsage

BENCHES = {"recall": RecallBench}


def load_bench(name: str, items: int) -> RecallBench:
    """Raises WrongUsage for a name that is none."""
    if name not in BENCHES:
        raise WrongUsage(reason=f"There is no benchmark {name}; take {' or '.join(BENCHES)}.")
    return BENCHES[name](items)
