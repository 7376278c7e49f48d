"""Standard input, output and errors, so that the rest of the program need not doubt them: lines,
text that is safe to show, progress, and tables."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from memory.errors import MessageRefused
from memory.types import MAX_MESSAGE_CHARS


def prepare_streams() -> None:
    """One that was closed (`>&-`) becomes /dev/null; a sign that one cannot show becomes a question
    mark, never an error."""
    for name, flags, mode in (
        ("stdin", os.O_RDONLY, "r"),
        ("stdout", os.O_WRONLY, "w"),
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


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


def decode_line(line: bytes) -> str:
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


# Control characters but tab and line end, lone surrogates, and the marks that turn the direction
# of writing: with any of them a reply could move the cursor, retitle the window or pose as
# another text.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def sanitize(text: str) -> str:
    """Without anything that a terminal would obey instead of showing it."""
    return _UNSAFE.sub("", text)


def one_line(text: str) -> str:
    return " ".join(sanitize(text).split())


def truncate(text: str, width: int | None) -> str:
    """At most `width` columns (a wide sign has two), the last one an ellipsis if it was longer."""
    if width is None:
        return text
    shortened = Text(text)
    shortened.truncate(max(width, 1), overflow="ellipsis")
    return shortened.plain


class Progress:
    """A line for each thing that is said, and on a terminal a spinner while it goes on."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)

    def __call__(self, text: str) -> None:
        self._console.print(Text(text, style="dim"), soft_wrap=True)

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        if not self._console.is_terminal:
            yield
            return
        with self._console.status(Text(text, style="dim")):
            yield


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """To be told how many of how many are done; silent where stderr is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what)
        yield lambda done, of: bar.update(task, completed=done, total=of)


MAX_ROWS = 200
PIPED_WIDTH = 200
MIN_LAST_COLUMN = 20
_GAP = "  "
_BETWEEN = " · "


def make_console() -> Console:
    """Of the terminal's width; wide enough for whole lines where the output is piped."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPED_WIDTH)


def print_table(
    console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """The title, and below it the first MAX_ROWS rows, the last column folded where it is long.
    Where the columns do not fit beside each other, each row is a paragraph: none of it is cut
    off."""
    console.print(Text(one_line(title), style="bold"), soft_wrap=True)
    if not rows:
        return
    cells = [[one_line(cell) for cell in row] for row in rows[:MAX_ROWS]]
    if _needed_width(columns, cells) <= console.width:
        console.print(_table(columns, cells))
    else:
        console.print(Text(_BETWEEN.join(columns), style="bold"))
        for row in cells:
            console.print(Text(_BETWEEN.join(filter(None, row)), overflow="fold"))
    if len(rows) > MAX_ROWS:
        console.print(f"and {len(rows) - MAX_ROWS:,} more")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns[:-1]:
        table.add_column(column, no_wrap=True)
    table.add_column(columns[-1], ratio=1, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _needed_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Columns of the terminal, with MIN_LAST_COLUMN of them for the last column of the table,
    or what it holds where that is less."""
    *whole, last = (max(map(cell_len, held)) for held in zip(columns, *rows, strict=True))
    return sum(whole) + len(_GAP) * len(whole) + min(last, MIN_LAST_COLUMN)


def pluralize(number: int, noun: str = "memory", nouns: str = "memories") -> str:
    return f"{number:,} {noun if number == 1 else nouns}"
