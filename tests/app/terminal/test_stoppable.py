from __future__ import annotations

import asyncio

import pytest

from app.terminal.chat import CancellableTask
from memory.errors import InvalidInput


class _Work:
    """Goes on until it is cancelled, and then takes a while to tidy up."""

    def __init__(self) -> None:
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()
        self.tidied = False

    async def run(self) -> None:
        try:
            self.begun.set()
            await asyncio.Event().wait()
        finally:
            await self.may_end.wait()
            self.tidied = True


async def test_stopping_twice_does_not_cut_the_tidying_short() -> None:
    work = _Work()
    stoppable = CancellableTask(work.run())
    await work.begun.wait()
    stoppable.stop()
    await asyncio.sleep(0)
    stoppable.stop()
    await asyncio.sleep(0)
    work.may_end.set()
    await stoppable.finish()
    assert work.tidied


async def test_who_waits_may_be_cancelled_and_still_lets_it_tidy_up() -> None:
    work = _Work()
    waiting = asyncio.create_task(CancellableTask(work.run()).finish())
    await work.begun.wait()
    waiting.cancel()
    await asyncio.sleep(0)
    work.may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert work.tidied


async def test_what_it_raises_is_raised() -> None:
    async def fail() -> None:
        raise InvalidInput(reason="no")

    with pytest.raises(InvalidInput):
        await CancellableTask(fail()).finish()
