"""The outages as a data set of its own: run, counted and held against its bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.progress import Progress

from eval.golden.cases import FOLDER, NOW, load_golden
from eval.measures import checks
from eval.measures.failures import Failures
from eval.outage.figures import all_figures, failures_of
from eval.outage.outages import LATE_SECONDS, OUTAGES
from eval.outage.run import OutageRun
from eval.report.report import Report, both_ways, describe
from eval.system import System


class OutageSet:
    """The open cases of the golden set under each outage; what is held back stays so."""

    def __init__(self, folder: Path | None) -> None:
        self._golden = load_golden(folder or FOLDER)

    async def run(self, system: System, progress: Progress) -> Report:
        answers = await OutageRun(system, self._golden).run(progress)
        figures = all_figures(answers, OUTAGES)
        metrics: dict[str, Any] = both_ways(figures)
        return Report(
            dataset="outage",
            settings=describe(
                system,
                now=NOW.isoformat(),
                version=self._golden.version,
                late_embedder_seconds=LATE_SECONDS,
            ),
            metrics=metrics,
            by_category=dict(figures),
            checks=checks.check(metrics, checks.OUTAGE),
            failures=Failures.of(failures_of(answers, OUTAGES)),
        )
