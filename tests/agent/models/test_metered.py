from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, Model, ModelResponse, Runner, Usage
from agents.items import TResponseStreamEvent
from openai.types.responses import Response, ResponseCompletedEvent
from openai.types.responses.response_usage import (
    InputTokensDetails,
    OutputTokensDetails,
    ResponseUsage,
)
from opentelemetry.trace import NoOpTracer

from agent.models.middleware import ModelMeters, ObservedModel
from agent.models.offline import _message
from memory.config.prices import parse_prices
from memory.errors import CircuitOpen
from memory.metrics import MemoryMetrics, TokenCosts


class Says(Model):
    """Says a word, for which it takes 1,000 tokens and gives out 10; or raises an error."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.advised = 0

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        if self.error is not None:
            raise self.error
        usage = Usage(requests=1, input_tokens=1000, output_tokens=10, total_tokens=1010)
        return ModelResponse(output=[_message("Kayak.")], usage=usage, response_id=None)

    async def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[TResponseStreamEvent]:
        if self.error is not None:
            raise self.error
        response = Response(
            id="r",
            created_at=0,
            model="m",
            object="response",
            output=[_message("Kayak.")],
            tool_choice="auto",
            tools=[],
            parallel_tool_calls=False,
            usage=ResponseUsage(
                input_tokens=1000,
                output_tokens=10,
                total_tokens=1010,
                input_tokens_details=InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
                output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
            ),
        )
        yield ResponseCompletedEvent(
            type="response.completed", response=response, sequence_number=0
        )
        yield ResponseCompletedEvent(
            type="response.completed", response=response, sequence_number=1
        )

    def get_retry_advice(self, request: Any) -> None:
        self.advised += 1


def metered(counters: MemoryMetrics, error: Exception | None = None) -> ObservedModel:
    meters = ModelMeters(counters, TokenCosts(counters, parse_prices("m=1/10")), NoOpTracer())
    return ObservedModel(Says(error), meters, name="m")


def calls(counters: MemoryMetrics, operation: str, outcome: str) -> float:
    labels = {"operation": operation, "outcome": outcome}
    return counters.registry.get_sample_value("keepsake_model_calls_total", labels) or 0.0


async def test_a_call_is_counted_with_its_tokens_and_what_they_cost() -> None:
    counters = MemoryMetrics()
    model = metered(counters).called_for("extract")
    result = await Runner.run(Agent(name="a", model=model), "Say it")
    assert result.final_output == "Kayak."
    read = counters.registry.get_sample_value
    assert calls(counters, "extract", "answered") == 1
    assert read("keepsake_model_seconds_count", {"operation": "extract"}) == 1
    tokens = {"operation": "extract", "direction": "in"}
    assert read("keepsake_model_tokens_total", tokens) == 1000
    cost = read("keepsake_model_cost_dollars_total", {"operation": "extract"})
    assert cost == pytest.approx(0.0011)


async def test_a_stream_that_is_read_to_its_end_is_answered() -> None:
    counters = MemoryMetrics()
    async for _ in metered(counters).stream_response():
        pass
    assert calls(counters, "answer", "answered") == 1


async def test_a_stream_that_nobody_reads_on_is_stopped() -> None:
    counters = MemoryMetrics()
    stream: Any = metered(counters).stream_response()
    await anext(stream)
    await stream.aclose()
    assert calls(counters, "answer", "stopped") == 1
    assert calls(counters, "answer", "answered") == 0


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(OSError("away"), "failed"), (CircuitOpen(dependency="model", seconds=3), "left alone")],
    ids=["away", "guarded"],
)
async def test_a_failure_is_told_from_a_guard_that_is_open(error: Exception, outcome: str) -> None:
    counters = MemoryMetrics()
    with pytest.raises(type(error)):
        await metered(counters, error).get_response()
    assert calls(counters, "answer", outcome) == 1
