"""Spans of OpenTelemetry that hold names and numbers, and never what an exception says: that may
quote a user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.trace import Span, StatusCode, Tracer


@contextmanager
def in_span(tracer: Tracer, name: str, **figures: str | int | float | bool) -> Iterator[Span]:
    """Of a failure it has the name of the exception alone."""
    with tracer.start_as_current_span(
        name, attributes=figures, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except Exception as error:
            span.set_status(StatusCode.ERROR, type(error).__name__)
            raise
