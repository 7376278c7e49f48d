"""Trials in MLflow: a parent run, and below it one for each setting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from eval.report.mlflow_run import find_experiment, open_client, read_commit
from eval.tuning.trials import Trials

if TYPE_CHECKING:
    from mlflow import MlflowClient

PARENT = "mlflow.parentRunId"
KEEP_TIMEOUT = 300.0
Tried = TypeVar("Tried")


async def keep_trials(
    name: str,
    trials: Sequence[Trials[Tried]],
    describe: Callable[[Tried], Mapping[str, Any]],
    *,
    files: Sequence[Path],
    tracking_uri: str,
    home: Path,
) -> str:
    """Writes them all and returns the id of the parent run, which has the files and the default's
    figures. Raises what MLflow does."""
    commit = await read_commit()
    tags = {"mlflow.source.git.commit": commit} if commit else {}
    async with asyncio.timeout(KEEP_TIMEOUT):
        return await asyncio.to_thread(
            _write, name, trials, describe, files, tracking_uri, home, tags
        )


def _write(  # noqa: PLR0917 - a thread is given them in their order
    name: str,
    trials: Sequence[Trials[Tried]],
    describe: Callable[[Tried], Mapping[str, Any]],
    files: Sequence[Path],
    tracking_uri: str,
    home: Path,
    tags: dict[str, str],
) -> str:
    client = open_client(tracking_uri)
    experiment = find_experiment(client, tracking_uri, home)
    parent = str(client.create_run(experiment, tags=tags, run_name=name).info.run_id)
    client.log_batch(parent, metrics=_metrics(_standing(trials)))
    for place, (told, figures) in enumerate(_merged(trials, describe)):
        child = client.create_run(
            experiment, tags=tags | {PARENT: parent}, run_name=f"{name} {place}"
        )
        _keep(client, str(child.info.run_id), told, figures)
    for path in files:
        client.log_artifact(parent, str(path))
    client.set_terminated(parent)
    return parent


def _standing(trials: Sequence[Trials[Tried]]) -> dict[str, float | None]:
    """The default's figures of every set."""
    return {name: value for each in trials for name, value in _figures(each, 0).items()}


def _merged(
    trials: Sequence[Trials[Tried]], describe: Callable[[Tried], Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], dict[str, float | None]]]:
    """What was tried, each once, with its figures of every set that it was tried on."""
    merged: dict[str, tuple[Mapping[str, Any], dict[str, float | None]]] = {}
    for each in trials:
        for place, tried in enumerate(each.tried):
            told = describe(tried)
            _, figures = merged.setdefault(str(told), (told, {}))
            figures |= _figures(each, place)
    return list(merged.values())


def _figures(trials: Trials[Tried], place: int) -> dict[str, float | None]:
    """Each by a name that MLflow takes."""
    group = trials.group.replace(" ", "_")
    return {f"{group}.{name}": value for name, value in trials.figures(place).items()}


def _keep(
    client: MlflowClient, run: str, params: Mapping[str, Any], figures: Mapping[str, float | None]
) -> None:
    from mlflow.entities import Param  # noqa: PLC0415 - it takes seconds to import

    told = [Param(key, str(value)) for key, value in params.items()]
    client.log_batch(run, metrics=_metrics(figures), params=told)
    client.set_terminated(run)


def _metrics(figures: Mapping[str, float | None]) -> list[Any]:
    from mlflow.entities import Metric  # noqa: PLC0415

    now = int(time.time() * 1000)
    return [Metric(name, value, now, 0) for name, value in figures.items() if value is not None]
