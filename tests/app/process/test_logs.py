from __future__ import annotations

import logging
from pathlib import Path

from app.logs import MAX_BYTES, PrivateLogFile


def _record(text: str) -> logging.LogRecord:
    return logging.LogRecord("app", logging.INFO, __file__, 1, text, None, None)


def test_only_its_owner_reads_the_log(tmp_path: Path) -> None:
    log = PrivateLogFile(tmp_path / "keepsake.log")
    log.emit(_record("x"))
    log.close()
    assert (tmp_path / "keepsake.log").stat().st_mode & 0o777 == 0o600


def test_three_files_of_five_megabytes_are_the_most(tmp_path: Path) -> None:
    log = PrivateLogFile(tmp_path / "keepsake.log")
    for _ in range(40):
        log.emit(_record("x" * (MAX_BYTES // 8)))
    log.close()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["keepsake.log", "keepsake.log.1", "keepsake.log.2"]
    assert all(file.stat().st_size <= MAX_BYTES for file in files)
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


def test_a_log_that_another_program_turned_over_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "keepsake.log"
    log = PrivateLogFile(path)
    log.emit(_record("before"))
    path.rename(tmp_path / "keepsake.log.1")
    log.emit(_record("after"))
    log.close()
    assert path.read_text() == "after\n"
