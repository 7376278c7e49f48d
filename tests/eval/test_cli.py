from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from eval.runner import dispatch
from memory.local_services.services import ServiceAddresses
from tests.eval.commands.test_utterances import write_utterances
from tests.eval.conftest import HOPELESS, write_golden

Evaluates: TypeAlias = Callable[..., Awaitable[tuple[int, str, str]]]

TIMEOUT = 120
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


@pytest.fixture
def run_eval() -> Evaluates:
    """Runs `python -m eval` in a process of its own."""

    async def run(addresses: ServiceAddresses, home: Path, *arguments: str) -> tuple[int, str, str]:
        environment = {
            "PATH": os.environ["PATH"],
            "KEEPSAKE_HOME": str(home),
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "eval", *arguments),
            env=environment,
            cwd=Path(__file__).parents[2],
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(TIMEOUT):
            out, err = await process.communicate()
        return process.returncode or 0, out.decode(), err.decode()

    return run


async def test_pass_ends_with_0_and_leaves_json_and_a_run(
    run_eval: Evaluates, services: ServiceAddresses, tiny_golden: Path, tmp_path: Path
) -> None:
    figures, home = tmp_path / "figures.json", tmp_path / "home"
    code, out, err = await run_eval(
        services, home, "--dataset", "memory", "--path", str(tiny_golden), "--json", str(figures)
    )
    assert code == 0, err
    assert "warning" not in err
    assert out.rstrip().endswith("PASS memory")
    assert json.loads(figures.read_text(encoding="utf-8"))["metrics"]["recall_at_5"] == 1.0
    assert (home / "mlflow.db").is_file()


async def test_commands_are_judged_without_any_service(run_eval: Evaluates, tmp_path: Path) -> None:
    home = tmp_path / "home"
    nowhere = ServiceAddresses("postgresql://127.0.0.1:1/none", "redis://127.0.0.1:1")
    folder = write_utterances(tmp_path, RIGHT)
    code, out, err = await run_eval(nowhere, home, "--dataset", "commands", "--path", str(folder))
    assert code == 0, err
    assert "warning" not in err
    assert out.rstrip().endswith("PASS commands")
    [failures] = home.rglob("failures.json")
    assert json.loads(failures.read_text(encoding="utf-8")) == {"failures": [], "held_back": {}}


async def test_fail_ends_with_1(
    run_eval: Evaluates, services: ServiceAddresses, tmp_path: Path
) -> None:
    folder = write_golden(tmp_path, HOPELESS)
    code, out, err = await run_eval(
        services, tmp_path / "home", "--dataset", "memory", "--path", str(folder)
    )
    assert code == 1, err
    assert out.rstrip().endswith("FAIL memory: recall_at_5, precision_at_5")


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
