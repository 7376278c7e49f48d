"""A small set of tasks, and ways to change it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

MILK: dict[str, Any] = {
    "id": "milk",
    "kind": "preference",
    "told": [
        ["I drink my coffee with oat milk.", "I live in Bergen."],
        ["My sister Ingrid plays the harp."],
    ],
    "task": "Which milk should the café put in my coffee?",
    "needed": [["oat milk", "oats"]],
    "forbidden": ["harp"],
}


@pytest.fixture
def milk() -> dict[str, Any]:
    return copy.deepcopy(MILK)


def write_tasks(folder: Path, *tasks: dict[str, Any]) -> Path:
    (folder / "tasks.json").write_text(json.dumps({"tasks": tasks}), encoding="utf-8")
    return folder
