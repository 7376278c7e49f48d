"""The data sets and benchmarks by name. One is imported when it is asked for: some take seconds to
import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Protocol, TypeAlias

from eval.errors import WrongUsage

if TYPE_CHECKING:
    from rich.progress import Progress

    from eval.bench.backfill import BackfillBench
    from eval.bench.ingestion import IngestionBench
    from eval.bench.reader import ReaderBench
    from eval.bench.recall import RecallBench
    from eval.bench.server import ServerBench, SoakBench
    from eval.bench.years import YearsBench
    from eval.datasets.commands import CommandsDataset
    from eval.report import Report
    from eval.system import System


class Dataset(Protocol):
    """A set that was read: a fault in it shows before any service is started."""

    async def run(self, system: System, progress: Progress) -> Report: ...


DATASETS = {
    "memory": "eval.datasets.golden:GoldenDataset",
    "locomo": "eval.datasets.evidence:LocomoDataset",
    "beam": "eval.datasets.evidence:BeamDataset",
    "commands": "eval.datasets.commands:CommandsDataset",
    "writing": "eval.datasets.ingestion:IngestionDataset",
    "outage": "eval.datasets.outage:OutageDataset",
    "assistant": "eval.datasets.assistant:AssistantDataset",
    "abstention": "eval.datasets.abstention:AbstentionDataset",
    "life": "eval.datasets.life:LifeDataset",
}


def load_dataset(
    name: str, folder: Path | None, limit: int | None = None
) -> Dataset | CommandsDataset:
    """Of life only the first `limit` people. Raises WrongUsage for a name that is none, for a path
    that is missing and for a limit of another set, and DatasetUnreadable."""
    if name not in DATASETS:
        raise WrongUsage(reason=f"There is no data set {name}; take {' or '.join(DATASETS)}.")
    if limit is not None and name != "life":
        raise WrongUsage(reason="--limit belongs to --dataset life.")
    read: Callable[..., Dataset | CommandsDataset] = resolve_name(DATASETS[name])
    return read(folder) if limit is None else read(folder, limit)


Bench: TypeAlias = (
    "RecallBench | ReaderBench | IngestionBench | ServerBench | SoakBench | YearsBench"
    " | BackfillBench"
)
BENCHES = {
    "recall": "eval.bench.recall:RecallBench",
    "reading": "eval.bench.reader:ReaderBench",
    "writing": "eval.bench.ingestion:IngestionBench",
    "serving": "eval.bench.server:ServerBench",
    "soak": "eval.bench.server:SoakBench",
    "years": "eval.bench.years:YearsBench",
    "backfill": "eval.bench.backfill:BackfillBench",
}


def load_bench(name: str, items: int | None) -> Bench:
    """With as many memories as the benchmark has by itself unless `items` says so. Raises
    WrongUsage for a name that is none."""
    if name not in BENCHES:
        raise WrongUsage(reason=f"There is no benchmark {name}; take {' or '.join(BENCHES)}.")
    bench: type[Bench] = resolve_name(BENCHES[name])
    return bench() if items is None else bench(items)
