from __future__ import annotations

import asyncio

import pytest

from agent.turn.events import StopSignal


async def heed(stop: StopSignal, begun: asyncio.Event) -> str:
    async with stop.cancel_scope():
        begun.set()
        await asyncio.Event().wait()
    return "tidied up"


async def test_what_is_stopped_goes_on_behind_it() -> None:
    stop, begun = StopSignal(), asyncio.Event()
    task = asyncio.create_task(heed(stop, begun))
    await begun.wait()

    stop.stop()
    stop.stop()

    assert await task == "tidied up"
    assert task.cancelling() == 0


async def test_a_stop_that_came_before_is_heeded() -> None:
    stop = StopSignal()
    stop.stop()

    assert await asyncio.create_task(heed(stop, asyncio.Event())) == "tidied up"


async def test_a_cancellation_by_others_goes_through() -> None:
    stop, begun = StopSignal(), asyncio.Event()
    task = asyncio.create_task(heed(stop, begun))
    await begun.wait()

    stop.stop()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_it_does_nothing_afterwards() -> None:
    stop = StopSignal()

    async def work() -> str:
        async with stop.cancel_scope():
            pass
        stop.stop()
        await asyncio.sleep(0)
        return "done"

    assert await asyncio.create_task(work()) == "done"


@pytest.mark.parametrize("becomes", [None, ValueError("it broke")])
async def test_a_stop_that_the_body_swallows_leaves_nothing_behind(
    becomes: ValueError | None,
) -> None:
    """Nor one of which another error comes: a task group later in the task would take it for a
    cancellation of its own."""
    stop, begun = StopSignal(), asyncio.Event()

    async def swallow() -> int:
        try:
            async with stop.cancel_scope():
                begun.set()
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    if becomes is not None:
                        raise becomes from None
        except ValueError:
            pass
        task = asyncio.current_task()
        assert task is not None
        return task.cancelling()

    task = asyncio.create_task(swallow())
    await begun.wait()
    stop.stop()

    assert await task == 0
