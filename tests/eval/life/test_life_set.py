from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from eval.datasets.life import LifeDataset
from eval.datasets.life_scores import print_life_metrics
from eval.report import Report
from eval.system import System
from tests.eval.life.conftest import question, turn, write_life


def _share(report: Report, name: str) -> tuple[float | None, ...]:
    return tuple(report.metrics[f"{name}{end}"] for end in ("_count", "_of"))


def _rows(report: Report) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in map(json.loads, report.rows_as_lines().splitlines())}


async def test_every_figure_is_the_one_that_is_counted_by_hand(
    system: System, tmp_path: Path, ada: dict[str, Any], progress: Progress
) -> None:
    report = await LifeDataset(write_life(tmp_path, ada)).run(system, progress)
    assert _share(report, "present") == (2, 3)
    assert _share(report, "absent") == (1, 2)
    assert _share(report, "recall_at_5") == (1, 2)
    assert _share(report, "recall_where_kept") == (1, 1)
    assert _share(report, "silent") == (1, 1)
    assert _share(report, "current_first") == (0, 1)
    assert _share(report, "update_whole") == (0, 0)
    assert report.metrics["present"] == 2 / 3
    assert report.metrics["update_whole"] is None
    assert report.by_category["turn: chitchat"]["present"] == 1.0
    assert report.by_category["question: direct"]["recall_at_5_of"] == 1
    assert report.by_category["language: en"]["present_count"] == 2
    assert report.metrics["failed_turns"] == report.metrics["not_learned"] == 0
    assert report.passed


async def test_each_turn_and_question_tells_what_went_wrong(
    system: System, tmp_path: Path, ada: dict[str, Any], progress: Progress
) -> None:
    report = await LifeDataset(write_life(tmp_path, ada)).run(system, progress)
    rows = _rows(report)
    assert list(rows) == ["p1/t1", "p1/t2", "p1/q1", "p1/q2", "p1/q3"]
    [kept] = rows["p1/t1"]["added"]
    assert rows["p1/t1"]["missing"] == [["spelt"]]
    assert rows["p1/t1"]["standing"] == [{"words": ["rye bread"], "memory": kept}]
    assert rows["p1/t2"]["added"] == []
    assert rows["p1/q1"]["returned"] == [kept]
    assert rows["p1/q1"]["stale"] is True
    assert rows["p1/q2"]["kept"] is False
    file = tmp_path / "figures.json"
    report.write(file)
    assert (tmp_path / "figures.rows.jsonl").read_text(encoding="utf-8") == report.rows_as_lines()
    out = io.StringIO()
    print_life_metrics(Console(file=out, width=140), report)
    assert "2/3" in out.getvalue()


async def test_days_pass_for_the_program_and_for_the_database(
    system: System, tmp_path: Path, ada: dict[str, Any], progress: Progress
) -> None:
    ada["turns"] = [
        turn("t1", "2026-02-03", "fact", "I moved to Leeds last Friday.")
        | {"present": [["leeds", "30 january 2026"]]},
        turn("t2", "2026-05-04", "pin", "Remember that the boiler was serviced yesterday.")
        | {"present": [["boiler", "3 may 2026"]]},
        turn("t3", "2026-05-04", "question", "When was the boiler serviced?"),
    ]
    ada["questions"] = [
        question("t3", "2027-06-01", "time", "What happened in May last year?", want=[["boiler"]])
    ]
    report = await LifeDataset(write_life(tmp_path, ada)).run(system, progress)
    assert _share(report, "present") == (2, 2)
    assert _share(report, "recall_at_5") == (1, 1)
    assert "4 May 2026" in _rows(report)["p1/t3"]["reply"][0]


async def test_a_question_of_the_assistants_is_answered_once_with_yes(
    system: System, tmp_path: Path, ada: dict[str, Any], progress: Progress
) -> None:
    """Only after a kind that wants something done: a question in small talk stays open."""
    forget = turn("t2", "2026-02-04", "forget", "Forget what I said about rye bread.")
    ada["turns"][1:] = [forget | {"absent": [["rye"]]}]
    ada["questions"] = []
    chat = ada | {"turns": [ada["turns"][0], ada["turns"][1] | {"kind": "chitchat"}]}
    report = await LifeDataset(write_life(tmp_path, ada, chat)).run(system, progress)
    rows = _rows(report)
    assert [len(rows[name]["reply"]) for name in ("p1/t2", "p2/t2")] == [2, 1]
    assert rows["p1/t2"]["reply"][1].startswith("Forgotten")
    assert (rows["p1/t2"]["standing"], len(rows["p2/t2"]["standing"])) == ([], 1)
    assert _share(report, "forget_absent") == (1, 1)


async def test_what_was_forgotten_is_heard_again_after_its_day(
    system: System, tmp_path: Path, ada: dict[str, Any], progress: Progress
) -> None:
    bread = ada["turns"][0]["say"]
    ada["turns"][1:] = [
        turn("t2", "2026-02-04", "forget", "Forget what I said about rye bread."),
        turn("t3", "2026-02-04", "preference", bread, absent=[["rye"]]),
        turn("t4", "2026-02-07", "preference", bread, present=[["rye"]]),
    ]
    ada["questions"] = []
    rows = _rows(await LifeDataset(write_life(tmp_path, ada)).run(system, progress))
    assert (rows["p1/t3"]["standing"], rows["p1/t4"]["missing"]) == ([], [])


async def test_nobody_knows_what_another_one_said(
    system: System, tmp_path: Path, ada: dict[str, Any], progress: Progress
) -> None:
    other = ada | {
        "turns": [turn("t1", "2026-02-03", "chitchat", "Hello!") | {"absent": [["rye"]]}],
        "questions": [question("t1", "2026-02-03", "silent", "Which bread do I prefer?")],
    }
    other["questions"][0]["silent"] = True
    report = await LifeDataset(write_life(tmp_path, ada, other)).run(system, progress)
    assert _rows(report)["p2/q1"]["returned"] == []
    assert _share(report, "silent") == (2, 2)
