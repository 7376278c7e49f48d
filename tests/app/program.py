"""`python -m app` in a folder and with a data folder of its own: as a process, or in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from app.cli.commands import cli
from tests.in_process import run_in_process

# For what waits: it ends at once when what it waits for is there.
SECONDS = 180
# A machine that runs other tests as well is slower than any that somebody waits at.
PATIENT = {"RECALL_TIMEOUT_SECONDS": "20", "EMBEDDING_TIMEOUT_SECONDS": "20"}
PASSED_ON = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT")


@dataclass
class Program:
    folder: Path
    home: Path
    settings: dict[str, str]

    def __init__(self, folder: Path, home: Path | None = None, **settings: str) -> None:
        self.folder = folder
        self.home = home or folder / "home"
        self.settings = settings

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the test run's own settings reaches the program."""
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        root = Path(__file__).parents[2]
        own = {"KEEPSAKE_HOME": str(self.home), "PYTHONPATH": str(root), "TERM": "xterm-256color"}
        return passed | PATIENT | own | self.settings

    def run(
        self, *words: str, said: bytes | str = b"", code: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs it to its end in this process; `code` is the exit code that it has to have."""
        ended = run_in_process(
            lambda words: cli(words, prog_name="python -m app"),
            *words,
            folder=self.folder,
            environment=self.environment,
            said=said if isinstance(said, bytes) else said.encode(),
        )
        assert code is None or ended.returncode == code, ended.stderr
        return ended

    def run_process(
        self, *words: str, said: bytes | str = b"", code: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        """As `run`, for what only a process of its own shows: that nothing else is written, and
        that the next one knows what this one was told."""
        ended = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            input=said if isinstance(said, bytes) else said.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        out, err = ended.stdout.decode(), ended.stderr.decode()
        assert code is None or ended.returncode == code, err
        return subprocess.CompletedProcess(ended.args, ended.returncode, out, err)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    @staticmethod
    def command(*words: str) -> list[str]:
        return [sys.executable, "-m", "app", *words]


MakeProgram: TypeAlias = Callable[..., Program]
