from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from rich.progress import Progress

from eval.datasets.outage import OUTAGES, OutageDataset
from eval.system import System
from tests.eval.conftest import HOPELESS, NEW_TOWN, TINY, write_golden

HELD_BACK: dict[str, Any] = {
    "id": "hidden",
    "category": "time",
    "store": "sam",
    "query": "In which town do I live?",
    "expected_retrievals": [NEW_TOWN],
    "held_back": True,
}


async def test_every_outage_leaves_what_it_may(
    system: System, tmp_path: Path, progress: Progress
) -> None:
    golden = copy.deepcopy(TINY)
    golden["cases"].append(HELD_BACK)
    report = await OutageDataset(write_golden(tmp_path, golden)).run(system, progress)
    metrics = report.metrics
    assert list(report.by_category) == ["whole", *(outage.name for outage in OUTAGES)]
    assert metrics["whole.recall_at_5"] == metrics["whole.of_whole_recall"] == 1.0
    assert metrics["vector.recalls"] == len(TINY["cases"]), "what is held back is not asked"
    for name in ("vector", "keyword", "embedder", "late_embedder"):
        assert metrics[f"{name}.flags_right"] == metrics[f"{name}.answered"] == 1.0
        assert metrics[f"{name}.recall_at_5"] > 0
    assert (metrics["redis.changed"], metrics["redis.flags_right"]) == (0, 1.0)
    assert (metrics["both.empty"], metrics["both.answered"], metrics["both.raised"]) == (1, 0, 0)
    assert metrics["both.flags_right"] == 1.0
    assert report.failures is not None
    assert not report.failures.shown
    assert report.passed


async def test_a_recall_that_finds_nothing_in_an_outage_fails(
    system: System, tmp_path: Path, progress: Progress
) -> None:
    report = await OutageDataset(write_golden(tmp_path, HOPELESS)).run(system, progress)
    assert report.metrics["both.flags_right"] == 1.0
    assert not report.passed
