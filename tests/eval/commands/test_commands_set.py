from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from agent.commands.parser import Command
from eval.datasets.commands import CommandsDataset
from eval.report import print_entry_failures
from tests.eval.commands.test_utterances import write_utterances

FORGET = {"id": "forget", "text": "forget my sister", "command": "forget", "about": "my sister"}
REMEMBER: dict[str, Any] = {
    "id": "remember",
    "text": "remember that I ski",
    "command": "remember",
    "about": "that I ski",
}
PIN: dict[str, Any] = {"id": "pin", "text": "pin it", "command": "pin", "about": None}
TRAP: dict[str, Any] = {"id": "trap", "text": "I forgot my keys", "command": None, "about": None}
OTHER_TRAP: dict[str, Any] = TRAP | {"id": "other", "text": "Pins and needles"}

RIGHT = {
    "forget my sister": Command("forget", about="my sister"),
    "remember that I ski": Command("remember", text="I ski"),
    "pin it": Command("pin"),
}


def _measure(
    folder: Path, understood: dict[str, Command], *utterances: dict[str, Any]
) -> dict[str, Any]:
    whole = {"utterances": list(utterances)}

    def hear(text: str) -> list[Command]:
        return [understood[text]] if text in understood else []

    report = CommandsDataset(write_utterances(folder, whole), hear).measure()
    return {"report": report, **report.metrics}


def test_what_is_right_passes(tmp_path: Path) -> None:
    told = _measure(tmp_path, RIGHT, FORGET, REMEMBER, PIN, TRAP)
    assert (told["precision"], told["recall"], told["object_accuracy"]) == (1.0, 1.0, 1.0)
    assert told["report"].passed
    assert told["report"].failures.shown == ()


def test_a_wrong_name_counts_against_both(tmp_path: Path) -> None:
    told = _measure(tmp_path, RIGHT | {"pin it": Command("unpin")}, FORGET, PIN)
    assert (told["precision"], told["recall"], told["wrong_names"]) == (0.5, 0.5, 1)
    assert not told["report"].passed


def test_an_obeyed_trap_costs_precision_alone_and_a_missed_command_recall_alone(
    tmp_path: Path,
) -> None:
    obeyed = _measure(tmp_path, RIGHT | {TRAP["text"]: Command("forget")}, FORGET, TRAP)
    assert (obeyed["precision"], obeyed["recall"], obeyed["traps_obeyed"]) == (0.5, 1.0, 1)
    missed = _measure(tmp_path, {PIN["text"]: Command("pin")}, FORGET, PIN)
    assert (missed["precision"], missed["recall"], missed["missed"]) == (1.0, 0.5, 1)


@pytest.mark.parametrize(
    "command",
    [Command("remember", text="I swim"), Command("remember"), Command("remember", about="I ski")],
)
def test_another_object_is_told_apart(tmp_path: Path, command: Command) -> None:
    told = _measure(tmp_path, RIGHT | {REMEMBER["text"]: command}, FORGET, REMEMBER)
    assert (told["recall"], told["object_accuracy"]) == (1.0, 0.5)
    assert [each.what for each in told["report"].failures.shown] == ["another object"]


def test_every_command_has_its_row(tmp_path: Path) -> None:
    understood = RIGHT | {OTHER_TRAP["text"]: Command("pin")}
    rows = _measure(tmp_path, understood, FORGET, PIN, TRAP, OTHER_TRAP)["report"].by_category
    assert rows["pin"]["precision"] == 0.5
    assert rows["pin"]["recall"] == 1.0
    assert rows["trap"]["recall"] == 0.5
    assert rows["forget"]["object_accuracy"] == 1.0
    assert rows["pin"]["held_back_recall"] is None


def test_of_what_is_held_back_only_the_number_of_failures_is_told(tmp_path: Path) -> None:
    hidden = {**FORGET, "id": "hidden", "held_back": True}
    report = _measure(tmp_path, {}, FORGET, hidden)["report"]
    assert report.metrics["open"]["missed"] == report.metrics["held_back"]["missed"] == 1
    out = io.StringIO()
    print_entry_failures(Console(file=out, width=140), report.failures)
    told = out.getvalue() + json.dumps(report.failures.tell())
    assert "not recognised" in told
    assert report.failures.held_back == {"forget": 1}
    assert "hidden" not in told
