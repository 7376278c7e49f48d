"""The data sets that can be run by name. One is imported when it is asked for: those that need the
assistant take seconds to import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from eval.errors import WrongUsage

if TYPE_CHECKING:
    from rich.progress import Progress

    from eval.report.report import Report
    from eval.system import System


class Dataset(Protocol):
    """A set that was read: a fault in it shows before any service is started."""

    async def run(self, system: System, progress: Progress) -> Report: ...


@runtime_checkable
class AloneSet(Protocol):
    """A set that needs no service."""

    def measure(self) -> Report: ...


DATASETS = {
    "memory": "eval.golden.golden_set:MemorySet",
    "locomo": "eval.evidence.evidence_sets:LocomoSet",
    "beam": "eval.evidence.evidence_sets:BeamSet",
    "commands": "eval.commands.commands_set:CommandsSet",
    "writing": "eval.writing.writing_set:WritingSet",
    "outage": "eval.outage.outage_set:OutageSet",
    "assistant": "eval.assistant.assistant_set:AssistantSet",
    "abstention": "eval.abstention.abstention_set:AbstentionSet",
    "life": "eval.life.life_set:LifeSet",
    "segments": "eval.segments.segments_set:SegmentsSet",
}


def load_dataset(name: str, folder: Path | None, limit: int | None = None) -> Dataset | AloneSet:
    """Of life only the first `limit` people. Raises WrongUsage for a name that is none, for a path
    that is missing and for a limit of another set, and DatasetUnreadable."""
    if name not in DATASETS:
        raise WrongUsage(reason=f"There is no data set {name}; take {' or '.join(DATASETS)}.")
    if limit is not None and name != "life":
        raise WrongUsage(reason="--limit belongs to --dataset life.")
    read: Callable[..., Dataset | AloneSet] = resolve_name(DATASETS[name])
    return read(folder) if limit is None else read(folder, limit)
