"""`python -m app mcp` as a process: what is on its output, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from app.mcp.stdio import DeferredStartup
from memory.config import Settings
from memory.errors import DatabaseUnavailable
from memory.local_services.services import ServiceAddresses
from tests.acceptance.outage import door_to
from tests.app.program import SECONDS, MakeProgram, Program

BEGIN: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a test", "version": "1"},
}


class Spoken:
    """A process that is spoken to line by line; every line of its output has to be a message."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._number = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        self.say({"id": self._number, "method": method, "params": params})
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self._number)
        result: dict[str, Any] = answer["result"]
        return result

    def begin(self) -> None:
        assert self.ask("initialize", **BEGIN)["serverInfo"]["name"] == "keepsake"
        self.say({"method": "notifications/initialized"})

    def call(self, name: str, **arguments: Any) -> str:
        result = self.ask("tools/call", name=name, arguments=arguments)
        text: str = result["content"][0]["text"]
        return text

    def say(self, message: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0"} | message))

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ended(self, code: int) -> str:
        """What is on its error output; nothing is left on the other."""
        out, err = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == code, err
        assert out == ""
        return err


@contextmanager
def spoken(program: Program, *words: str) -> Iterator[Spoken]:
    process = program.start("mcp", *words)
    try:
        yield Spoken(process)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def program(tmp_path: Path, own_database_url: str, services: ServiceAddresses) -> Program:
    return Program(tmp_path, DATABASE_URL=own_database_url, REDIS_URL=services.redis_url)


def test_it_ends_with_its_input(program: Program, user_id: str) -> None:
    with spoken(program, "--user", user_id) as one:
        one.begin()
        assert one.call("remember", text="I own a red kayak").startswith("Kept: ")
        one.write("{this is no message")
        assert one.call("list_memories", text="boat") == "Nothing is remembered about that."
        assert one.ended(0) == ""


def test_a_signal_ends_it_at_once(program: Program) -> None:
    """Although nothing more comes in that would wake its reader."""
    with spoken(program) as one:
        one.begin()
        assert "Nothing is remembered" in one.call("memory_summary")
        one.process.send_signal(signal.SIGTERM)
        assert one.process.wait(SECONDS) == 128 + signal.SIGTERM


def test_it_may_end_before_the_database_is_open(program: Program) -> None:
    with spoken(program) as one:
        one.begin()
        assert one.ended(0) == ""


def test_several_at_once_share_their_embedded_services(make_program: MakeProgram) -> None:
    """In one data folder, the first of them making it, with a chat beside them; progress is not on
    the output."""
    program = make_program()
    with spoken(program, "--user", "ann") as one, spoken(program, "--user", "ann") as other:
        for each in (one, other):
            each.begin()
        assert one.call("remember", text="I own a red kayak").startswith("Kept: ")
        assert "red kayak" in other.call("search_memory", query="Which kayak do I own?")
        one.ended(0)
        chatted = program.run("chat", "--user", "ann", said="What do you know about me?\n", code=0)
        assert "red kayak" in chatted.stdout
        assert "red kayak" in other.call("list_memories")
        other.ended(0)


def test_a_setting_that_is_not_usable_is_said(make_program: MakeProgram) -> None:
    program = make_program(MAX_RESULTS="many")
    ended = program.run("mcp", code=2)
    assert ended.stdout == ""
    assert "MAX_RESULTS" in ended.stderr


async def test_a_database_that_comes_later_is_found(
    settings: Settings, own_database_url: str, services: ServiceAddresses
) -> None:
    """Until then every call says why there is none."""
    async with door_to(own_database_url) as (door, url):
        await door.shut()
        addressed = settings.model_copy(
            update={"database_url": SecretStr(url), "redis_url": SecretStr(services.redis_url)}
        )
        async with DeferredStartup(addressed) as opening:
            with pytest.raises(DatabaseUnavailable):
                await opening.memory()
            await door.open()
            memory = await opening.memory()
            assert await memory.entries.all("somebody") == []
