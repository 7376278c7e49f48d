from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from memory.tracing import in_span


@pytest.fixture
def made() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracer(made: InMemorySpanExporter) -> Tracer:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(made))
    return provider.get_tracer("test")


def test_a_span_within_another_is_its_child(tracer: Tracer, made: InMemorySpanExporter) -> None:
    with in_span(tracer, "turn"), in_span(tracer, "recall", kind="memories"):
        pass
    recall, turn = made.get_finished_spans()
    assert recall.parent is not None
    assert recall.parent.span_id == turn.context.span_id
    assert dict(recall.attributes or {}) == {"kind": "memories"}


def test_of_a_failure_it_holds_the_name_and_no_word(
    tracer: Tracer, made: InMemorySpanExporter
) -> None:
    def fail() -> None:
        raise ValueError("I live in Oslo")

    with pytest.raises(ValueError, match="Oslo"), in_span(tracer, "recall"):
        fail()
    [span] = made.get_finished_spans()
    assert isinstance(span, ReadableSpan)
    assert span.status.description == "ValueError"
    assert "Oslo" not in span.to_json()
