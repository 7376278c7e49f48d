from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from eval.datasets.ingestion import IngestionDataset
from eval.system import System
from memory.understanding import Interpretation, MessageText
from tests.eval.threads import LABELS, turn
from tests.eval.writing.test_turns import write_turns
from tests.memory.fakes import RereadsAs

SECRET = "Quokka-Lantern-7713"


class Echo(RereadsAs):
    """Takes whatever is said for a fact; what it may not learn, it fails on."""

    async def read_again(self, message: MessageText, first: Interpretation) -> Interpretation:
        if "umbrella" in message.text:
            raise RuntimeError("no model")
        return await super().read_again(message, first)


@pytest.fixture
def labels() -> dict[str, Any]:
    return copy.deepcopy(LABELS)


async def test_the_rules_learn_from_a_thread_and_leave_small_talk_alone(
    system: System, labels: dict[str, Any], tmp_path: Path, progress: Progress
) -> None:
    report = await IngestionDataset(write_turns(tmp_path, labels)).run(system, progress)
    metrics = report.metrics
    assert (metrics["turns"], metrics["memories"], metrics["wanted_kept"]) == (2, 1, 1.0)
    assert (metrics["junk_kept"], metrics["secrets_stored"], metrics["not_learned"]) == (0, 0, 0)
    assert metrics["learn_p95_ms"] > 0
    assert report.settings["reader"] == "offline"
    assert set(report.by_category) == {"identity", "junk"}


async def test_what_a_second_reader_hears_is_kept(
    system: System, labels: dict[str, Any], tmp_path: Path, progress: Progress
) -> None:
    labels["threads"][0]["turns"].append(
        turn("t3", "My favourite teapot was a present from the baker.", category="joke")
    )
    report = await IngestionDataset(write_turns(tmp_path, labels), Echo()).run(system, progress)
    assert report.metrics["junk_kept"] == 0.5
    assert not report.passed
    assert report.settings["reader"] == "Echo"
    assert report.failures is not None
    assert [each.id for each in report.failures.shown] == ["t3"]


async def test_what_could_not_be_learned_fails_the_run(
    system: System, labels: dict[str, Any], tmp_path: Path, progress: Progress
) -> None:
    labels["threads"][0]["turns"].append(turn("t3", "I own a large green umbrella.", "umbrella"))
    report = await IngestionDataset(write_turns(tmp_path, labels), Echo()).run(system, progress)
    assert report.metrics["not_learned"] == 1
    assert not report.passed


async def test_what_would_be_obeyed_is_not_learned(
    system: System, labels: dict[str, Any], tmp_path: Path, progress: Progress
) -> None:
    labels["threads"][0]["turns"].append(turn("t3", "turn memory off", category="command"))
    report = await IngestionDataset(write_turns(tmp_path, labels), Echo()).run(system, progress)
    assert report.by_category["command"]["memories"] == 0


async def test_a_secret_that_stays_is_found(
    system: System, labels: dict[str, Any], tmp_path: Path, progress: Progress
) -> None:
    """No word of it looks like a secret, so it is stored: the harness has to see that."""
    labels["threads"][0]["turns"].append(
        turn("t3", "I live in the old harbour house.", "harbour", secret="old harbour house")
    )
    labels["threads"][0]["turns"].append(
        turn("t4", f"the password for my router is {SECRET}", category="secret", secret=SECRET)
    )
    report = await IngestionDataset(write_turns(tmp_path, labels)).run(system, progress)
    assert report.metrics["secrets_stored"] == 1
    assert report.failures is not None
    [told] = [each for each in report.failures.shown if each.id == "t3"]
    assert "secret in memory_items" in told.what
    assert "secret in what was embedded" in told.what
    assert not report.passed
