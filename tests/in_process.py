"""A command line in this process: what a command writes and how it ends, without the seconds that
an interpreter of its own takes to start."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog


def run_in_process(
    command: Callable[[list[str]], object],
    *words: str,
    folder: Path,
    environment: Mapping[str, str],
    said: bytes = b"",
) -> subprocess.CompletedProcess[str]:
    """In this folder and with this environment alone; folder, environment, streams and log of the
    test run are as before afterwards. Not for a test that is a coroutine: the command runs a loop
    of its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryFile("w+b") as file,
        io.TextIOWrapper(file, "utf-8") as stdin,
        _log_of_its_own(),
    ):
        file.write(said)
        file.seek(0)
        for name, stream in (("stdin", stdin), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        for name in set(os.environ) - set(environment):
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        code = _exit_code(command, [*words])
    written = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(words, code, *written)


def _exit_code(command: Callable[[list[str]], object], words: list[str]) -> int:
    try:
        ended = command(words)
    except SystemExit as exit_:
        ended = exit_.code
    assert ended is None or isinstance(ended, int)
    return ended or 0


@contextmanager
def _log_of_its_own() -> Iterator[None]:
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    levels = {
        name: logger.level
        for name, logger in logging.root.manager.loggerDict.items()
        if isinstance(logger, logging.Logger)
    }
    root.handlers = []
    try:
        yield
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers = handlers
        root.setLevel(level)
        for name, each in levels.items():
            logging.getLogger(name).setLevel(each)
        structlog.configure(**before)
