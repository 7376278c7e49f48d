"""Becomes a server: the one process between a program and PostgreSQL or Valkey.

Run as a file (`python -I -S launcher.py ORDER`), it imports nothing of Keepsake, and does what a
threaded program cannot do safely between fork and exec:

1. It takes the server's lock file and leaves the descriptor open, so that the server and its
   children hold the lock for as long as one of them lives. That, and not a process number, is
   how Keepsake knows that a server runs: numbers are reused, a lock goes with its holders.
2. As root it becomes the account that owns the data. Where this account cannot enter the folders
   (a home below /root, a virtual environment there), it keeps one capability, to read and search
   past permissions, instead of opening those folders to everybody.
3. It detaches, so that Ctrl-C in the terminal or the death of the program do not reach the server.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import sys
from typing import NamedTuple, NoReturn, TypedDict

LOCK_IS_HELD = 75
UNREACHABLE = 77
NOT_PERMITTED = 78

_PR_SET_KEEPCAPS = 8
_PR_SET_SECUREBITS = 28
_NO_SETUID_FIXUP = 1 << 2
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_CAPABILITY_VERSION_3 = 0x20080522
_DAC_OVERRIDE = 1 << 1
_DAC_READ_SEARCH = 1 << 2
_SETPCAP = 1 << 8


class LaunchOrder(TypedDict):
    """What to start. `account` is (uid, gid) to become, `reach` what that account must be able to
    enter and read, `change` the inherited descriptor of the lock under which all this happens, to
    be kept until the server is there; paths are absolute."""

    command: list[str]
    folder: str
    lock: str
    log: str
    account: tuple[int, int] | None
    reach: list[str]
    detach: bool
    change: int | None


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
        ("rest", ctypes.c_uint32 * 3),
    )


class _Capabilities(NamedTuple):
    """The kernel's calls; the capabilities used here are all in the first 32 bits."""

    libc: ctypes.CDLL

    def keep_over_setuid(self) -> None:
        self.libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)

    def use(self, mask: int) -> bool:
        """Makes `mask` effective and inheritable; False where this process does not have it."""
        header, sets = _Header(_CAPABILITY_VERSION_3, 0), _Sets()
        if self.libc.capget(ctypes.byref(header), ctypes.byref(sets)) != 0:
            return False
        sets.effective = sets.inheritable = mask
        return bool(self.libc.capset(ctypes.byref(header), ctypes.byref(sets)) == 0)

    def hand_on(self, mask: int) -> bool:
        """Drops all but `mask` and lets the server, which is not setuid, start with it."""
        # access(2), with which PostgreSQL looks for its own programs, leaves capabilities out of
        # account unless this bit is set.
        if mask and not (
            self.use(_SETPCAP)
            and self.libc.prctl(_PR_SET_SECUREBITS, _NO_SETUID_FIXUP, 0, 0, 0) == 0
        ):
            return False
        header = _Header(_CAPABILITY_VERSION_3, 0)
        sets = _Sets(effective=mask, permitted=mask, inheritable=mask)
        if self.libc.capset(ctypes.byref(header), ctypes.byref(sets)) != 0:
            return False
        bits = (bit for bit in range(32) if mask >> bit & 1)
        return all(
            self.libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, bit, 0, 0) == 0 for bit in bits
        )


def _fail(code: int, sentence: str) -> NoReturn:
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()
    os._exit(code)


def _reaches(order: LaunchOrder) -> bool:
    """Asks the kernel, so that groups, ACLs and capabilities all count."""
    program, *others = [order["command"][0], order["folder"], *order["reach"]]
    return os.access(program, os.R_OK | os.X_OK, effective_ids=_by_effective_ids()) and all(
        os.access(path, os.R_OK | os.X_OK, effective_ids=_by_effective_ids()) for path in others
    )


def _by_effective_ids() -> bool:
    return os.access in os.supports_effective_ids


def become_account(order: LaunchOrder, account: tuple[int, int]) -> None:
    """Gives up root for `account`, with the least that lets it reach what the order names; leaves
    with a code from above when that cannot be had."""
    uid, gid = account
    linux = _Capabilities(ctypes.CDLL(None, use_errno=True)) if sys.platform == "linux" else None
    if linux:
        linux.keep_over_setuid()
    try:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    except OSError as error:
        _fail(NOT_PERMITTED, f"cannot become user {uid}: {error.strerror}")
    if linux is None:
        if not _reaches(order):
            _fail(UNREACHABLE, f"user {uid} cannot enter the folders")
        return
    # The least that suffices: nothing; reading and searching; and, where a container has taken
    # that one from root, the wider one.
    for mask in (0, _DAC_READ_SEARCH, _DAC_OVERRIDE):
        if linux.use(mask) and _reaches(order) and linux.hand_on(mask):
            return
    _fail(UNREACHABLE, f"user {uid} cannot enter the folders")


def _hold(lock: str) -> int:
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _fail(LOCK_IS_HELD, "it is running already")
    os.set_inheritable(descriptor, True)
    return descriptor


def _detach() -> None:
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)


def launch(order: LaunchOrder) -> NoReturn:
    """Ends as the server (or as a tool that is waited for); before that it leaves with one of the
    codes above and one line on standard error."""
    os.umask(0o077)
    if order["change"] is not None:
        os.set_inheritable(order["change"], False)
    lock = _hold(order["lock"])
    appending = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    log = os.open(order["log"], appending, 0o600)
    if order["account"] is not None:
        become_account(order, order["account"])
    os.chdir(order["folder"])
    if order["detach"]:
        _detach()
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.execv(order["command"][0], order["command"])  # noqa: S606 (no shell is the point)


if __name__ == "__main__":
    launch(json.loads(sys.argv[1]))
