from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from app.ops.backup_archive import claim, work_folder
from app.ops.doctor_checks import Finding, check_folder
from app.worker.heartbeat import FRESH_SECONDS, background_heartbeat_file, heartbeat_file
from memory.config import Settings


@pytest.fixture
def home(settings: Settings) -> Path:
    settings.keepsake_home.chmod(0o700)
    return settings.keepsake_home


def look(settings: Settings) -> dict[str, Finding]:
    return {each.part: each for each in check_folder(settings)}


def test_a_new_folder_is_well(settings: Settings, home: Path) -> None:
    found = look(settings)
    del found["disk"]  # of the machine that the tests run on
    assert {each.state for each in found.values()} == {"ok"}
    assert (home / "digest.key").exists()


def test_a_folder_that_others_can_enter(settings: Settings, home: Path) -> None:
    home.chmod(0o755)
    finding = look(settings)["data folder"]
    assert (finding.state, finding.mend) == ("warning", f"chmod 700 {home}")


def test_what_a_killed_restore_left_is_named(settings: Settings, home: Path) -> None:
    with work_folder(home):
        assert "left over" not in look(settings)
    left = home / ".keepsake-1a2b3c4d"
    left.mkdir()
    claim(left).release()
    assert left.name in look(settings)["left over"].found


def test_a_key_that_others_can_read(settings: Settings, home: Path) -> None:
    look(settings)
    (home / "digest.key").chmod(0o644)
    assert look(settings)["key files"].state == "broken"


def test_a_key_that_is_damaged(settings: Settings, home: Path) -> None:
    (home / "digest.key").write_bytes(b"half")
    finding = look(settings)["digest key"]
    assert finding.state == "broken"
    assert finding.mend


def test_a_worker_that_stopped_without_a_word(settings: Settings, home: Path) -> None:
    file = heartbeat_file(home)
    file.touch()
    assert look(settings)["worker"].state == "ok"
    long_ago = time.time() - FRESH_SECONDS - 60
    os.utime(file, (long_ago, long_ago))
    assert look(settings)["worker"].state == "warning"


def test_a_worker_whose_work_a_server_does_is_missed_by_nobody(
    settings: Settings, home: Path
) -> None:
    long_ago = time.time() - FRESH_SECONDS - 60
    for file in (heartbeat_file(home), background_heartbeat_file(home)):
        file.touch()
        os.utime(file, (long_ago, long_ago))
    assert look(settings)["worker"].state == "warning"
    background_heartbeat_file(home).touch()
    assert look(settings)["worker"].state == "ok"
