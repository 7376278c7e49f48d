"""Which process is meant. A process number alone may belong to another program by now."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_PROC = Path("/proc")


def runs_on(pid: int, data: Path) -> bool:
    """Whether process `pid` lives and was started on the folder `data`. A dead one that nobody has
    collected (a zombie) has no command line, and does not count."""
    if (_PROC / "self").exists():
        try:
            return os.fsencode(data) in (_PROC / str(pid) / "cmdline").read_bytes()
        except OSError:
            return False
    shown = subprocess.run(  # noqa: S603
        ["/bin/ps", "-ww", "-o", "args=", "-p", str(pid)],
        capture_output=True,
        check=False,
        timeout=5,
    )
    return os.fsencode(data) in shown.stdout


def holders(lock: Path) -> list[int]:
    """The other processes that have the file `lock` open, as far as this one may see them; none
    where the system has no /proc."""
    wanted = lock.stat()
    others = (path for path in _PROC.glob("[0-9]*") if path.name != str(os.getpid()))
    return [int(path.name) for path in others if _has_open(path, wanted)]


def _has_open(process: Path, wanted: os.stat_result) -> bool:
    try:
        descriptors = list((process / "fd").iterdir())
    except OSError:
        return False
    return any(_is_same(descriptor, wanted) for descriptor in descriptors)


def _is_same(descriptor: Path, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat(descriptor.stat(), wanted)
    except OSError:
        return False
