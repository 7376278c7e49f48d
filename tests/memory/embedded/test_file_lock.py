from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from memory.local_services.process import FileLock

_HOLD = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_SH); print(1); input()"


def test_many_share_and_one_excludes(tmp_path: Path) -> None:
    first, second, third = (FileLock(tmp_path / "lock") for _ in range(3))
    assert first.try_shared()
    assert second.try_shared()
    assert not third.try_exclusive()
    first.release()
    second.release()
    assert third.try_exclusive()
    assert not first.try_shared()
    third.release()


async def test_waiting_ends_when_it_is_free_and_can_be_cancelled(tmp_path: Path) -> None:
    holder, waiter, other = (FileLock(tmp_path / "lock") for _ in range(3))
    holder.try_exclusive()
    with pytest.raises(TimeoutError):
        await waiter.wait_exclusive(0.05)
    cancelled = asyncio.create_task(other.wait_exclusive(60))
    waiting = asyncio.create_task(waiter.wait_exclusive(60))
    await asyncio.sleep(0)
    cancelled.cancel()
    holder.release()
    await waiting
    assert waiter.held
    assert not other.held
    waiter.release()


async def test_a_killed_holder_holds_no_more(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    holder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-c", _HOLD, str(tmp_path / "lock")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert holder.stdout is not None
    await holder.stdout.readline()
    lock = FileLock(tmp_path / "lock")
    assert not lock.try_exclusive()
    holder.kill()
    await holder.communicate()
    assert lock.try_exclusive()
    lock.release()
