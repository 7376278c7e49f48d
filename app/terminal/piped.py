"""A script talks: one turn a line, answers on stdout, what went wrong on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

import structlog

from agent.commands.slash import find_slash_command
from agent.turn.events import TextDelta, TurnClosed, TurnEvent
from app.console import decode_line, one_line, read_lines, sanitize
from app.runner import FAILED, print_error, unexpected_error_text
from app.terminal.answer import footer_lines, question_lines
from app.terminal.commands import run_slash_command
from app.terminal.session import TerminalSession
from memory.errors import InvalidInput, KeepsakeError

# A script has the time that a person has not.
NOTICE_SECONDS = 30.0
_log = structlog.get_logger(__name__)


class PipedChat:
    """A turn that fails says so and is counted; the turns after it still run."""

    def __init__(self, turns: TerminalSession) -> None:
        self._turns = turns
        self._number = 0
        self._failed = False

    async def run(self) -> int:
        """0 if all turns worked, 1 if one did not."""
        await self._turns.services.check_cache(_warn)
        await self._turns.begin()
        async for line in read_lines(sys.stdin.fileno()):
            self._number += 1
            if line.strip() and not await self._take(line):
                break
            await self._turns.services.check_cache(_warn)
        return FAILED if self._failed else 0

    async def _take(self, line: bytes) -> bool:
        """False where the line asks to leave."""
        try:
            return await self._obey_or_answer(decode_line(line))
        except KeepsakeError as error:
            self._fail(str(error))
        except BrokenPipeError:
            raise
        except Exception as error:
            _log.error("unexpected", exc_info=error)
            self._fail(unexpected_error_text(self._turns.keepsake.settings))
        return True

    async def _obey_or_answer(self, text: str) -> bool:
        typed = find_slash_command(text)
        if typed is not None and typed.name == "/quit":
            return False
        view = PlainAnswerView(sys.stdout)
        if typed is None:
            await self._turns.take(text, view)
            view.close(await self._turns.noticed(NOTICE_SECONDS))
        else:
            lines = await self._turns.services.reviving(
                lambda: run_slash_command(typed, self._turns, None), view.say
            )
            view.write("\n".join([*lines, "", ""]))
        return True

    def _fail(self, sentence: str) -> None:
        self._failed = True
        print_error(f"line {self._number}: {sentence}")


class PlainAnswerView:
    """The reply as it comes, then the memories it used, what was learned, and an empty line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._last = "\n"
        self._said = ""

    def show(self, event: TurnEvent) -> None:
        match event:
            case TextDelta(text):
                self._said += text
                self.write(sanitize(text))
            case TurnClosed():
                lines = footer_lines(event, said=self._said) + question_lines(event)
                self.write(("" if self._last == "\n" else "\n") + "".join(f"{e}\n" for e in lines))

    def close(self, noticed: Sequence[str]) -> None:
        """What was learned from the turn, and the empty line that ends it."""
        self.write("".join(f"{one_line(each)}\n" for each in noticed) + "\n")

    def say(self, line: str) -> None:
        _warn(line)

    def write(self, text: str) -> None:
        if not text:
            return
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InvalidInput(reason=f"The output cannot be written ({error.strerror}).") from None
        self._last = text[-1]


def _warn(line: str) -> None:
    print_error(line)
