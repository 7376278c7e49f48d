"""MLFLOW_TRACING: the steps of the assistant's runs, in MLflow."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import structlog

from agent.tracing import BeginSpan, trace_runs
from memory.config import Settings

EXPERIMENT = "keepsake-chat"
OPEN_SECONDS = 30.0
CLOSE_SECONDS = 10.0
# MLflow reads these from the environment alone; whoever set them keeps their value.
_QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_SQLALCHEMYSTORE_POOL_SIZE": "30",
}
Given = TypeVar("Given")
_log = structlog.get_logger(__name__)


@asynccontextmanager
async def trace_runs_to_mlflow(settings: Settings) -> AsyncIterator[None]:
    """Within it runs are traced into MLFLOW_TRACKING_URI where MLFLOW_TRACING asks for it. A server
    that does not answer is logged, and nothing is traced."""
    opened = None
    if settings.mlflow_tracing:
        opened = await _in_time(lambda: _open(settings), OPEN_SECONDS)
    if opened is None:
        yield
        return
    begin, flush = opened
    try:
        with trace_runs(begin, beside_openai=settings.openai_tracing):
            yield
    finally:
        await _in_time(flush, CLOSE_SECONDS)


def _open(settings: Settings) -> tuple[BeginSpan, Callable[[], None]]:
    """Importing MLflow takes two seconds, and a new SQLite store some more."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    import mlflow  # noqa: PLC0415

    mlflow.set_tracking_uri(settings.tracking_uri)
    if mlflow.get_experiment_by_name(EXPERIMENT) is None:
        mlflow.create_experiment(EXPERIMENT, artifact_location=_artifacts(settings))
    mlflow.set_experiment(EXPERIMENT)
    return mlflow.start_span_no_context, mlflow.flush_trace_async_logging


def _artifacts(settings: Settings) -> str | None:
    """A server keeps them where it was told to; SQLite has no place of its own for them."""
    own = settings.tracking_uri.startswith("sqlite:")
    return (settings.keepsake_home / "mlflow-artifacts").as_uri() if own else None


async def _in_time(action: Callable[[], Given], seconds: float) -> Given | None:
    """What it gives, or None where it fails or takes too long."""
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(action)
    except Exception as error:
        _log.warning("runs_not_traced", reason=type(error).__name__)
        return None
