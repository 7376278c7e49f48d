from __future__ import annotations

import asyncio
import socket
import urllib.request

import pytest

from app.telemetry.metrics import serve_metrics
from memory.errors import InvalidSettings
from memory.metrics import MemoryMetrics


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def read(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        return str(answer.read().decode())


async def test_the_metrics_are_there_while_the_program_runs() -> None:
    counters, port = MemoryMetrics(), free_port()
    counters.dedupe_saves.inc(7)
    async with serve_metrics(counters.registry, "127.0.0.1", port):
        told = await asyncio.to_thread(read, port)
    assert "keepsake_dedupe_saves_total 7.0" in told
    with pytest.raises(OSError):
        await asyncio.to_thread(read, port)


async def test_without_a_port_nothing_listens() -> None:
    async with serve_metrics(MemoryMetrics().registry, "no such host", 0):
        pass


async def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InvalidSettings, match=r"METRICS_HOST.*name others"):
            async with serve_metrics(MemoryMetrics().registry, *taken.getsockname()):
                pass
