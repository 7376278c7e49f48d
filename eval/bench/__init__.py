"""Benchmarks by name. One is imported when it is asked for: some take seconds to import."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, TypeAlias

from eval.errors import WrongUsage

if TYPE_CHECKING:
    from eval.bench.backfill.bench import BackfillBench
    from eval.bench.reading import ReadingBench
    from eval.bench.recall import RecallBench
    from eval.bench.serving.bench import ServingBench, SoakBench
    from eval.bench.writing import WritingBench
    from eval.bench.years.bench import YearsBench

Bench: TypeAlias = (
    "RecallBench | ReadingBench | WritingBench | ServingBench | SoakBench | YearsBench"
    " | BackfillBench"
)
BENCHES = {
    "recall": "eval.bench.recall:RecallBench",
    "reading": "eval.bench.reading:ReadingBench",
    "writing": "eval.bench.writing:WritingBench",
    "serving": "eval.bench.serving.bench:ServingBench",
    "soak": "eval.bench.serving.bench:SoakBench",
    "years": "eval.bench.years.bench:YearsBench",
    "backfill": "eval.bench.backfill.bench:BackfillBench",
}


def load_bench(name: str, items: int | None) -> Bench:
    """With as many memories as the benchmark has by itself unless `items` says so. Raises
    WrongUsage for a name that is none."""
    if name not in BENCHES:
        raise WrongUsage(reason=f"There is no benchmark {name}; take {' or '.join(BENCHES)}.")
    bench: type[Bench] = resolve_name(BENCHES[name])
    return bench() if items is None else bench(items)
