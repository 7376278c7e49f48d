"""The program on a terminal, with a model that would write for minutes."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

import pytest

from memory.actions.import_formats import EXPORT_BATCH
from memory.local_services.services import ServiceAddresses
from tests.app.program import SECONDS, Program
from tests.app.terminal.conftest import said_by
from tests.app.terminal.pseudo_terminal import on_a_terminal
from tests.app.work.rows import owner_of
from tests.memory.exports import a_memory, export_of

WRITTEN_TOO = (
    "INSERT INTO memory_items (user_id, id, content, type) VALUES ($1, $2, 'I own a boat', 'note')"
)
pytestmark = pytest.mark.xdist_group("program")


@pytest.fixture
def talking(program: Program, model_settings: dict[str, str]) -> Program:
    program.settings |= model_settings | {"KEEPSAKE_USER": f"user-{uuid4().hex[:8]}"}
    return program


async def test_ctrl_c_stops_an_answer_and_twice_leaves(
    talking: Program, program_services: ServiceAddresses
) -> None:
    with on_a_terminal(talking, "chat") as terminal:
        terminal.expect("/help shows what can be typed")
        terminal.expect("›")
        terminal.type("go on and on\r")
        terminal.expect("word word word")
        assert not terminal.echoes()
        terminal.type("\x03")
        terminal.expect("Stopped.")
        terminal.expect("›")
        terminal.type("/memores\r")
        terminal.expect("Did you mean /memories?")
        terminal.expect("›")
        terminal.type("half a thought")
        terminal.expect("half a thought")
        terminal.type("\x03")
        terminal.expect("\n")
        terminal.expect("›")
        terminal.type("\x03")
        terminal.expect("Ctrl-C again leaves")
        terminal.expect("›")
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert terminal.echoes()
    [[asked, answered]] = await said_by(talking, program_services)
    assert (asked.content, asked.status) == ("go on and on", "complete")
    assert answered.status == "interrupted"
    assert answered.content.startswith("word word word")


async def test_ctrl_c_stops_an_import_and_the_same_again_brings_the_rest(
    talking: Program, program_services: ServiceAddresses, tmp_path: Path
) -> None:
    """It is stopped in its second batch, which waits for somebody who writes the same memory."""
    path = tmp_path / "mine.json"
    memories = [a_memory(f"I own kayak {number}") for number in range(EXPORT_BATCH + 20)]
    path.write_text(json.dumps(export_of(*memories)))
    with on_a_terminal(talking, "chat") as terminal:
        terminal.expect("›")
        async with owner_of(program_services.database_url) as owner:
            writing = owner.transaction()
            await writing.start()
            user_id = talking.settings["KEEPSAKE_USER"]
            await owner.execute(WRITTEN_TOO, user_id, memories[-1]["id"])
            terminal.type(f"/import {path}\r")
            terminal.expect(f"{EXPORT_BATCH}/{EXPORT_BATCH + 20}")
            terminal.type("\x03")
            terminal.expect("What came in stays; the same import again brings the rest.")
            terminal.expect("›")
            await writing.rollback()
        terminal.type(f"/import {path}\r")
        terminal.expect(f"Imported: 20 new, {EXPORT_BATCH} known already.")
        terminal.expect("›")
        terminal.type(f"/import {path}\r")
        terminal.expect(f"Imported: 0 new, {EXPORT_BATCH + 20} known already.")
        terminal.type("/quit\r")


async def test_a_terminal_that_hangs_up_leaves_the_reply_stored(
    talking: Program, program_services: ServiceAddresses
) -> None:
    with on_a_terminal(talking, "chat") as terminal:
        terminal.expect("›")
        terminal.type("go on\r")
        terminal.expect("word word word")
        terminal.process.send_signal(1)
        assert terminal.wait() == 129
        assert terminal.echoes()
    [[_, answered]] = await said_by(talking, program_services)
    assert answered.status == "interrupted"


async def test_sigterm_in_a_pipe_leaves_the_reply_stored(
    talking: Program, program_services: ServiceAddresses
) -> None:
    with talking.start("chat") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("go on\n")
        process.stdin.flush()
        assert process.stdout.read(9) == "word word"
        process.terminate()
        process.stdout.read()
        assert process.wait(SECONDS) == 143
        assert process.stderr is not None
        assert process.stderr.read() == ""
    [[_, answered]] = await said_by(talking, program_services)
    assert answered.status == "interrupted"
    assert answered.content.startswith("word word")
