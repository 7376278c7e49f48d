"""Benchmarks by name."""

from __future__ import annotations

from eval.bench.recall import RecallBench
from eval.bench.writing import WritingBench
from eval.errors import WrongUsage

BENCHES: dict[str, type[RecallBench | WritingBench]] = {
    "recall": RecallBench,
    "writing": WritingBench,
}


def load_bench(name: str, items: int | None) -> RecallBench | WritingBench:
    """With as many memories as the benchmark has by itself unless `items` says so. Raises
    WrongUsage for a name that is none."""
    if name not in BENCHES:
        raise WrongUsage(reason=f"There is no benchmark {name}; take {' or '.join(BENCHES)}.")
    return BENCHES[name]() if items is None else BENCHES[name](items)
