"""An answer on a terminal: markdown drawn while it is still being written, and what stands under
it. `width` None cuts nothing."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from types import TracebackType
from typing import Self

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment
from rich.spinner import Spinner
from rich.text import Text

from agent.turn.events import TextDelta, ToolCalled, TurnClosed, TurnEvent
from app.console import one_line, sanitize, truncate
from memory.types import MemoryItem

_PARSER = MarkdownIt().enable("strikethrough").enable("table")


def split_blocks(text: str) -> list[str]:
    """The top-level blocks of a text: a paragraph, a heading, a whole list. Joined they are the
    text again."""
    starts = [
        token.map[0]
        for token in _PARSER.parse(text)
        if token.level == 0 and token.nesting >= 0 and token.map
    ]
    lines = text.split("\n")
    edges = [0, *starts[1:], len(lines)]
    blocks = ["\n".join(lines[start:end]) for start, end in pairwise(edges)]
    return [f"{block}\n" for block in blocks[:-1]] + blocks[-1:]


class GrowingMarkdown:
    """Takes a text in pieces and gives each block away once it is finished.

    What follows can only change the last block (a list may go on, a paragraph become
    a heading), so that the ones before it can be shown for good.
    """

    def __init__(self) -> None:
        self.unfinished = ""

    def add(self, piece: str) -> list[str]:
        """The blocks that this piece finished; none for most pieces."""
        self.unfinished += piece
        if "\n" not in piece:
            return []
        *finished, self.unfinished = split_blocks(self.unfinished)
        return finished


def footer_lines(closed: TurnClosed, width: int | None = None, said: str = "") -> list[str]:
    """What stands under an answer: the memories it used, what was kept unless the answer has
    `said` so, and notices."""
    lines = ["memories used:"] if closed.memories else []
    lines += [truncate(_used_line(memory), width) for memory in closed.memories]
    kept = [item for item in closed.kept if item.content not in said]
    lines += [truncate(f"kept: {one_line(item.content)}", width) for item in kept]
    return lines + [one_line(notice) for notice in closed.notices]


def question_lines(closed: TurnClosed) -> list[str]:
    """What Keepsake asks after the answer, word for word; none where the answer has it."""
    if closed.question is None or closed.question_in_reply:
        return []
    return ["", *sanitize(closed.question.text).split("\n")]


def local_day(moment: datetime) -> str:
    """The day it was where the reader is."""
    return moment.astimezone().date().isoformat()


def _used_line(memory: MemoryItem) -> str:
    percentage = f"{memory.relevance_score:.0%}"
    return f"  {percentage:>4}  {local_day(memory.created_at)}  {one_line(memory.content)}"


REFRESHES = 12
# Of an unfinished block that is longer, its first line (it may open a code block) and its end
# are enough for what fits on a screen.
SHOWN_LINES = 200
_TOOL_STATUS = {"query_memory": "looking in memory…", "remember": "seeing to your memory…"}


class LiveAnswer:
    """Finished blocks are printed for good; only the last one is drawn again and again, and of it
    no more than fits on the screen, so that an answer of any length scrolls as text does.
    `verbatim` shows the very characters: what is quoted from memory was not written as markdown."""

    def __init__(self, console: Console, *, verbatim: bool = False) -> None:
        self._console = console
        self._verbatim = verbatim
        self._growing = GrowingMarkdown()
        self._waiting: RenderableType = _spinner("thinking…")
        self._printed = False
        self._closed: TurnClosed | None = None
        self._said = ""
        self._live = Live(
            console=console,
            get_renderable=self._draw,
            refresh_per_second=REFRESHES,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        rest, self._growing.unfinished = self._growing.unfinished, ""
        self._waiting = Text()
        self._live.stop()
        self._print(rest)
        if self._closed is not None:
            self._close(self._closed)

    def show(self, event: TurnEvent) -> None:
        match event:
            case TextDelta(text):
                self._said += text
                for block in self._growing.add(sanitize(text)):
                    self._print(block)
            case ToolCalled(name):
                self._waiting = _spinner(_TOOL_STATUS.get(name, "working…"))
            case TurnClosed():
                self._closed = event

    def say(self, line: str) -> None:
        self._console.print(Text(line, style="dim"))

    def _print(self, markdown: str) -> None:
        if not markdown.strip():
            return
        if self._printed:
            self._console.print()
        self._console.print(MarkdownBlock(markdown, verbatim=self._verbatim))
        self._printed = True

    def _close(self, closed: TurnClosed) -> None:
        for line in footer_lines(closed, self._console.width, self._said):
            self._console.print(Text(line, style="dim"))
        for line in question_lines(closed):
            self._console.print(Text(line))

    def _draw(self) -> RenderableType:
        text = self._growing.unfinished
        if not text.strip():
            return self._waiting
        rows = max(self._console.height - 2, 1)
        block = MarkdownBlock(text, rows, verbatim=self._verbatim)
        return Group("", block) if self._printed else block


class MarkdownBlock:
    """A block of markdown without the empty lines that some kinds bring along, and of one that is
    longer than `rows` its end. Links show where they lead; code takes the terminal's colours."""

    def __init__(self, markdown: str, rows: int | None = None, *, verbatim: bool = False) -> None:
        lines = markdown.split("\n")
        if rows is not None and len(lines) > SHOWN_LINES:
            lines = [lines[0], *lines[-SHOWN_LINES:]]
        text = "\n".join(lines)
        self._shown: RenderableType = Text(text)
        if not verbatim:
            self._shown = Markdown(text, hyperlinks=False, code_theme="ansi_dark")
        self._rows = rows or 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._shown, options, pad=False)
        shown = [not _is_empty(line) for line in lines]
        if any(shown):
            lines = lines[shown.index(True) : len(lines) - shown[::-1].index(True)]
        for line in lines[-self._rows :]:
            yield from _without_padding(line)
            yield Segment.line()


def _without_padding(line: list[Segment]) -> list[Segment]:
    """What is copied from the terminal then has no spaces at its end."""
    *rest, last = line or [Segment("")]
    text = last.text.rstrip()
    return [*rest, Segment(text, last.style)] if text or not rest else _without_padding(rest)


def _is_empty(line: list[Segment]) -> bool:
    return not any(segment.text.strip() for segment in line)


def _spinner(text: str) -> Spinner:
    return Spinner("dots", Text(text, style="dim"), style="dim")
