"""What a turn, a call or a job is known by in logs and traces, and traces by OpenTelemetry where
somebody asks for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from opentelemetry.trace import NoOpTracer, Tracer

from memory.config import Settings
from memory.errors import InvalidSettings
from memory.tracing import in_span


@contextmanager
def bind_correlation_id(correlation_id: UUID, tracer: Tracer, name: str) -> Iterator[None]:
    """Within it every line of the log, every transaction (as its `application_name`) and the span
    `name` have the id."""
    text = str(correlation_id)
    with (
        structlog.contextvars.bound_contextvars(correlation_id=text),
        in_span(tracer, name, correlation_id=text),
    ):
        yield


if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

SERVICE = "keepsake"
PATH = "/v1/traces"
SEND_TIMEOUT = 2.0
_EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


@asynccontextmanager
async def open_tracer(settings: Settings) -> AsyncIterator[Tracer]:
    """A tracer that sends to OTEL_EXPORTER_OTLP_ENDPOINT; without one, a tracer that does nothing.
    Raises InvalidSettings where the exporter is not installed."""
    endpoint = settings.otel_exporter_otlp_endpoint
    if endpoint is None:
        yield NoOpTracer()
        return
    async with export_spans(_make_exporter(endpoint)) as tracer:
        yield tracer


@asynccontextmanager
async def export_spans(exporter: SpanExporter) -> AsyncIterator[Tracer]:
    """Gives spans to the exporter in a thread of its own, and what is left of them in the end."""
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    provider = TracerProvider(resource=Resource({SERVICE_NAME: SERVICE}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield provider.get_tracer(SERVICE)
    finally:
        await asyncio.to_thread(provider.shutdown)


def _make_exporter(endpoint: str) -> SpanExporter:
    try:
        make = import_module(_EXPORTER).OTLPSpanExporter
    except ImportError as error:
        raise InvalidSettings(
            reason="OTEL_EXPORTER_OTLP_ENDPOINT needs: pip install 'keepsake[otel]'"
        ) from error
    exporter: SpanExporter = make(endpoint=endpoint.rstrip("/") + PATH, timeout=SEND_TIMEOUT)
    return exporter
