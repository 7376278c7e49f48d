from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx2
import openai
import pytest
from agents import Agent, Model, ModelSettings, Runner
from agents.testing import ModelStep, ScriptedModel
from opentelemetry.trace import NoOpTracer

from agent.models.middleware import (
    CircuitBreakerReader,
    ModelMeters,
    ObservedModel,
    observe,
    reader_with_breaker,
)
from agent.models.offline import OfflineModel
from memory.circuit_breaker import BreakerLimits, CircuitBreaker
from memory.config import Settings
from memory.errors import CircuitOpen
from memory.metrics import MemoryMetrics, TokenCosts
from memory.understanding import Interpretation, MessageText
from tests.agent.scripts import says, streams
from tests.memory.fakes import RereadsAs
from tests.memory.guard.clock import Clock

LIMITS = BreakerLimits(threshold=3, window=60.0, cooldown=30.0)
REQUEST = httpx2.Request("POST", "https://model.example.org/v1/responses")
AWAY = openai.APIConnectionError(request=REQUEST)
REFUSED = openai.BadRequestError("no", response=httpx2.Response(400, request=REQUEST), body=None)
SAID = (MessageText("I moved to Oslo.", datetime(2026, 6, 17, tzinfo=UTC)), Interpretation())


def guard_of(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker("model", LIMITS, MemoryMetrics(), clock=clock)


def guarded(inner: Model, guard: CircuitBreaker | None) -> ObservedModel:
    counters = MemoryMetrics()
    meters = ModelMeters(counters, TokenCosts(counters, {}), NoOpTracer())
    return ObservedModel(inner, meters, guard, name="m")


async def ask(model: Model) -> str:
    agent = Agent[Any](name="a", model=model, model_settings=ModelSettings())
    return str((await Runner.run(agent, "Hello?")).final_output)


async def ask_streamed(model: Model) -> str:
    agent = Agent[Any](name="a", model=model, model_settings=ModelSettings())
    streamed = Runner.run_streamed(agent, "Hello?")
    async for _ in streamed.stream_events():
        pass
    return str(streamed.final_output)


@pytest.mark.parametrize("asked", [ask, ask_streamed])
async def test_a_model_that_is_away_is_left_alone_and_tried_again(asked: Any) -> None:
    clock = Clock()
    inner = ScriptedModel([*(ModelStep.raise_error(AWAY) for _ in range(3)), says("Hello.")])
    model = guarded(inner, guard_of(clock))
    for _ in range(3):
        with pytest.raises(openai.APIConnectionError):
            await asked(model)
    with pytest.raises(CircuitOpen):
        await asked(model)
    assert len(inner.calls) == 3
    clock.pass_seconds(30)
    assert await asked(model) == "Hello."
    inner.assert_complete()


async def test_a_stream_that_breaks_off_is_a_failure() -> None:
    inner = ScriptedModel([streams("Hel", then=AWAY) for _ in range(3)])
    model = guarded(inner, guard_of(Clock()))
    for _ in range(3):
        with pytest.raises(openai.APIConnectionError):
            await ask_streamed(model)
    with pytest.raises(CircuitOpen):
        await ask_streamed(model)


async def test_a_request_that_the_server_refuses_takes_the_model_from_nobody() -> None:
    """One user's odd message must not be everybody's outage."""
    inner = ScriptedModel([*(ModelStep.raise_error(REFUSED) for _ in range(9)), says("Hello.")])
    model = guarded(inner, guard_of(Clock()))
    for _ in range(9):
        with pytest.raises(openai.BadRequestError):
            await ask(model)
    assert await ask(model) == "Hello."


async def test_a_reading_that_keeps_failing_is_not_begun() -> None:
    failing = RereadsAs(error=ValueError("no JSON"))
    reader = CircuitBreakerReader(failing, guard_of(Clock()))
    for _ in range(3):
        with pytest.raises(ValueError, match="no JSON"):
            await reader.read_again(*SAID)
    with pytest.raises(CircuitOpen):
        await reader.read_again(*SAID)
    assert len(failing.read) == 3


async def test_that_the_model_is_left_alone_is_no_failure_of_the_reading() -> None:
    guard = guard_of(Clock())
    away = RereadsAs(error=CircuitOpen(dependency="model", seconds=9))
    reader = CircuitBreakerReader(away, guard)
    for _ in range(9):
        with pytest.raises(CircuitOpen):
            await reader.read_again(*SAID)
    assert not guard.is_open


async def test_what_calls_nobody_is_not_guarded(settings: Settings) -> None:
    guard = guard_of(Clock())
    for _ in range(3):
        await guard.failed()
    offline = observe(OfflineModel(), settings, MemoryMetrics(), NoOpTracer(), guard)
    assert (await offline.get_response(None, "Thanks!")).output
    assert reader_with_breaker(None, guard) is None


async def test_without_a_guard_nothing_is_left_alone() -> None:
    inner, reader = ScriptedModel([ModelStep.raise_error(AWAY) for _ in range(9)]), RereadsAs()
    for _ in range(9):
        with pytest.raises(openai.APIConnectionError):
            await ask(guarded(inner, None))
    assert reader_with_breaker(reader, None) is reader
