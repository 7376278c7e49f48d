"""Standard input as lines, whatever bytes come."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator

from memory.errors import MessageRefused
from memory.models import MAX_MESSAGE_CHARS

CHUNK_BYTES = 65_536
CHUNKS_AHEAD = 4
# No line that may be sent is longer; of one that is, no more than this is held in memory.
MAX_LINE_BYTES = 4 * MAX_MESSAGE_CHARS + 4
_BYTE_ORDER_MARK = "\ufeff"


class LineSplitter:
    """Cuts chunks into lines. A line too long to be a message is kept only in part, which is
    still too long to be one."""

    def __init__(self) -> None:
        self._line = bytearray()

    def add(self, chunk: bytes) -> Iterator[bytes]:
        *ended, open_end = chunk.split(b"\n")
        for part in ended:
            self._extend(part)
            yield self._take()
        self._extend(open_end)

    def end(self) -> Iterator[bytes]:
        """The last line, where no line end followed it."""
        if self._line:
            yield self._take()

    def _extend(self, part: bytes) -> None:
        self._line += part[: MAX_LINE_BYTES + 1 - len(self._line)]

    def _take(self) -> bytes:
        line = bytes(self._line)
        self._line.clear()
        return line


def decode(line: bytes) -> str:
    """A line as text. Raises MessageRefused where it is not UTF-8, rather than to store a text
    with holes, and where it is longer than any message."""
    if len(line) > MAX_LINE_BYTES:
        raise MessageRefused(
            reason=f"it is longer than {MAX_MESSAGE_CHARS:,} characters. Send it in parts."
        )
    try:
        return line.decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        raise MessageRefused(
            reason=f"byte {error.start + 1} of it is not UTF-8; convert it to UTF-8 first."
        ) from None


async def read_lines(descriptor: int) -> AsyncIterator[bytes]:
    """The lines of a file, pipe or terminal, without holding up the loop.

    A daemon thread reads, since nothing else works for all three: on the way out
    nobody waits for a read that may never end.
    """
    chunks: asyncio.Queue[bytes] = asyncio.Queue(CHUNKS_AHEAD)
    loop = asyncio.get_running_loop()
    threading.Thread(
        target=_read, args=(descriptor, chunks, loop), name="read stdin", daemon=True
    ).start()
    splitter = LineSplitter()
    while chunk := await chunks.get():
        for line in splitter.add(chunk):
            yield line
    for line in splitter.end():
        yield line


def _read(descriptor: int, chunks: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    chunk = b"-"
    while chunk:
        try:
            chunk = os.read(descriptor, CHUNK_BYTES)
        except OSError:
            chunk = b""
        try:
            asyncio.run_coroutine_threadsafe(chunks.put(chunk), loop).result()
        except (RuntimeError, asyncio.CancelledError):
            return  # the loop is gone, and nobody wants it any more
