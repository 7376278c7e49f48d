"""What a turn, a call or a job is known by, from the log to the database's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import structlog
from opentelemetry.trace import Tracer

from memory.spans import in_span


@contextmanager
def known_as(correlation_id: UUID, tracer: Tracer, name: str) -> Iterator[None]:
    """Within it every line of the log, every transaction (as its `application_name`) and the span
    `name` have the id."""
    text = str(correlation_id)
    with (
        structlog.contextvars.bound_contextvars(correlation_id=text),
        in_span(tracer, name, correlation_id=text),
    ):
        yield
