from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.assistant_rules import load_tasks
from eval.errors import DatasetUnreadable
from tests.eval.assistant.conftest import write_tasks


def test_there_are_twenty_tasks_of_three_kinds() -> None:
    tasks = load_tasks().tasks
    assert Counter(task.kind for task in tasks) == {"preference": 7, "meeting": 7, "goal": 6}
    assert all(len(task.told) > 1 for task in tasks)


def test_a_task_may_not_tell_what_it_asks_for(tmp_path: Path, milk: dict[str, Any]) -> None:
    milk["task"] = "Shall I put oat milk into my coffee?"
    with pytest.raises(DatasetUnreadable, match="task milk: it tells 'oat milk' itself"):
        load_tasks(write_tasks(tmp_path, milk))


def test_a_task_may_not_ask_for_what_nobody_told(tmp_path: Path, milk: dict[str, Any]) -> None:
    milk["needed"].append(["soy"])
    with pytest.raises(DatasetUnreadable, match="nobody told 'soy'"):
        load_tasks(write_tasks(tmp_path, milk))


def test_ids_are_unique(tmp_path: Path, milk: dict[str, Any]) -> None:
    with pytest.raises(DatasetUnreadable, match="appear twice: milk"):
        load_tasks(write_tasks(tmp_path, milk, milk))
