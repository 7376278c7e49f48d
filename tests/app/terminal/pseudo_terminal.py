"""The program on a terminal of its own, and somebody who types into it."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.app.program import Program

SECONDS = 180.0
# The first terminal that a new session opens is the one whose Ctrl-C and hang-up it gets.
_ON_ITS_OWN_TERMINAL = (
    "import os, sys; os.open(os.ttyname(0), os.O_RDWR); os.execv(sys.argv[1], sys.argv[1:])"
)
_ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()][A-Z0-9]?)")


class PseudoTerminal:
    def __init__(self, process: subprocess.Popen[bytes], ours: int) -> None:
        self.process = process
        self._ours = ours
        self._seen = ""

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def expect(self, text: str) -> str:
        """Waits until the text is on the terminal; gives what stood before it, escapes aside."""
        deadline = time.monotonic() + SECONDS
        while text not in self._seen:
            assert self._read(deadline), f"{text!r} did not come; there was {self._seen!r}"
        before, _, self._seen = self._seen.partition(text)
        return before

    def wait(self) -> int:
        """The exit code; what is still written is read, so that the program can end."""
        deadline = time.monotonic() + SECONDS
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read(time.monotonic() + 0.05)
        return self.process.wait(SECONDS)

    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._ours)[3] & termios.ECHO)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)

    def _read(self, deadline: float) -> bool:
        """False at the end of what there is to read."""
        ready, _, _ = select.select([self._ours], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return False
        try:
            read = os.read(self._ours, 65_536)
        except OSError:  # Linux' way to say that nobody has the other side open any more
            return False
        self._seen = _ESCAPE.sub("", self._seen + read.decode(errors="replace"))
        return bool(read)


@contextmanager
def on_a_terminal(program: Program, *words: str) -> Iterator[PseudoTerminal]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _ON_ITS_OWN_TERMINAL, *program.command(*words)],
        cwd=program.folder,
        env=program.environment | {"COLUMNS": "80", "LINES": "24", "PROMPT_TOOLKIT_NO_CPR": "1"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    # Kept open here as well: a terminal whose last holder is gone forgets its settings.
    terminal = PseudoTerminal(process, ours)
    try:
        yield terminal
    finally:
        terminal.close()
        os.close(theirs)
