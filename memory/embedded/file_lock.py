"""Locks on files, which the kernel lets go when their holder dies, however it dies."""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path

_POLL = 0.02


class FileLock:
    """A flock on one file, shared or exclusive, never waited for inside the kernel: a wait there
    could not be cancelled. Each object has its own hold, also within one program."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    @property
    def descriptor(self) -> int | None:
        """For a child to inherit: the lock is held until the child, too, has closed it."""
        return self._descriptor

    def try_shared(self) -> bool:
        return self._try(fcntl.LOCK_SH)

    def try_exclusive(self) -> bool:
        return self._try(fcntl.LOCK_EX)

    async def wait_exclusive(self, timeout: float) -> None:  # noqa: ASYNC109
        """`timeout` in seconds; raises TimeoutError."""
        async with asyncio.timeout(timeout):
            while not self.try_exclusive():  # noqa: ASYNC110 (other programs hold it)
                await asyncio.sleep(_POLL)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _try(self, kind: int) -> bool:
        if self.held:
            return True
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return True
