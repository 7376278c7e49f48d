from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from agents.testing import ModelStep, ScriptedModel
from rich.progress import Progress

from agent.assistant import Assistant, make_assistant
from agent.models.offline import OfflineModel
from eval.datasets.assistant import AssistantDataset
from eval.datasets.assistant_judge import Judgement
from eval.datasets.outage import WithoutBothSearches
from eval.errors import DatasetUnreadable
from eval.registry import load_dataset
from eval.system import System
from memory.cache import Cache
from memory.config import Settings
from memory.factory import make_memory
from memory.service import MemoryService
from memory.store.database import Database
from tests.agent.scripts import answers_from, asks_memory, says
from tests.eval.assistant.conftest import write_tasks

OFFLINE_TOLD = 3


class Stern:
    """Judges a reply by whether it names oats, and fails on the first one."""

    def __init__(self) -> None:
        self.heard: list[Sequence[str]] = []

    async def judge(
        self,
        task: str,
        reply: str,
        *,
        facts: Sequence[str],
        forbidden: Sequence[str],
        recalled: Sequence[str],
    ) -> Judgement:
        self.heard.append(recalled)
        if facts != ["oat milk or oats"]:
            raise RuntimeError
        knows = "oat" in reply
        return Judgement(solves=knows, cites=knows, invents=False, why="")


def scripted(*steps: Any) -> Callable[[Settings, MemoryService, Cache], Assistant]:
    def make(settings: Settings, memory: MemoryService, cache: Cache) -> Assistant:
        return make_assistant(ScriptedModel(list(steps)), settings, memory, cache)

    return make


@pytest.fixture
def tasks(tmp_path: Path, milk: dict[str, Any]) -> Path:
    return write_tasks(tmp_path, milk)


@pytest.fixture
async def lame(database_url: str) -> AsyncIterator[Database]:
    opened = await WithoutBothSearches.open(database_url)
    yield opened
    await opened.close()


async def test_the_offline_assistant_needs_its_memory(
    system: System, tasks: Path, progress: Progress
) -> None:
    report = await AssistantDataset(tasks).run(system, progress)
    metrics = report.metrics
    assert (metrics["success_with"], metrics["success_without"]) == (1.0, 0.0)
    assert metrics["difference"] == metrics["citation_accuracy"] == 1.0
    assert (metrics["recalled_while_off"], metrics["invented_without"]) == (0, 0)
    assert (metrics["failed_turns"], metrics["memories_kept"]) == (0, 3)
    assert report.settings["model"] == "offline"
    assert report.settings["judge"] == "rules"
    assert report.by_category["preference"]["tasks"] == 1
    assert "judged_with" not in metrics
    assert report.passed


async def test_an_assistant_that_invents_while_memory_is_off_fails(
    system: System, tasks: Path, progress: Progress
) -> None:
    told = [says("All right.")] * OFFLINE_TOLD
    make = scripted(
        *told,
        says("You told me that you like oat milk."),
        asks_memory("milk in coffee"),
        answers_from(lambda given: f"You told me: “{given['memories'][0]['content']}”"),
    )
    report = await AssistantDataset(tasks, make).run(system, progress)
    assert report.metrics["invented_without"] == 1
    assert report.metrics["difference"] == 0.0
    assert not report.passed
    assert report.failures is not None
    [failure] = report.failures.shown
    assert failure.what == "solved without memory; invents while memory is off"


async def test_an_assistant_that_does_not_say_how_it_knows_fails(
    system: System, tasks: Path, progress: Progress
) -> None:
    told = [says("All right.")] * OFFLINE_TOLD
    make = scripted(*told, says("No idea."), asks_memory("milk in coffee"), says("Oat milk."))
    report = await AssistantDataset(tasks, make).run(system, progress)
    assert report.metrics["success_with"] == 1.0
    assert report.metrics["citation_accuracy"] == 0.0
    assert not report.passed


async def test_a_turn_that_fails_is_counted(
    system: System, tasks: Path, progress: Progress
) -> None:
    told = [says("All right.")] * OFFLINE_TOLD
    make = scripted(*told, says("No idea."), ModelStep.raise_error(RuntimeError("gone")))
    report = await AssistantDataset(tasks, make).run(system, progress)
    assert report.metrics["failed_turns"] == 1
    assert report.metrics["success_with"] == 0.0
    assert not report.passed


async def test_a_recall_that_fails_is_no_measurement(
    system: System, tasks: Path, progress: Progress, lame: Database
) -> None:
    def make(settings: Settings, memory: MemoryService, cache: Cache) -> Assistant:
        unread = make_memory(lame, system.embedder, cache, system.counter, settings)
        return make_assistant(OfflineModel(), settings, unread, cache)

    report = await AssistantDataset(tasks, make).run(system, progress)
    assert report.metrics["failed_turns"] >= 1
    assert not report.passed
    assert report.failures is not None
    [failure] = report.failures.shown
    assert failure.what.startswith("memory could not be read")


async def test_a_second_judge_is_told_beside_the_rules(
    system: System, tasks: Path, progress: Progress
) -> None:
    second = Stern()
    report = await AssistantDataset(tasks, second=second).run(system, progress)
    metrics = report.metrics
    assert (metrics["judged_with"], metrics["judged_without"]) == (1.0, 0.0)
    assert metrics["judged_difference"] == metrics["judged_citations"] == 1.0
    assert (metrics["judges_agree"], metrics["not_judged"]) == (1.0, 0)
    assert report.settings["judge"] == "Stern"
    without, with_memory = second.heard
    assert not without
    assert with_memory


async def test_a_judge_that_fails_judges_nothing(
    system: System, tmp_path: Path, milk: dict[str, Any], progress: Progress
) -> None:
    milk["needed"] = [["oat"]]
    report = await AssistantDataset(write_tasks(tmp_path, milk), second=Stern()).run(
        system, progress
    )
    assert report.metrics["not_judged"] == 2
    assert report.metrics["judged_with"] is None
    assert report.passed


def test_it_can_be_run_by_name(tasks: Path) -> None:
    assert isinstance(load_dataset("assistant", tasks), AssistantDataset)
    with pytest.raises(DatasetUnreadable):
        load_dataset("assistant", tasks / "nowhere")
