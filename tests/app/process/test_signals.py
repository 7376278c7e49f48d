from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from app.runner import Shutdown


@pytest.fixture(autouse=True)
def hang_up() -> Iterator[None]:
    """Ends a program even where the test run was told to live on (nohup)."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
async def test_a_signal_cancels_the_command_once(number: signal.Signals, code: int) -> None:
    leaving = Shutdown()
    tidied = asyncio.Event()

    async def command() -> int:
        try:
            os.kill(os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), number)
            await asyncio.sleep(0)
            tidied.set()
        return 0

    with pytest.raises(asyncio.CancelledError):
        await leaving.watch(command())
    assert tidied.is_set()
    assert leaving.exit_code == code


async def test_ctrl_c_is_borrowed_and_given_back() -> None:
    leaving = Shutdown()
    stopped = asyncio.Event()

    async def command() -> int:
        with leaving.on_interrupt(stopped.set):
            os.kill(os.getpid(), signal.SIGINT)
            await stopped.wait()
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()
        return 0

    with pytest.raises(asyncio.CancelledError):
        await leaving.watch(command())
    assert leaving.exit_code == 130


async def test_a_command_that_ends_by_itself_has_its_own_code() -> None:
    async def command() -> int:
        return 7

    assert await Shutdown().watch(command()) == 7
