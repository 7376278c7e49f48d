"""A person talks: a prompt, an answer as it is written, and Ctrl-C for either."""

from __future__ import annotations

import math
import signal
import time

import structlog
from rich.console import Console
from rich.text import Text

from app.process.running import unexpected
from app.process.signals import Leaving
from app.terminal.answer import LiveAnswer
from app.terminal.commands import command_in, run_command
from app.terminal.header import header_lines, mode_lines
from app.terminal.prompt import make_prompt
from app.terminal.quiet import quiet_keys
from app.terminal.stoppable import Stoppable
from app.terminal.turns import Turns
from memory.errors import KeepsakeError

TWICE_SECONDS = 1.0
# How long the prompt waits for what the rules learn; a model's findings come a turn later.
NOTICE_SECONDS = 0.7
_STOPPED = {
    "/import": "Stopped. What came in stays; the same import again brings the rest.",
    "/export": "Stopped. No file was written.",
}
_log = structlog.get_logger(__name__)


class Interactive:
    """Ctrl-C stops an answer; a second one within a second leaves. At the prompt it drops what was
    typed, and with nothing typed the second one leaves."""

    def __init__(self, turns: Turns, leaving: Leaving) -> None:
        self._turns = turns
        self._leaving = leaving
        self._console = Console(highlight=False)
        self._prompt = make_prompt(turns)
        self._work: Stoppable | None = None
        self._stopped_at = -math.inf
        self._warned = False

    async def run(self) -> int:
        for each in header_lines(self._turns.keepsake.settings, self._turns.user_id):
            self._say(each)
        with self._leaving.on_interrupt(self._interrupt):
            await self._turns.services.look_after_cache(self._say)
            await self._begin()
            while (line := await self._read()) is not None and command_in(line) != "/quit":
                if line.strip():
                    await self._take(line)
        return 0

    async def _begin(self) -> None:
        """Says how the conversation begins where that is not the usual way."""
        try:
            await self._turns.begin()
            for each in mode_lines(await self._turns.known(), self._turns.privacy):
                self._say(each)
        except KeepsakeError as error:
            self._complain(str(error))

    async def _read(self) -> str | None:
        """What was typed; None where the person leaves by Ctrl-D."""
        self._console.print()
        while True:
            try:
                return await self._type()
            except EOFError:
                return None
            except KeyboardInterrupt:
                self._interrupted_at_prompt()

    async def _type(self) -> str:
        typed: str = await self._prompt.prompt_async(handle_sigint=False)
        self._forget_interrupts()
        return typed

    def _interrupted_at_prompt(self) -> None:
        if self._prompt.default_buffer.text:
            self._forget_interrupts()
            return
        if self._warned or time.monotonic() - self._stopped_at < TWICE_SECONDS:
            self._leaving.leave(signal.SIGINT)
            return
        self._warned = True
        self._say("Ctrl-C again leaves, and so does Ctrl-D.")

    def _forget_interrupts(self) -> None:
        """Something else was typed since, so that the next Ctrl-C is the first one again."""
        self._stopped_at = -math.inf
        self._warned = False

    async def _take(self, line: str) -> None:
        command = command_in(line)
        work = Stoppable(self._answer(line) if command is None else self._obey(command, line))
        self._work = work
        with quiet_keys():
            try:
                await work.finish()
            except KeepsakeError as error:
                self._complain(str(error))
            except Exception as error:
                _log.error("unexpected", exc_info=error)
                self._complain(unexpected(self._turns.keepsake.settings))
        self._work = None
        if work.stopped:
            self._say(_STOPPED.get(command or "", "Stopped. The answer is kept as far as it went."))

    async def _answer(self, line: str) -> None:
        offline = not self._turns.keepsake.settings.has_model
        with LiveAnswer(self._console, verbatim=offline) as view:
            await self._turns.take(line, view)
        for each in await self._turns.noticed(NOTICE_SECONDS):
            self._say(each)
        await self._turns.services.look_after_cache(self._say)

    async def _obey(self, command: str, line: str) -> None:
        lines = await self._turns.services.reviving(
            lambda: run_command(command, line, self._turns, self._console.width), self._say
        )
        for each in lines:
            self._console.print(Text(each))

    def _interrupt(self) -> None:
        """Ctrl-C as a signal, which it is wherever the prompt does not read the keys itself."""
        if self._work is None:
            self._interrupted_at_prompt()
        elif self._work.stopped:
            self._leaving.leave(signal.SIGINT)
        else:
            self._stopped_at = time.monotonic()
            self._work.stop()

    def _say(self, line: str) -> None:
        self._console.print(Text(line, style="dim"))

    def _complain(self, sentence: str) -> None:
        self._console.print(Text(" ".join(sentence.split()), style="red"))
