"""The steps of the assistant's runs as traces in MLflow: names, times and how they ended, never
what was said."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

import structlog
from agents import add_trace_processor, set_trace_processors, set_tracing_disabled
from agents.tracing import Span, Trace, TracingProcessor

from memory.settings import Settings

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


class Opened(Protocol):
    """A span of MLflow that has begun."""

    def end(self, *, status: str) -> None: ...


class Begin(Protocol):
    """`mlflow.start_span_no_context`."""

    def __call__(
        self,
        name: str,
        span_type: str,
        parent_span: Any = None,
        *,
        attributes: dict[str, str] | None = None,
    ) -> Opened: ...


class RunTraces(TracingProcessor):
    """Of a run and each of its steps the name, the kind and whether it failed. What a step took in
    and gave out is not looked at, whatever the run's configuration lets through."""

    def __init__(self, begin: Begin) -> None:
        self._begin = begin
        self._open: dict[str, Opened] = {}

    def on_trace_start(self, trace: Trace) -> None:
        metadata: Mapping[str, Any] = getattr(trace, "metadata", None) or {}
        known = {name: str(value) for name, value in metadata.items()}
        self._open[trace.trace_id] = self._begin(trace.name, "AGENT", attributes=known)

    def on_span_start(self, span: Span[Any]) -> None:
        parent = self._open.get(span.parent_id or span.trace_id)
        if parent is not None:
            kind = span.span_data.type
            name = str(getattr(span.span_data, "name", None) or kind)
            self._open[span.span_id] = self._begin(name, kind.upper(), parent)

    def on_span_end(self, span: Span[Any]) -> None:
        opened = self._open.pop(span.span_id, None)
        if opened is not None:
            opened.end(status="ERROR" if span.error else "OK")

    def on_trace_end(self, trace: Trace) -> None:
        opened = self._open.pop(trace.trace_id, None)
        if opened is not None:
            opened.end(status="OK")

    def shutdown(self) -> None:
        """Nothing is held back here."""

    def force_flush(self) -> None:
        """Nothing is held back here."""


@asynccontextmanager
async def traced_runs(settings: Settings) -> AsyncIterator[None]:
    """Within it runs are traced into MLFLOW_TRACKING_URI where MLFLOW_TRACING asks for it. A server
    that does not answer is logged, and nothing is traced."""
    opened = await _opened(settings) if settings.mlflow_tracing else None
    if opened is None:
        yield
        return
    begin, flush = opened
    if settings.openai_tracing:
        add_trace_processor(RunTraces(begin))
    else:  # in the place of the one that sends to OpenAI
        set_trace_processors([RunTraces(begin)])
    set_tracing_disabled(False)
    try:
        yield
    finally:
        set_tracing_disabled(True)
        await _in_time(flush, CLOSE_SECONDS)


async def _opened(settings: Settings) -> tuple[Begin, Callable[[], None]] | None:
    """Importing MLflow takes two seconds, and a new SQLite store some more."""

    def open_mlflow() -> tuple[Begin, Callable[[], None]]:
        for name, value in _QUIET.items():
            os.environ.setdefault(name, value)
        import mlflow  # noqa: PLC0415

        mlflow.set_tracking_uri(settings.tracking_uri)
        if mlflow.get_experiment_by_name(EXPERIMENT) is None:
            mlflow.create_experiment(EXPERIMENT, artifact_location=_artifacts(settings))
        mlflow.set_experiment(EXPERIMENT)
        return mlflow.start_span_no_context, mlflow.flush_trace_async_logging

    return await _in_time(open_mlflow, OPEN_SECONDS)


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
