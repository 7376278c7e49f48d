from __future__ import annotations

import asyncio
import os
from pathlib import Path

from app.worker.heartbeat import FRESH_SECONDS, heartbeat, why_not_alive


def test_a_fresh_file_is_a_living_worker(tmp_path: Path) -> None:
    file = tmp_path / "worker.alive"
    file.touch()
    os.utime(file, (1000, 1000))
    assert why_not_alive(file, 1000 + FRESH_SECONDS) is None
    assert "31 seconds" in str(why_not_alive(file, 1031))


def test_no_file_is_no_worker(tmp_path: Path) -> None:
    assert "No worker runs" in str(why_not_alive(tmp_path / "worker.alive", 0))


async def test_the_file_is_there_while_the_worker_is(tmp_path: Path) -> None:
    file = tmp_path / "worker.alive"
    async with heartbeat(file):
        async with asyncio.timeout(30):
            while not file.exists():
                await asyncio.sleep(0)
    assert not file.exists()
