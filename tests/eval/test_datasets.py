from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.progress import Progress

from eval.datasets import BeamSet, LocomoSet, load_dataset
from eval.errors import WrongUsage
from eval.system import System


async def test_locomo_tells_turns_and_observations_both_ways(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    report = await LocomoSet(tiny_locomo).run(system, progress)
    metrics = report.metrics
    assert metrics["turns.recall_at_5"] == metrics["turns"]["recall_at_5"] == 1.0
    assert metrics["turns.cases"] == 2
    assert report.by_category["adversarial"]["turns.cases"] == 1
    assert report.passed


async def test_evidence_in_no_observation_counts_in_the_stricter_figure_only(
    system: System, tiny_locomo: Path, progress: Progress
) -> None:
    metrics = (await LocomoSet(tiny_locomo).run(system, progress)).metrics
    assert metrics["observations.recall_at_5"] == 1.0
    assert metrics["observations.recall_at_5_all_evidence"] == 0.5
    assert metrics["turns.recall_at_5_all_evidence"] == 1.0


@pytest.mark.parametrize(("cut_off", "accuracy"), [(0.0, 0.0), (1.0, 1.0)])
async def test_beam_reports_abstention_apart(
    system: System, tiny_beam: Path, progress: Progress, cut_off: float, accuracy: float
) -> None:
    settings = system.settings.model_copy(update={"min_relevance": cut_off})
    report = await BeamSet(tiny_beam).run(replace(system, settings=settings), progress)
    assert report.metrics["cases"] == 1
    assert report.metrics["recall_at_5"] == 1.0
    assert report.metrics["no_answer_accuracy"] == accuracy
    assert report.settings["messages_cut"] == 1
    # The ranking itself is whole: the cut-off is applied to it afterwards.
    abstained = next(case for case in report.cases if case.category == "abstention")
    assert abstained.returned


def test_wrong_usage_is_said_before_anything_starts() -> None:
    with pytest.raises(WrongUsage, match="no data set golden"):
        load_dataset("golden", None)
    with pytest.raises(WrongUsage, match="needs --path"):
        load_dataset("beam", None)
