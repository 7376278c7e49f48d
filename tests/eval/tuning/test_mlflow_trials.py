from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from eval.tuning.trials import METRIC_NAMES, PARENT_TAG, Trials, log_trials
from tests.tracking_store import copy_tracking_store


async def test_each_setting_is_a_run_below_the_sweep(run_folder: Path, tmp_path: Path) -> None:
    columns = {name: np.array([[0.5, 1.0]]) for name in METRIC_NAMES}
    one = {name: column[:, :1] for name, column in columns.items()}
    trials = [Trials("golden", ["c"], one), Trials("locomo turns", ["a", "b"], columns)]
    plot = tmp_path / "plot.png"
    plot.write_bytes(b"png")
    database = tmp_path / "mlflow.db"
    parent = await log_trials(
        "sweep",
        trials,
        lambda tried: {"tried": tried},
        files=[plot],
        tracking_uri=copy_tracking_store(run_folder, database),
        home=tmp_path,
    )
    with closing(sqlite3.connect(database)) as connection:
        children = connection.execute(
            "SELECT run_uuid FROM tags WHERE key = ? AND value = ?", [PARENT_TAG, parent]
        ).fetchall()
        tried = {
            connection.execute(
                "SELECT p.value, m.key, m.value FROM params p JOIN metrics m USING (run_uuid) "
                "WHERE p.run_uuid = ? AND p.key = 'tried' AND m.key LIKE '%.f1'",
                child,
            ).fetchone()
            for child in children
        }
    assert tried == {
        ("a", "locomo_turns.f1", 0.5),
        ("b", "locomo_turns.f1", 1.0),
        ("c", "golden.f1", 0.5),
    }
    assert [kept.read_bytes() for kept in (tmp_path / "mlflow-artifacts").rglob("plot.png")] == [
        b"png"
    ]
