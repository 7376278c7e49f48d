"""Bodies that memory should not hold: in a file of the data folder that has no name, so that nobody
else opens it and nothing is left of it, whatever ends the program."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from memory.errors import NoRoom

# What is left of the disk for the databases, which stop without.
KEPT_FREE = 1_000_000_000
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Spooled:
    """A body from its first byte. Whoever has it closes the file."""

    file: BinaryIO
    size: int
    digest: str

    def pieces(self) -> Iterator[bytes]:
        """All of it, and then the file is closed."""
        with self.file:
            self.file.seek(0)
            while piece := self.file.read(_AT_ONCE):
                yield piece


async def spool(
    pieces: AsyncIterable[bytes], folder: Path, *, kept_free: int = KEPT_FREE
) -> Spooled:
    """Raises NoRoom, for more than a megabyte where less than `kept_free` bytes of the disk would
    be left, and what the pieces raise."""
    file = cast(BinaryIO, await asyncio.to_thread(TemporaryFile, dir=folder))
    digest, size, waiting = hashlib.sha256(), 0, bytearray()

    def write(said: bytes) -> None:
        try:
            if size > _AT_ONCE and shutil.disk_usage(folder).free < kept_free + len(said):
                raise NoRoom
            file.write(said)
            file.flush()
        except OSError as error:
            raise NoRoom from error
        digest.update(said)

    try:
        async for piece in pieces:
            size += len(piece)
            waiting += piece
            if len(waiting) >= _AT_ONCE:
                await asyncio.to_thread(write, bytes(waiting))
                waiting.clear()
        await asyncio.to_thread(write, bytes(waiting))
    except BaseException:
        file.close()
        raise
    return Spooled(file, size, digest.hexdigest())
