"""The steps of the assistant's runs as traces: names, times and how they ended, never what was
said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from agents import add_trace_processor, set_trace_processors, set_tracing_disabled
from agents.tracing import Span, Trace, TracingProcessor


class OpenSpan(Protocol):
    """A span that has begun."""

    def end(self, *, status: str) -> None: ...


class BeginSpan(Protocol):
    """Begins a span; MLflow's `start_span_no_context` is one."""

    def __call__(
        self,
        name: str,
        span_type: str,
        parent_span: Any = None,
        *,
        attributes: dict[str, str] | None = None,
    ) -> OpenSpan: ...


class RunTraceProcessor(TracingProcessor):
    """Of a run and each of its steps the name, the kind and whether it failed. What a step took in
    and gave out is not looked at, whatever the run's configuration lets through."""

    def __init__(self, begin: BeginSpan) -> None:
        self._begin = begin
        self._open: dict[str, OpenSpan] = {}

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


@contextmanager
def trace_runs(begin: BeginSpan, *, beside_openai: bool) -> Iterator[None]:
    """Within it runs are traced; `beside_openai` also to OpenAI, as OPENAI_TRACING asks. The SDK
    has one set of processors in a process."""
    if beside_openai:
        add_trace_processor(RunTraceProcessor(begin))
    else:
        set_trace_processors([RunTraceProcessor(begin)])
    set_tracing_disabled(False)
    try:
        yield
    finally:
        set_tracing_disabled(True)
