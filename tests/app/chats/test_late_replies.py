from __future__ import annotations

import asyncio

from structlog.testing import capture_logs

from app.api.turns import UnsavedReplyRetry
from memory.errors import DatabaseUnavailable


class Away:
    """A database that is away for some tries."""

    def __init__(self, tries: int) -> None:
        self.left = tries
        self.saved = asyncio.Event()

    async def save(self) -> None:
        if self.left:
            self.left -= 1
            raise DatabaseUnavailable(reason="away")
        self.saved.set()


async def test_tries_until_it_is_saved() -> None:
    away = Away(3)
    saving = UnsavedReplyRetry(away.save, pauses=(0.0,))

    saving.begin()
    saving.begin()

    await asyncio.wait_for(away.saved.wait(), 30)
    await saving.aclose()


async def test_closing_ends_the_tries() -> None:
    saving = UnsavedReplyRetry(Away(10**9).save, pauses=(0.0,))
    saving.begin()
    await asyncio.sleep(0)

    await asyncio.wait_for(saving.aclose(), 30)


async def test_closing_without_a_try() -> None:
    await UnsavedReplyRetry(Away(0).save).aclose()


async def test_what_nobody_expected_is_logged_and_ends_nothing() -> None:
    tries: list[int] = []
    saved = asyncio.Event()

    async def save() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not expected")
        saved.set()

    saving = UnsavedReplyRetry(save, pauses=(0.0,))
    with capture_logs() as logs:
        saving.begin()
        await asyncio.wait_for(saved.wait(), 30)
    await saving.aclose()

    assert [each["event"] for each in logs] == ["saving_failed"]
