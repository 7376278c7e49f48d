"""One run on paper: its figures, the JSON of them, and the cases behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from eval.errors import ReportNotWritten
from eval.measures.checks import Check, passes
from eval.measures.failures import Failures
from eval.measures.results import CaseResult
from eval.system import System
from memory.recall.search.relevance import DEFAULT, load_calibration


@dataclass(frozen=True)
class Report:
    """`metrics` may nest one level; `flat` gives every figure a name of its own. `failures` belong
    to the sets whose entries are told by id alone; the others tell their cases, without those
    held back: of these `held_back` counts the faulty ones by category. `rows` are what happened,
    one after the other, as JSON can hold it."""

    dataset: str
    settings: dict[str, Any]
    metrics: dict[str, Any]
    by_category: dict[str, dict[str, Any]]
    checks: list[Check]
    cases: list[CaseResult] = field(default_factory=list)
    failures: Failures | None = None
    held_back: dict[str, int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return passes(self.checks)

    def as_json(self) -> str:
        """dataset, settings, metrics and by_category, and nothing else."""
        told = {
            "dataset": self.dataset,
            "settings": self.settings,
            "metrics": self.metrics,
            "by_category": self.by_category,
        }
        return json.dumps(told, indent=2, ensure_ascii=False) + "\n"

    def flat(self) -> dict[str, float]:
        """Every figure that was measured, nested ones under `group.name`."""
        return {
            name: float(value)
            for name, value in flattened(self.metrics).items()
            if isinstance(value, int | float)
        }

    def rows_as_lines(self) -> str:
        """A line of JSON for each row."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)

    def write(self, path: Path) -> None:
        """The figures, and where there are rows those beside them: figures.json and
        figures.rows.jsonl. Raises ReportNotWritten."""
        try:
            path.write_text(self.as_json(), encoding="utf-8")
            if self.rows:
                beside = path.with_suffix(".rows.jsonl")
                beside.write_text(self.rows_as_lines(), encoding="utf-8")
        except OSError as error:
            raise ReportNotWritten(path=path, reason=error.strerror or str(error)) from error


def flattened(groups: Mapping[str, Any]) -> dict[str, Any]:
    """`{"a": {"b": 1}}` → `{"a.b": 1}`; what is not nested keeps its name."""
    flat: dict[str, Any] = {}
    for name, value in groups.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": each for inner, each in value.items()}
        else:
            flat[name] = value
    return flat


def both_ways(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The groups as they are and, beside them, each figure under `group.name`."""
    return {**groups, **flattened(groups)}


def describe(system: System, **more: Any) -> dict[str, Any]:
    """The settings that a figure depends on; `calibrated` says whether the relevance model was
    fitted for this embedding model or is the one for any."""
    settings = system.settings
    return {
        "embedding_model": system.model.name,
        "embedding_dimensions": system.model.dimensions,
        "calibrated": load_calibration(system.model.name) != DEFAULT,
        "min_relevance": settings.min_relevance,
        "token_budget": settings.token_budget,
        "max_results": settings.max_results,
        **more,
    }


def tell_cases(results: Sequence[CaseResult]) -> list[dict[str, Any]]:
    """The results as JSON can hold them."""
    return [
        asdict(case)
        | {
            "wanted": sorted(case.wanted),
            "returned": [
                {"id": item.item_id, "content": item.content, "relevance": item.relevance}
                | {"hit": bool(item.covers & case.wanted)}
                for item in case.returned
            ],
        }
        for case in results
    ]
