"""The program in a pipe, on one data folder for all tests."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from uuid import uuid4

import pytest

from agent.turn.notices import NOT_DONE
from memory.local_services.services import ServiceAddresses
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.types import StoredMemory
from tests.app.program import SECONDS, Program
from tests.app.terminal.conftest import said_by

pytestmark = pytest.mark.xdist_group("program")


@pytest.fixture
def person(program: Program) -> Program:
    program.settings["KEEPSAKE_USER"] = f"user-{uuid4().hex[:8]}"
    return program


def test_what_one_process_was_told_the_next_one_knows_and_cites(person: Program) -> None:
    told = person.run_process("chat", said="remember that I prefer uv over pip\n", code=0)
    assert told.stdout.splitlines() == ["I will remember: “I prefer uv over pip”", ""]
    asked = person.run_process("chat", said="Do I prefer uv or pip?\n", code=0)
    answer, title, memory, end = asked.stdout.splitlines()
    assert answer.startswith("Based on what you told me (kept on ")
    assert "I prefer uv over pip" in answer
    assert title == "memories used:"
    assert memory.endswith("  I prefer uv over pip")
    assert end == ""
    assert "\x1b" not in told.stdout + asked.stdout
    assert told.stderr == asked.stderr == ""
    other = person.run(
        "chat", "--user", "other", said="Do I prefer uv or pip?\n/memories\n", code=0
    )
    assert "uv over pip" not in other.stdout
    log = (person.home / "logs" / "keepsake.log").read_text()
    assert '"event": "recall"' in log
    assert "uv" not in log


def test_bad_lines_fail_in_words_and_the_others_go_on(
    person: Program, program_services: ServiceAddresses
) -> None:
    lines = [
        b"hello",
        b"",
        b"   ",
        b"\xff\xfe",
        b"\x00\x00",
        b"\xed\xa0\x80",
        b"x" * 1_000_000,
        b"'; DROP TABLE messages; --",
        b"hel\x00lo",
        b"/nope",
        b"hello",
    ]
    ended = person.run("chat", said=b"\n".join(lines), code=1)
    faults = ended.stderr.splitlines()
    assert [fault.split(": ")[1] for fault in faults] == [f"line {n}" for n in (4, 5, 6, 7, 10)]
    assert "not UTF-8" in faults[0]
    assert "nothing in it to read" in faults[1]
    assert "longer than 100,000 characters" in faults[3]
    assert "There is no /nope" in faults[4]
    assert ended.stdout.count("Hello. Ask me about something") == 3
    [conversation] = asyncio.run(said_by(person, program_services))
    assert [message.content for message in conversation if message.role == "user"] == [
        "hello",
        "'; DROP TABLE messages; --",
        "hello",
        "hello",
    ]


def test_a_yes_after_a_command_answers_no_question_from_before_it(person: Program) -> None:
    said = "remember that I like tea\n/erase\n/help\nyes\n/memories\n"
    told = person.run_process("chat", said=said, code=0)
    assert NOT_DONE in told.stdout
    assert "is erased" not in told.stdout
    assert told.stdout.rstrip().endswith("I like tea")


def test_a_reader_that_goes_away_is_no_error(person: Program) -> None:
    with person.start("chat") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("hello\n" * 5)
        process.stdin.close()
        assert process.stdout.readline().startswith("Hello.")
        process.stdout.close()
        assert process.wait(SECONDS) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_database_that_was_killed_is_started_again_within_the_turn(person: Program) -> None:
    with person.start("chat") as process:
        assert process.stdin is not None
        _ask(process, "remember that I use vim")
        postmaster = (person.home / "postgres" / "postmaster.pid").read_text().split()[0]
        os.kill(int(postmaster), signal.SIGKILL)
        answer = _ask(process, "Do I use vim?")
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stderr is not None
        assert "PostgreSQL had stopped and was started again." in process.stderr.read()
    assert "I use vim" in answer[0]


def test_a_valkey_that_was_killed_is_started_again_without_a_word(person: Program) -> None:
    socket = person.home / "sockets" / "valkey.sock"
    with person.start("chat") as process:
        assert process.stdin is not None
        _ask(process, "hello")
        before = _valkey(person.home)
        os.kill(before, signal.SIGKILL)
        _ask(process, "hello")
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert socket.exists()
    assert _valkey(person.home) != before


def test_a_seed_file_is_kept_whole(person: Program, program_services: ServiceAddresses) -> None:
    (person.folder / "seed.json").write_text(
        '{"memories": [{"content": "I live in Berlin", "created_at": "2025-03-01"},'
        ' {"content": "My cat is called Ada", "type": "note"}]}'
    )
    kept = person.run("seed", "seed.json", code=0)
    assert kept.stdout == f"Kept 2 memories for {person.settings['KEEPSAKE_USER']}.\n"
    items = asyncio.run(_kept_by(person, program_services))
    found = {item.content: (item.type, item.created_at.year, item.manually_saved) for item in items}
    assert found["I live in Berlin"] == ("fact", 2025, True)
    assert found["My cat is called Ada"][0] == "note"


def test_a_worker_is_alive_until_it_is_told_to_end(person: Program) -> None:
    person.settings["WORKER_POLL_SECONDS"] = "0.1"
    with person.start("worker") as process:
        assert process.stdout is not None
        assert '"event": "worker started"' in process.stdout.readline()
        assert person.run("worker", "--check", code=0).stdout == "The worker is alive.\n"
        process.terminate()
        assert '"event": "worker stopped"' in process.stdout.read()
        assert process.wait(SECONDS) == 0
    assert "No worker runs" in person.run("worker", "--check", code=1).stderr


def test_a_database_that_is_up_to_date_is_told_so(person: Program) -> None:
    assert person.run("migrate", code=0).stdout == "The database is up to date.\n"


async def _kept_by(program: Program, services: ServiceAddresses) -> list[StoredMemory]:
    database = await Database.open(services.database_url, connections=1)
    try:
        return await MemoryStore(database).list_recent(program.settings["KEEPSAKE_USER"])
    finally:
        await database.close()


def _ask(process: subprocess.Popen[str], line: str) -> list[str]:
    """The lines of the answer, up to the empty one behind it."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    lines = []
    while (said := process.stdout.readline()) != "\n":
        assert said, "the chat ended in the middle of an answer"
        lines.append(said)
    return lines


def _valkey(home: Path) -> int:
    """The process that serves this home."""
    found = subprocess.run(
        ["pgrep", "-f", f"valkey-server {home}/"], capture_output=True, check=True, text=True
    )
    return int(found.stdout.split()[0])
