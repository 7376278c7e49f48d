from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from app.api.events import TextEvent
from app.api.streaming import ChatTurn, StreamEvent, TurnRequest
from memory.errors import DatabaseUnavailable


def turn_of(resume_seconds: float = 0.0) -> ChatTurn:
    return ChatTurn(TurnRequest("ada", uuid4(), "default", "Hello", uuid4()), resume_seconds)


def say(turn: ChatTurn, *texts: str) -> None:
    for text in texts:
        turn.tell("text", TextEvent(text=text))


async def heard(turn: ChatTurn, after: int = 0) -> list[int]:
    return [told.number async for told in turn.follow(after)]


async def test_whoever_comes_late_hears_everything() -> None:
    turn = turn_of()
    say(turn, "a", "b")
    turn.end()

    assert await heard(turn) == [2, 3]
    assert await heard(turn, after=2) == [3]
    assert await heard(turn, after=99) == []


async def test_a_slow_listener_holds_nobody_up() -> None:
    turn = turn_of()
    slow = turn.follow()
    say(turn, "a")
    assert isinstance(await anext(slow), StreamEvent)
    quick = asyncio.create_task(heard(turn))
    say(turn, "b", "c")
    turn.end()

    assert await quick == [3, 4]
    assert [told.number async for told in slow] == [3, 4]


async def test_nothing_that_is_told_while_somebody_reads_is_missed() -> None:
    turn, seen = turn_of(), []
    say(turn, "a")
    async for told in turn.follow():
        seen.append(told.number)
        if told.number < 5:
            say(turn, "more")
        elif not turn.ended:
            turn.end()

    assert seen == [1, 2, 3, 4, 5, 6]


async def test_an_error_in_the_place_of_the_first_event_is_raised() -> None:
    turn = turn_of()
    waiting = asyncio.create_task(turn.opened())
    turn.failure = DatabaseUnavailable(reason="away")
    turn.end()

    with pytest.raises(DatabaseUnavailable):
        await waiting
    assert await heard(turn) == []


async def stopped(turn: ChatTurn) -> bool:
    """Whether a stop is asked for, once the timers of this moment have run."""
    for _ in range(3):
        await asyncio.sleep(0)
    return turn.stopping.wanted


async def test_the_last_listener_that_goes_stops_it() -> None:
    turn = turn_of()
    leave, leave_too = turn.subscribe(), turn.subscribe()

    leave()
    assert not await stopped(turn)
    leave_too()
    assert await stopped(turn)


async def test_whoever_comes_back_in_time_keeps_it_going() -> None:
    turn = turn_of()
    turn.subscribe()()
    turn.subscribe()

    assert not await stopped(turn)


async def test_a_reply_that_has_ended_is_not_stopped() -> None:
    turn = turn_of()
    leave = turn.subscribe()
    turn.closed.set()
    leave()

    assert not await stopped(turn)
