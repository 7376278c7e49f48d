from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from memory.errors import ServiceStartFailed
from memory.local_services.data_folder import DataFolder, ServiceAccount
from memory.local_services.process import FileLock, ServerProcess, is_server_process, lock_holders
from tests.memory.embedded.conftest import eventually

# Python stands in for a server: it lies where every test can reach it.
_SLEEP = "import sys, time; print('up', flush=True); time.sleep(60)"


@pytest.fixture
def process(tmp_path: Path) -> ServerProcess:
    home = DataFolder(tmp_path / "home")
    home.prepare()
    own = ServiceAccount(os.getuid(), os.getgid(), foreign=False)
    change = FileLock(home.change_lock)
    return ServerProcess(
        "Stand-in", home.valkey_data, home.valkey_lock, home.valkey_log, own, change
    )


def command(process: ServerProcess, code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code, str(process.data))


async def said_up(process: ServerProcess) -> bool:
    return "up" in process.log.read_text()


async def gone(process: ServerProcess) -> bool:
    return not process.alive()


async def end(process: ServerProcess) -> None:
    process.signal(signal.SIGKILL)
    await eventually(lambda: gone(process))


async def test_it_lives_as_long_as_its_lock_and_gets_its_signals(process: ServerProcess) -> None:
    assert not process.alive()
    await process.launch(command(process, _SLEEP), process.data, ())
    assert process.alive()
    with pytest.raises(ServiceStartFailed, match="another copy of it is just starting or ending"):
        await process.launch(command(process, _SLEEP), process.data, ())
    await eventually(lambda: said_up(process))
    await end(process)


async def test_children_of_a_dead_one_keep_it_alive_and_can_be_ended(
    process: ServerProcess,
) -> None:
    code = "import os\nif os.fork(): os._exit(0)\n" + _SLEEP
    await process.launch(command(process, code), process.data, ())
    await eventually(lambda: orphaned(process))
    assert len(lock_holders(process.lock)) == 1
    await end(process)


async def test_a_signal_never_goes_to_another_program(process: ServerProcess) -> None:
    process.lock.write_text(f"{os.getpid()}\n")
    process.signal(signal.SIGKILL)
    assert not is_server_process(os.getpid(), process.data)


async def test_a_tool_that_fails_says_why(process: ServerProcess) -> None:
    with pytest.raises(ServiceStartFailed, match="FATAL: no space"):
        await process.run(
            command(process, "print('FATAL: no space'); print('bye'); raise SystemExit(3)"),
            *(process.data, ()),
            timeout=60,
        )


async def test_a_tool_that_takes_too_long_is_ended_with_its_children(
    process: ServerProcess,
) -> None:
    code = "import os; os.fork()\n" + _SLEEP
    with pytest.raises(ServiceStartFailed, match=r"longer than 0\.5 seconds"):
        await process.run(command(process, code), process.data, (), timeout=0.5)
    await eventually(lambda: gone(process))


async def test_a_cancelled_tool_is_ended(process: ServerProcess) -> None:
    running = asyncio.create_task(
        process.run(command(process, _SLEEP), process.data, (), timeout=60)
    )
    await eventually(lambda: said_up(process))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await eventually(lambda: gone(process))


async def test_what_starts_a_server_holds_the_change_lock_until_the_server_is_there(
    process: ServerProcess,
) -> None:
    """Its program may be killed in between: it is stood in for by closing its own descriptor."""
    process.change.try_exclusive()
    os.mkfifo(process.log.with_name("fifo"))
    process.log = process.log.with_name("fifo")
    starting = asyncio.create_task(process.run(command(process, ""), process.data, (), timeout=60))
    await eventually(lambda: alive(process))
    process.change.release()
    next_program = FileLock(process.lock.with_name("change.lock"))
    assert not next_program.try_exclusive()
    reader = os.open(process.log, os.O_RDONLY | os.O_NONBLOCK)
    await starting
    os.close(reader)
    assert next_program.try_exclusive()
    next_program.release()


async def orphaned(process: ServerProcess) -> bool:
    return "up" in process.log.read_text() and process.orphaned()


async def alive(process: ServerProcess) -> bool:
    return process.alive()
