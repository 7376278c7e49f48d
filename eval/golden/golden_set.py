"""The golden set as a data set that is run by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.progress import Progress

from eval.golden.cases import FOLDER, NOW, load_golden
from eval.golden.faults import count_faulty
from eval.golden.figures import answer_intervals, golden_figures
from eval.golden.run import GoldenRun
from eval.measures import checks
from eval.measures.summary import answer_figures, by_category
from eval.report.report import Report, both_ways, describe
from eval.system import System


class MemorySet:
    """The golden set, cut as shipped, against the thresholds of specification 001."""

    def __init__(self, folder: Path | None) -> None:
        self._golden = load_golden(folder or FOLDER)

    async def run(self, system: System, progress: Progress) -> Report:
        results = await GoldenRun(system, self._golden).run(progress)
        parted = {
            "open": [case for case in results if not case.held_back],
            "held_back": [case for case in results if case.held_back],
        }
        held_back = checks.GOLDEN_HELD_BACK if parted["held_back"] else ()
        bounds = (*checks.GOLDEN, *held_back)
        metrics: dict[str, Any] = {
            **golden_figures(results),
            **both_ways({part: answer_intervals(cases) for part, cases in parted.items()}),
        }
        return Report(
            dataset="memory",
            settings=describe(system, now=NOW.isoformat(), version=self._golden.version),
            metrics=metrics,
            by_category=by_category(results, answer_figures),
            checks=checks.check(metrics, bounds),
            cases=parted["open"],
            held_back=count_faulty(parted["held_back"]),
        )
