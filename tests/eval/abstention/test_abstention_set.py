from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from eval.datasets.abstention import (
    AbstentionDataset,
    AbstentionResult,
    abstention_failures,
    abstention_metrics,
)
from eval.system import System
from tests.eval.conftest import HOPELESS, TINY, write_golden

HIDDEN: dict[str, Any] = {
    "id": "hidden-whales",
    "category": "nothing",
    "store": "sam",
    "types": ["decision"],
    "query": "Which whales did I photograph?",
    "expected_retrievals": [],
    "held_back": True,
}


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    folder = tmp_path / "golden"
    folder.mkdir()
    return write_golden(folder, copy.deepcopy(TINY) | {"cases": [*TINY["cases"], HIDDEN]})


def asked(*, answerable: bool, empty: bool, held_back: bool = False) -> AbstentionResult:
    return AbstentionResult("q", "c", answerable, empty, held_back)


def test_silence_is_right_where_nothing_answers_and_costs_where_something_does() -> None:
    figures = abstention_metrics(
        [
            asked(answerable=False, empty=True),
            asked(answerable=False, empty=False),
            asked(answerable=True, empty=True),
            *(asked(answerable=True, empty=False) for _ in range(3)),
        ]
    )
    assert (figures["unanswerable"], figures["abstained"]) == (2, 0.5)
    assert (figures["answerable"], figures["silenced"]) == (4, 0.25)
    assert figures["silenced_questions"] == 1


def test_where_there_is_no_question_there_is_no_share() -> None:
    figures = abstention_metrics([])
    assert figures["abstained"] is figures["silenced"] is figures["silenced_low"] is None


def test_both_mistakes_are_failures() -> None:
    found = abstention_failures(
        [
            asked(answerable=False, empty=False),
            asked(answerable=True, empty=True, held_back=True),
            asked(answerable=True, empty=False),
            asked(answerable=False, empty=True),
        ]
    )
    assert [(each.what, each.held_back) for each in found] == [
        ("nothing answers it", False),
        ("answerable, and came back empty", True),
    ]


async def test_what_is_held_back_is_told_as_a_total_alone(
    system: System, golden: Path, progress: Progress
) -> None:
    report = await AbstentionDataset(None, golden).run(system, progress)
    metrics = report.metrics
    assert (metrics["open.unanswerable"], metrics["held_back.unanswerable"]) == (1, 1)
    assert metrics["golden.abstained"] == 1.0
    assert "open: nothing" not in report.by_category
    assert not report.cases
    assert "beam.abstained" not in metrics
    assert report.passed


async def test_a_recall_that_is_always_silent_abstains_and_pays_for_it(
    system: System, tmp_path: Path, progress: Progress
) -> None:
    report = await AbstentionDataset(None, write_golden(tmp_path, HOPELESS)).run(system, progress)
    assert (report.metrics["golden.abstained"], report.metrics["golden.silenced"]) == (1.0, 1.0)
    assert report.failures is not None
    assert [each.id for each in report.failures.shown] == ["uv", "town"]


@pytest.mark.parametrize(("cut_off", "accuracy"), [(0.0, 0.0), (1.0, 1.0)])
async def test_beam_is_a_source_of_its_own(
    system: System, tiny_beam: Path, progress: Progress, cut_off: float, accuracy: float
) -> None:
    settings = system.settings.model_copy(update={"min_relevance": cut_off})
    chosen = AbstentionDataset(tiny_beam, write_golden(tiny_beam, TINY))
    report = await chosen.run(replace(system, settings=settings), progress)
    assert report.metrics["beam.unanswerable"] == report.metrics["beam.answerable"] > 0
    assert report.metrics["beam.abstained"] == accuracy
    assert report.metrics["beam.silenced"] == accuracy
    assert [check.value for check in report.checks if check.metric == "beam.abstained"] == [
        accuracy
    ]
