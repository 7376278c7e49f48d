"""Specification 001, user story 5: memory evaluation coverage, through `python -m eval`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlflow import MlflowClient

from memory.local_services.services import ServiceAddresses

CASES = [
    {
        "id": "recall-preference-001",
        "category": "preference",
        "setup_memories": [{"content": "User prefers uv over pip", "type": "preference"}],
        "query": "Which package manager do I prefer, uv or pip?",
        "expected_retrievals": ["User prefers uv over pip"],
        "rubric": "Memory about uv preference MUST appear in top 3 results",
    },
    {
        "id": "recall-fact-001",
        "category": "fact",
        "setup_memories": [
            {"content": "My bike is green", "type": "fact"},
            {"content": "The boiler was serviced in October", "type": "note"},
        ],
        "query": "What colour is my bike?",
        "expected_retrievals": ["My bike is green"],
        "rubric": "The colour of the bike MUST be first",
    },
    {
        "id": "cross-user-001",
        "category": "cross-user",
        "setup_memories": [{"content": "My cat is called Miso", "type": "fact"}],
        "other_user_memories": [{"content": "My safe opens with 4711", "type": "fact"}],
        "query": "What opens my safe?",
        "expected_retrievals": [],
        "forbidden_retrievals": ["My safe opens with 4711"],
        "rubric": "Another user's memory MUST NOT appear",
    },
]


@dataclass(frozen=True)
class Finished:
    code: int
    told: str
    report: dict[str, Any]
    tracking_uri: str


async def evaluate(services: ServiceAddresses, folder: Path, **settings: str) -> Finished:
    """`python -m eval --dataset memory` in a process of its own, on the test run's services."""
    golden = {"version": "1.0.0", "description": "three cases", "cases": CASES}
    (folder / "memory.json").write_text(json.dumps(golden))
    tracking_uri = f"sqlite:///{folder / 'runs.db'}"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "KEEPSAKE_HOME": str(folder / "home"),
        "DATABASE_URL": services.database_url,
        "REDIS_URL": services.redis_url,
        "MLFLOW_TRACKING_URI": tracking_uri,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "eval", "--dataset", "memory"),
        *("--path", str(folder), "--json", str(folder / "report.json")),
        env=environment | settings,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(180):
        told, _ = await process.communicate()
    report = json.loads((folder / "report.json").read_text())
    return Finished(process.returncode or 0, told.decode(), report, tracking_uri)


async def test_us5_1_and_us5_2_each_case_is_evaluated_and_its_metrics_are_in_mlflow(
    services: ServiceAddresses, tmp_path: Path
) -> None:
    """Given a golden dataset, each case is evaluated; MLflow then shows Recall@5, Precision@5,
    latency p50 and p95, and token budget compliance."""
    finished = await evaluate(services, tmp_path)
    assert (finished.code, "PASS" in finished.told) == (0, True), finished.told
    assert finished.report["metrics"]["cases"] == len(CASES)
    client = MlflowClient(tracking_uri=finished.tracking_uri)
    experiments = [each.experiment_id for each in client.search_experiments()]
    [run] = client.search_runs(experiments)
    wanted = {"recall_at_5", "precision_at_5", "latency_p50_ms", "latency_p95_ms"}
    assert wanted | {"token_compliance", "cross_user_safety"} <= set(run.data.metrics)
    assert run.data.metrics["recall_at_5"] == 1.0
    artifact = client.download_artifacts(run.info.run_id, "cases.json", str(tmp_path))
    evaluated = json.loads(Path(artifact).read_text())["cases"]
    assert {case["id"] for case in evaluated} == {case["id"] for case in CASES}


async def test_us5_3_quality_below_the_threshold_is_a_fail_with_its_figures(
    services: ServiceAddresses, tmp_path: Path
) -> None:
    """Given Recall@5 below 80%, the suite ends with FAIL, exit code 1 and the figures."""
    finished = await evaluate(services, tmp_path, MIN_RELEVANCE="1.0")
    assert (finished.code, "FAIL" in finished.told) == (1, True), finished.told
    assert finished.report["metrics"]["recall_at_5"] == 0.0
    assert "recall_at_5" in finished.told.lower().replace("@", "_at_")
