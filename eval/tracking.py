"""Each run in MLflow: its parameters, its figures, and the cases behind them.

MLflow (the skinny package, on SQLite unless a server is named) is imported when a
run is kept, since that takes seconds. It is a notebook, not a judge: where it
fails, the evaluation keeps its result.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.report import Report, cases_as_json, flatten

if TYPE_CHECKING:
    from mlflow import MlflowClient

EXPERIMENT = "keepsake-eval"
GIT_TIMEOUT = 5.0
KEEP_TIMEOUT = 120.0
# MLflow reads these from the environment alone; whoever set them keeps their value. A server
# that is away costs seconds, not the minutes that its client would try for.
_QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_SQLALCHEMYSTORE_POOL_SIZE": "5",
}


async def log_run(report: Report, tracking_uri: str, home: Path) -> str:
    """Writes the run and returns its id; artifacts lie under the home. Raises what MLflow does."""
    commit = await read_commit()
    async with asyncio.timeout(KEEP_TIMEOUT):
        return await asyncio.to_thread(_write, report, tracking_uri, home, commit)


async def read_commit() -> str | None:
    """The commit of the code that runs, where it lies in a git checkout and git is there."""
    try:
        git = await asyncio.create_subprocess_exec(
            *("git", "rev-parse", "HEAD"),
            cwd=Path(__file__).parent,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        async with asyncio.timeout(GIT_TIMEOUT):
            told, _ = await git.communicate()
    except (OSError, TimeoutError):
        return None
    return told.decode("ascii", "replace").strip() or None if git.returncode == 0 else None


def _write(report: Report, tracking_uri: str, home: Path, commit: str | None) -> str:
    client = open_client(tracking_uri)
    experiment = find_experiment(client, tracking_uri, home)
    run = client.create_run(experiment, tags=_tags(report, commit), run_name=report.dataset)
    run_id = str(run.info.run_id)
    client.log_batch(run_id, metrics=_metrics(report), params=_params(report))
    client.log_dict(run_id, {"cases": cases_as_json(report.cases)}, "cases.json")
    if report.failures is not None:
        client.log_dict(run_id, report.failures.tell(), "failures.json")
    client.log_text(run_id, report.as_json(), "report.json")
    if report.rows:
        client.log_text(run_id, report.rows_as_lines(), "rows.jsonl")
    client.set_terminated(run_id)
    return run_id


def open_client(tracking_uri: str) -> MlflowClient:
    """A client that is quiet, and gives up soon on a server that is away."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    from mlflow import MlflowClient  # noqa: PLC0415 - it takes seconds to import

    # MLflow sets up its own logging when it is imported.
    for name in ("alembic", "mlflow"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return MlflowClient(tracking_uri=tracking_uri)


def find_experiment(client: MlflowClient, tracking_uri: str, home: Path) -> str:
    """The id of the one experiment of all runs, made where it is not there."""
    known = client.get_experiment_by_name(EXPERIMENT)
    if known is not None:
        return str(known.experiment_id)
    # A server keeps artifacts where it was told to; SQLite has no place of its own for them.
    own = tracking_uri.startswith("sqlite:")
    artifacts = (home / "mlflow-artifacts").as_uri() if own else None
    return str(client.create_experiment(EXPERIMENT, artifact_location=artifacts))


def _tags(report: Report, commit: str | None) -> dict[str, str]:
    tags = {"dataset": report.dataset, "verdict": "PASS" if report.passed else "FAIL"}
    return tags | ({"mlflow.source.git.commit": commit} if commit else {})


def _metrics(report: Report) -> list[Any]:
    from mlflow.entities import Metric  # noqa: PLC0415

    now = int(time.time() * 1000)
    return [Metric(name, value, now, 0) for name, value in report.flat().items()]


def _params(report: Report) -> list[Any]:
    from mlflow.entities import Param  # noqa: PLC0415

    told = {"dataset": report.dataset, **flatten(report.settings)}
    return [Param(name, str(value)) for name, value in told.items()]
