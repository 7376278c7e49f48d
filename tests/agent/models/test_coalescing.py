from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest
from agents import Model, ModelSettings, ModelTracing
from agents.items import TResponseStreamEvent
from agents.testing import ModelStep, ScriptedModel
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses import ResponseTextDeltaEvent, ResponseTextDoneEvent

from agent.models.coalescing import PIECE_SECONDS, CoalescingModel, Pieces
from tests.agent.scripts import calls, delta, says, streams
from tests.memory.guard.clock import Clock

TEXTS = st.lists(st.tuples(st.text(max_size=5), st.floats(0, 0.3)), max_size=60)


def end(number: int = 99) -> ResponseTextDoneEvent:
    return ResponseTextDoneEvent(
        type="response.output_text.done",
        item_id="scripted",
        output_index=0,
        content_index=0,
        text="",
        logprobs=[],
        sequence_number=number,
    )


def passed_on(given_out: list[tuple[str, float]]) -> list[tuple[float, TResponseStreamEvent]]:
    """Each event with the second in which it was passed on; one that ends the text is the last."""
    pieces, now = Pieces(), 0.0
    told: list[tuple[float, TResponseStreamEvent]] = []
    for number, (text, pause) in enumerate(given_out):
        now += pause
        told += [(now, due) for due in pieces.take(delta(text, number), now)]
    return told + [(now, due) for due in pieces.take(end(), now)]


@given(TEXTS)
def test_no_text_is_lost_or_moved(given_out: list[tuple[str, float]]) -> None:
    events = [event for _, event in passed_on(given_out)]
    assert isinstance(events[-1], ResponseTextDoneEvent)
    texts = [event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)]
    assert "".join(texts) == "".join(text for text, _ in given_out)
    numbers = [int(getattr(event, "sequence_number", -1)) for event in events]
    assert numbers == sorted(numbers)


@given(TEXTS)
def test_the_first_piece_goes_at_once_and_the_next_not_too_soon(
    given_out: list[tuple[str, float]],
) -> None:
    told = passed_on(given_out)[:-1]
    if given_out:
        assert told[0] == (given_out[0][1], delta(given_out[0][0], 0))
    *before, _ = told or [(0.0, end())]  # the last may be what was held when the text ended
    for (one, _), (other, _) in pairwise(before):
        assert other - one >= PIECE_SECONDS - 1e-9


def test_texts_of_two_parts_of_an_answer_stay_apart() -> None:
    pieces = Pieces()
    other = delta("d", 3).model_copy(update={"content_index": 1})
    told = [
        due
        for event in (delta("a", 0), delta("b", 1), delta("c", 2), other)
        for due in pieces.take(event, 0.0)
    ]
    assert [getattr(event, "delta", None) for event in told + pieces.rest()] == ["a", "bc", "d"]
    assert pieces.rest() == []


def stream_of(model: Model) -> AsyncIterator[TResponseStreamEvent]:
    return model.stream_response(
        None,
        "Hello?",
        ModelSettings(),
        [],
        None,
        [],
        ModelTracing.DISABLED,
        previous_response_id=None,
        conversation_id=None,
        prompt=None,
    )


async def texts_of(model: CoalescingModel) -> list[str]:
    """The pieces of text of an answer that breaks off."""
    told = []
    with pytest.raises(ValueError, match="gone"):
        async for event in stream_of(model):
            assert isinstance(event, ResponseTextDeltaEvent)
            told.append(event.delta)
    return told


async def test_what_is_held_back_comes_before_the_error() -> None:
    inner = ScriptedModel([streams("a", "b", "c", then=ValueError("gone"))])
    assert await texts_of(CoalescingModel(inner, Clock())) == ["a", "bc"]


async def test_a_slow_model_is_passed_on_piece_by_piece() -> None:
    clock = Clock()

    async def pour(_: Any) -> Any:
        for number, piece in enumerate("abc"):
            clock.pass_seconds(2 * PIECE_SECONDS)
            yield delta(piece, number)
        raise ValueError("gone")

    inner = ScriptedModel([ModelStep.stream(pour)])
    assert await texts_of(CoalescingModel(inner, clock)) == ["a", "b", "c"]


@pytest.mark.parametrize("answer", [says("Hello."), calls("nothing")])
async def test_everything_else_is_passed_on_as_it_is(answer: list[Any]) -> None:
    alone, wrapped = ScriptedModel([answer]), CoalescingModel(ScriptedModel([answer]))
    expected = [event.type async for event in stream_of(alone)]
    assert [event.type async for event in stream_of(wrapped)] == expected
