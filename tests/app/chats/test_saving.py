from __future__ import annotations

import asyncio

from app.chats.saving import SavingLate
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
    saving = SavingLate(away.save, pauses=(0.0,))

    saving.begin()
    saving.begin()

    await asyncio.wait_for(away.saved.wait(), 5)
    await saving.aclose()


async def test_closing_ends_the_tries() -> None:
    saving = SavingLate(Away(10**9).save, pauses=(0.0,))
    saving.begin()
    await asyncio.sleep(0)

    await asyncio.wait_for(saving.aclose(), 5)


async def test_closing_without_a_try() -> None:
    await SavingLate(Away(0).save).aclose()
