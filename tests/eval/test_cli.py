from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from eval.runner import dispatch, main
from memory.local_services.services import ServiceAddresses
from tests.eval.commands.test_utterances import write_utterances
from tests.eval.conftest import HOPELESS, write_golden
from tests.in_process import run_in_process
from tests.tracking_store import copy_tracking_store

RIGHT = {
    "utterances": [
        {
            "id": "a",
            "text": "forget what I said about my sister",
            "command": "forget",
            "about": "my sister",
        },
        {"id": "b", "text": "I forgot my keys", "command": None, "about": None},
    ]
}


Evaluate: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(run_folder: Path, tmp_path: Path) -> Path:
    """A data folder whose notebook of runs is empty."""
    copy_tracking_store(run_folder, tmp_path / "home" / "mlflow.db")
    return tmp_path / "home"


@pytest.fixture
def run_eval(home: Path, tmp_path: Path) -> Evaluate:
    """Runs `python -m eval` on the services at these addresses."""

    def run(addresses: ServiceAddresses, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": os.environ["PATH"],
            "KEEPSAKE_HOME": str(home),
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
        }
        return run_in_process(main, *words, folder=tmp_path, environment=environment)

    return run


def runs_in(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / "mlflow.db")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM runs")]


def test_pass_ends_with_0_and_leaves_json_and_a_run(
    run_eval: Evaluate, services: ServiceAddresses, home: Path, tiny_golden: Path, tmp_path: Path
) -> None:
    figures = tmp_path / "figures.json"
    ended = run_eval(
        services, "--dataset", "memory", "--path", str(tiny_golden), "--json", str(figures)
    )
    assert ended.returncode == 0, ended.stderr
    assert "warning" not in ended.stderr
    assert ended.stdout.rstrip().endswith("PASS memory")
    assert json.loads(figures.read_text(encoding="utf-8"))["metrics"]["recall_at_5"] == 1.0
    assert runs_in(home) == ["memory"]


def test_commands_are_judged_without_any_service(
    run_eval: Evaluate, home: Path, tmp_path: Path
) -> None:
    nowhere = ServiceAddresses("postgresql://127.0.0.1:1/none", "redis://127.0.0.1:1")
    folder = write_utterances(tmp_path, RIGHT)
    ended = run_eval(nowhere, "--dataset", "commands", "--path", str(folder))
    assert ended.returncode == 0, ended.stderr
    assert "warning" not in ended.stderr
    assert ended.stdout.rstrip().endswith("PASS commands")
    [failures] = home.rglob("failures.json")
    assert json.loads(failures.read_text(encoding="utf-8")) == {"failures": [], "held_back": {}}


def test_fail_ends_with_1(run_eval: Evaluate, services: ServiceAddresses, tmp_path: Path) -> None:
    folder = write_golden(tmp_path, HOPELESS)
    ended = run_eval(services, "--dataset", "memory", "--path", str(folder))
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout.rstrip().endswith("FAIL memory: recall_at_5, precision_at_5")


WRONG: tuple[list[str], ...] = (
    [],
    ["--dataset", "memory", "--bench", "recall"],
    ["--dataset", "golden"],
    ["--dataset", "locomo"],
    ["--dataset", "memory", "--path", "/nowhere"],
    ["--dataset", "memory", "--json", "/nowhere/figures.json"],
    ["--dataset", "commands", "--path", "/nowhere"],
    ["--dataset", "writing", "--path", "/nowhere"],
    ["--dataset", "life", "--path", "/nowhere"],
    ["--dataset", "life", "--limit", "0"],
    ["--dataset", "commands", "--limit", "2"],
    ["--bench", "recall", "--limit", "2"],
    ["--bench", "write"],
    ["--bench", "recall", "--items", "many"],
    ["--bench", "recall", "--path", "/tmp"],
    ["--colour", "red"],
    ["calibrate", "--path", "/nowhere", "--more"],
)


def test_wrong_usage_is_one_line_and_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in WRONG:
        assert dispatch(list(arguments)) == 2, arguments
        out, err = capsys.readouterr()
        assert out == "", arguments
        assert err.count("\n") == 1, arguments


def test_help_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["--help"]) == 0
    assert "--dataset" in capsys.readouterr().out
