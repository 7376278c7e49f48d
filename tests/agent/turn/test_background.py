from __future__ import annotations

import asyncio
import gc
from typing import Any

from structlog.testing import capture_logs

from agent.turn.background import BackgroundTasks


async def test_what_fails_while_nobody_waits_is_logged_without_its_words() -> None:
    unseen: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: unseen.append(context))

    async def fails() -> None:
        raise ValueError("I live in Oslo")

    background = BackgroundTasks()
    with capture_logs() as logs:
        background.own(fails())
        await background.aclose()
        gc.collect()
    loop.set_exception_handler(None)
    assert unseen == []
    [line] = logs
    assert (line["event"], line["reason"]) == ("background_failed", "ValueError")
    assert line["place"].startswith("test_background.py:")
    assert "Oslo" not in str(line)


async def test_what_ends_well_or_is_cancelled_is_not_logged() -> None:
    background = BackgroundTasks()
    with capture_logs() as logs:
        assert await background.own(asyncio.sleep(0, "done")) == "done"
        task = background.own(asyncio.sleep(3600))
        task.cancel()
        await background.aclose()
    assert logs == []
