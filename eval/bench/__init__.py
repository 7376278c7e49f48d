"""Benchmarks by name."""

from __future__ import annotations

from typing import TypeAlias

from eval.bench.backfill.bench import BackfillBench
from eval.bench.recall import RecallBench
from eval.bench.serving.bench import ServingBench, SoakBench
from eval.bench.writing import WritingBench
from eval.bench.years.bench import YearsBench
from eval.errors import WrongUsage

Bench: TypeAlias = (
    RecallBench | WritingBench | ServingBench | SoakBench | YearsBench | BackfillBench
)
BENCHES: dict[str, type[Bench]] = {
    "recall": RecallBench,
    "writing": WritingBench,
    "serving": ServingBench,
    "soak": SoakBench,
    "years": YearsBench,
    "backfill": BackfillBench,
}


def load_bench(name: str, items: int | None) -> Bench:
    """With as many memories as the benchmark has by itself unless `items` says so. Raises
    WrongUsage for a name that is none."""
    if name not in BENCHES:
        raise WrongUsage(reason=f"There is no benchmark {name}; take {' or '.join(BENCHES)}.")
    return BENCHES[name]() if items is None else BENCHES[name](items)
