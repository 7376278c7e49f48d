"""The names under which messages are learned from, and whether a name's program still runs.

A claim is void after some minutes. What a program of this machine had when it died is free at once,
so that what was said last is learned when the chat is begun again.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

_RUN = uuid4().hex[:12]


def new_claim() -> str:
    """A name that nobody else uses: the machine, the process, its run, and a number."""
    return f"{_machine()} {os.getpid()} {_RUN} {uuid4().hex[:12]}"


def is_ended(claim: str) -> bool:
    """Whether the program that made it is known to be gone; False where it ran elsewhere."""
    if not claim.startswith(f"{_machine()} "):
        return False
    pid, run, _ = claim.split(" ")[-3:]
    return run != _RUN if int(pid) == os.getpid() else not _runs(int(pid))


def _machine() -> str:
    """With the space of its process numbers: containers may share a host's name, but not that."""
    numbers = ""
    with suppress(OSError):
        numbers = str(Path("/proc/self/ns/pid").readlink())
    return f"{socket.gethostname()[:150]} {numbers}"


def _runs(pid: int) -> bool:
    if sys.platform == "win32":  # where the signal that asks would end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True
