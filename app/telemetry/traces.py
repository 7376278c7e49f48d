"""Traces by OpenTelemetry, where somebody asks for them: nothing is made or sent otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from opentelemetry.trace import NoOpTracer, Tracer

from memory.errors import InvalidSettings
from memory.settings import Settings

PATH = "/v1/traces"
SEND_TIMEOUT = 5.0


@asynccontextmanager
async def traced(settings: Settings) -> AsyncIterator[Tracer]:
    """A tracer that sends to OTEL_EXPORTER_OTLP_ENDPOINT, from a thread of its own; without one, a
    tracer that does nothing. Spans hold names and numbers, never what was said. Raises
    InvalidSettings where the exporter is not installed."""
    endpoint = settings.otel_exporter_otlp_endpoint
    if endpoint is None:
        yield NoOpTracer()
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
    except ImportError as error:
        raise InvalidSettings(
            reason="OTEL_EXPORTER_OTLP_ENDPOINT needs: pip install 'keepsake[otel]'"
        ) from error
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    provider = TracerProvider(resource=Resource.create({"service.name": "keepsake"}))
    exporter = OTLPSpanExporter(endpoint=endpoint.rstrip("/") + PATH, timeout=SEND_TIMEOUT)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield provider.get_tracer("keepsake")
    finally:
        await asyncio.to_thread(provider.shutdown)
