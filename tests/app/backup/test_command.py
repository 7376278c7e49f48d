from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.ops.backup_archive import claim
from tests.app.program import MakeProgram, Program
from tests.memory.embedded.conftest import copy_home

SEED = '[{"content": "My boat is called Aurora"}]'
QUESTION = "What is my boat called?\n"


@pytest.fixture
def old(tmp_path: Path, home: Path, make_program: MakeProgram) -> Program:
    """An installation in which something is remembered."""
    program = make_program(home, KEEPSAKE_USER="ada")
    seed = tmp_path / "seed.json"
    seed.write_text(SEED)
    program.run("seed", str(seed), code=0)
    return program


def test_from_one_home_into_a_fresh_one(
    tmp_path: Path, old: Program, make_program: MakeProgram
) -> None:
    file = tmp_path / "keepsake.backup"
    left = tmp_path / ".keepsake-1a2b3c4d"
    left.mkdir()
    claim(left).release()
    said = old.run("backup", str(file), "--verify", code=0).stdout
    assert "restored and compared" in said
    assert "secret" in said
    assert not left.exists()

    new = make_program(tmp_path / "new", KEEPSAKE_USER="ada")
    assert "Restored" in new.run("restore", str(file), code=0).stdout
    assert "Aurora" in new.run_process("chat", said=QUESTION, code=0).stdout
    keys = [(each.home / "digest.key").read_bytes() for each in (old, new)]
    assert keys[0] == keys[1]

    refused = new.run("restore", str(file), code=1)
    assert "--replace" in refused.stderr
    new.run("restore", str(file), "--replace", code=0)
    found = json.loads(new.run("doctor", "--json", code=0).stdout)
    assert {each["state"] for each in found if each["part"] != "disk"} == {"ok"}


def test_a_restore_whose_end_fails_says_how_to_go_on(
    tmp_path: Path, finished_home: Path, old: Program, make_program: MakeProgram
) -> None:
    file = tmp_path / "keepsake.backup"
    old.run("backup", str(file), code=0)

    copied = copy_home(finished_home, tmp_path / "new").home.root
    new = make_program(copied, KEEPSAKE_USER="ada")
    in_the_way = new.home / "digest.key" / "folder"
    in_the_way.mkdir(parents=True)
    stopped = new.run("restore", str(file), code=1)
    assert "is restored whole" in stopped.stderr
    assert "--replace" in stopped.stderr
    assert "Restored" not in stopped.stdout

    in_the_way.rmdir()
    in_the_way.parent.rmdir()
    new.run("restore", str(file), "--replace", code=0)
    assert "Aurora" in new.run("chat", said=QUESTION, code=0).stdout


def test_it_is_not_done_while_redis_may_hold_conversations_of_before(
    tmp_path: Path, old: Program, make_program: MakeProgram
) -> None:
    file = tmp_path / "keepsake.backup"
    old.run("backup", str(file), code=0)

    away = make_program(old.home, KEEPSAKE_USER="ada", REDIS_URL="redis://127.0.0.1:1/0")
    stopped = away.run("restore", str(file), "--replace", code=1)

    assert "Restored" not in stopped.stdout
    assert "Redis" in stopped.stderr
    assert "run the same command again with --replace" in stopped.stderr
    assert "Restored" in old.run("restore", str(file), "--replace", code=0).stdout


def test_a_file_that_is_no_backup_is_refused_in_a_sentence(
    tmp_path: Path, make_program: MakeProgram
) -> None:
    file = tmp_path / "holiday.jpg"
    file.write_bytes(b"not a backup" * 1000)
    ended = make_program().run("restore", str(file), code=1)
    assert "is no whole backup" in ended.stderr
