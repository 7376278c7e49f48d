"""Runs a command as another user: `python -m tests.memory.embedded.unprivileged UID GID COMMAND…`.

Where the interpreter lies in a folder that is closed to that user, as below /root, the command
keeps the capability to read it; otherwise it is a user like any other."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from memory.local_services import launcher

if __name__ == "__main__":
    uid, gid, *command = sys.argv[1:]
    order = launcher.LaunchOrder(
        command=[os.path.realpath(command[0])],
        folder=sys.prefix,
        reach=[str(Path(os.__file__).parent), str(Path.cwd())],
        lock="",
        log="",
        account=None,
        detach=False,
        change=None,
    )
    launcher.become_account(order, (int(uid), int(gid)))
    os.execv(command[0], command)
