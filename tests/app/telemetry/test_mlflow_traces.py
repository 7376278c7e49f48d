"""The Agents SDK's steps in a real MLflow, over SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mlflow
import pytest
from agents import custom_span, set_trace_processors, trace

from app.telemetry.mlflow_traces import EXPERIMENT, trace_runs_to_mlflow
from memory.config import Settings
from tests.app.telemetry.test_exporter import free_port
from tests.tracking_store import copy_tracking_store

WORDS = "My sister Maria lives in Oslo"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """MLflow and the SDK have one address and one set of processors in a process."""
    before = mlflow.get_tracking_uri()
    yield
    mlflow.set_tracking_uri(before)
    set_trace_processors([])


@pytest.fixture
def traced(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(
        update={
            "mlflow_tracing": True,
            "mlflow_tracking_uri": f"sqlite:///{tmp_path / 'runs.db'}",
            "keepsake_home": tmp_path,
        }
    )


@pytest.mark.filterwarnings("ignore:.*Any type hint")  # MLflow, of code of its own
async def test_a_run_and_its_steps_are_in_the_experiment_without_their_words(
    traced: Settings, run_folder: Path, tmp_path: Path
) -> None:
    copy_tracking_store(run_folder, tmp_path / "runs.db")
    async with trace_runs_to_mlflow(traced):
        with trace("turn"), custom_span("query_memory", {"query": WORDS}):
            pass

    experiment = mlflow.get_experiment_by_name(EXPERIMENT)
    assert experiment is not None
    [stored] = mlflow.search_traces(locations=[experiment.experiment_id], return_type="list")
    assert [span.name for span in stored.data.spans] == ["turn", "query_memory"]
    assert WORDS not in stored.to_json()


async def test_a_server_that_is_not_there_is_not_waited_for(traced: Settings) -> None:
    """And is no reason not to answer."""
    away = f"http://127.0.0.1:{free_port()}"
    async with trace_runs_to_mlflow(traced.model_copy(update={"mlflow_tracking_uri": away})):
        with trace("turn"):
            pass


async def test_nothing_is_opened_unless_it_is_asked_for(traced: Settings, tmp_path: Path) -> None:
    async with trace_runs_to_mlflow(traced.model_copy(update={"mlflow_tracing": False})):
        with trace("turn"):
            pass

    assert not (tmp_path / "runs.db").exists()
