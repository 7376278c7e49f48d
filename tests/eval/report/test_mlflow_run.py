from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from eval.report import Report
from eval.results import CaseResult, Returned
from eval.tracking import log_run
from tests.tracking_store import copy_tracking_store


def _report() -> Report:
    found = (Returned("1", "a memory", 0.8, frozenset("1")),)
    case = CaseResult("c", "fact", "which?", frozenset("1"), found, 5.0)
    metrics = {"recall_at_5": 0.75, "turns": {"mrr": 0.5}, "precision_at_5": None}
    return Report("memory", {"min_relevance": 0.3}, metrics, {}, [], [case])


async def test_a_run_lies_in_sqlite_with_its_cases_under_the_home(
    run_folder: Path, tmp_path: Path
) -> None:
    database = tmp_path / "mlflow.db"
    run_id = await log_run(_report(), copy_tracking_store(run_folder, database), tmp_path)
    with sqlite3.connect(database) as connection:
        metrics = dict(
            connection.execute("SELECT key, value FROM metrics WHERE run_uuid = ?", [run_id])
        )
        params = dict(
            connection.execute("SELECT key, value FROM params WHERE run_uuid = ?", [run_id])
        )
        status = connection.execute("SELECT status FROM runs WHERE run_uuid = ?", [run_id])
        assert status.fetchone() == ("FINISHED",)
    connection.close()
    assert metrics == {"recall_at_5": 0.75, "turns.mrr": 0.5}
    assert params == {"dataset": "memory", "min_relevance": "0.3"}
    [cases] = (tmp_path / "mlflow-artifacts").rglob("cases.json")
    assert "a memory" in cases.read_text(encoding="utf-8")


async def test_a_store_that_cannot_be_opened_is_an_error_for_the_caller(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "such" / "folder" / "mlflow.db"
    missing.parent.parent.parent.write_text("a file", encoding="utf-8")
    with pytest.raises(Exception, match=r"(?s)."):
        await log_run(_report(), f"sqlite:///{missing}", tmp_path)
