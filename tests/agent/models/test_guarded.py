from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx2
import openai
import pytest
from agents import Agent, ModelSettings, Runner
from agents.testing import ModelStep, ScriptedModel

from agent.models.guarded import GuardedModel, GuardedReader, guard_model, guard_reader
from agent.models.offline_model import OfflineModel
from memory.counters import Counters
from memory.errors import LeftAlone
from memory.guard import Guard, Limits
from memory.understanding import Message, Reading
from tests.agent.scripts import says, streams
from tests.memory.guard.clock import Clock

LIMITS = Limits(threshold=3, window=60.0, cooldown=30.0)
REQUEST = httpx2.Request("POST", "https://model.example.org/v1/responses")
AWAY = openai.APIConnectionError(request=REQUEST)
REFUSED = openai.BadRequestError("no", response=httpx2.Response(400, request=REQUEST), body=None)
SAID = Message("I moved to Oslo.", datetime(2026, 6, 17, tzinfo=UTC))


def guard_of(clock: Clock) -> Guard:
    return Guard("model", LIMITS, Counters(), clock=clock)


async def ask(model: GuardedModel) -> str:
    agent = Agent[Any](name="a", model=model, model_settings=ModelSettings())
    return str((await Runner.run(agent, "Hello?")).final_output)


async def ask_streamed(model: GuardedModel) -> str:
    agent = Agent[Any](name="a", model=model, model_settings=ModelSettings())
    streamed = Runner.run_streamed(agent, "Hello?")
    async for _ in streamed.stream_events():
        pass
    return str(streamed.final_output)


@pytest.mark.parametrize("asked", [ask, ask_streamed])
async def test_a_model_that_is_away_is_left_alone_and_tried_again(asked: Any) -> None:
    clock = Clock()
    inner = ScriptedModel([*(ModelStep.raise_error(AWAY) for _ in range(3)), says("Hello.")])
    model = GuardedModel(inner, guard_of(clock))
    for _ in range(3):
        with pytest.raises(openai.APIConnectionError):
            await asked(model)
    with pytest.raises(LeftAlone):
        await asked(model)
    assert len(inner.calls) == 3
    clock.pass_seconds(30)
    assert await asked(model) == "Hello."
    inner.assert_complete()


async def test_a_stream_that_breaks_off_is_a_failure() -> None:
    inner = ScriptedModel([streams("Hel", then=AWAY) for _ in range(3)])
    model = GuardedModel(inner, guard_of(Clock()))
    for _ in range(3):
        with pytest.raises(openai.APIConnectionError):
            await ask_streamed(model)
    with pytest.raises(LeftAlone):
        await ask_streamed(model)


async def test_a_request_that_the_server_refuses_takes_the_model_from_nobody() -> None:
    """One user's odd message must not be everybody's outage."""
    inner = ScriptedModel([*(ModelStep.raise_error(REFUSED) for _ in range(9)), says("Hello.")])
    model = GuardedModel(inner, guard_of(Clock()))
    for _ in range(9):
        with pytest.raises(openai.BadRequestError):
            await ask(model)
    assert await ask(model) == "Hello."


class Failing:
    """A reader that fails with what it is given."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.asked = 0

    async def read_again(self, message: Message, first: Reading) -> Reading:
        self.asked += 1
        raise self.error


async def test_a_reading_that_keeps_failing_is_not_begun() -> None:
    failing = Failing(ValueError("no JSON"))
    reader = GuardedReader(failing, guard_of(Clock()))
    for _ in range(3):
        with pytest.raises(ValueError, match="no JSON"):
            await reader.read_again(SAID, Reading())
    with pytest.raises(LeftAlone):
        await reader.read_again(SAID, Reading())
    assert failing.asked == 3


async def test_that_the_model_is_left_alone_is_no_failure_of_the_reading() -> None:
    guard = guard_of(Clock())
    reader = GuardedReader(Failing(LeftAlone(dependency="model", seconds=9)), guard)
    for _ in range(9):
        with pytest.raises(LeftAlone):
            await reader.read_again(SAID, Reading())
    assert not guard.is_open


def test_what_calls_nobody_is_not_guarded() -> None:
    offline, guard = OfflineModel(), guard_of(Clock())
    assert guard_model(offline, guard) is offline
    assert guard_reader(None, guard) is None


def test_without_a_guard_nothing_is_wrapped() -> None:
    model, reader = ScriptedModel([]), Failing(ValueError())
    assert guard_model(model, None) is model
    assert guard_reader(reader, None) is reader
