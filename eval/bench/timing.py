"""How long calls take, one at a time and many at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence

Call = Callable[[str], Awaitable[object]]
AT_ONCE = 20


async def milliseconds(call: Call, question: str) -> float:
    began = time.perf_counter()
    await call(question)
    return (time.perf_counter() - began) * 1000


async def in_turn(calls: Sequence[Call], questions: Sequence[str]) -> list[list[float]]:
    """Milliseconds by call; for each question the calls run one after the other, so that what
    else the machine does hits all of them alike."""
    took: list[list[float]] = [[] for _ in calls]
    for question in questions:
        for times, call in zip(took, calls, strict=True):
            times.append(await milliseconds(call, question))
    return took


async def per_second(call: Call, questions: Sequence[str]) -> float:
    """Answers a second with AT_ONCE callers, each asking its next question when it has an
    answer."""
    waiting = iter(questions)

    async def ask() -> None:
        for question in waiting:
            await call(question)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(ask())
    return len(questions) / (time.perf_counter() - began)


async def at_once(works: Sequence[Coroutine[None, None, None]]) -> None:
    """Ends when all have; the first that fails stops the others."""
    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(work)
