"""`python -m app chat`: a prompt, an answer as it is written, and Ctrl-C for either."""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import termios
import time
from collections.abc import Coroutine, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import structlog
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from rich.console import Console
from rich.text import Text

from agent.commands.slash import COMMANDS, SlashCommand, find_slash_command
from agent.models.offline import OFFLINE_INTRODUCTION
from app.bootstrap import open_keepsake
from app.console import Progress
from app.runner import Shutdown, unexpected_error_text
from app.tasks import cancel_and_wait
from app.terminal.answer import LiveAnswer
from app.terminal.commands import run_slash_command
from app.terminal.piped import PipedChat
from app.terminal.session import PromptHistory, TerminalSession, history_file
from app.worker.background import run_in_background
from memory.config import Settings
from memory.errors import KeepsakeError
from memory.types import Privacy, SpaceSettings

_LOCAL_MODES = 3
_log = structlog.get_logger(__name__)


@contextmanager
def echo_off() -> Iterator[None]:
    """Turns the echo off, and on again whatever happens. Ctrl-C stays a signal, and what is typed
    waits for the next prompt. Does nothing where the input is not a terminal."""
    if not sys.stdin.isatty():
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    quiet = termios.tcgetattr(descriptor)
    quiet[_LOCAL_MODES] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal may have hung up
            termios.tcsetattr(descriptor, termios.TCSANOW, before)


class CancellableTask:
    """A task that is cancelled at most once: a second cancellation would cut short the storing of
    the reply that the first one interrupted."""

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.create_task(work)
        self.stopped = False

    def stop(self) -> None:
        if not self.stopped:
            self.stopped = True
            self._task.cancel()

    async def finish(self) -> None:
        """Waits for it, raising what it raises unless it was stopped. Cancelled while it waits,
        it stops the task, lets it tidy up, and is cancelled then."""
        try:
            await asyncio.wait({self._task})
        except asyncio.CancelledError:
            self.stop()
            await asyncio.wait({self._task})
            if not self._task.cancelled():
                self._task.exception()  # looked at: a terminal that hung up cannot be written to
            raise
        if not self._task.cancelled():
            self._task.result()


PROMPT = "› "
INCOGNITO_PROMPT = "incognito › "
MENU_ROWS = 8


def make_prompt(turns: TerminalSession) -> PromptSession[str]:
    """Enter sends, Alt-Enter and a paste make new lines, Tab completes commands. What is typed
    incognito is not written down."""
    home = turns.keepsake.settings.keepsake_home
    history = PromptHistory(
        history_file(home, turns.user_id), writes=lambda: turns.privacy == "normal"
    )
    return PromptSession(
        lambda: PROMPT if turns.privacy == "normal" else INCOGNITO_PROMPT,
        history=history,
        completer=_CommandCompleter(),
        complete_while_typing=False,
        key_bindings=_keys(),
        prompt_continuation=" " * len(PROMPT),
        reserve_space_for_menu=MENU_ROWS,
    )


class _CommandCompleter(Completer):
    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for name, meaning in COMMANDS.items():
            if typed.startswith("/") and name.startswith(typed):
                yield Completion(name, -len(typed), display_meta=meaning)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


def header_lines(settings: Settings, user_id: str) -> list[str]:
    """Who you are and who answers, where the data lies, and how to find out more."""
    answers = f"{settings.openai_model}{_server(settings)}" if settings.has_model else "offline"
    lines = [f"Keepsake {version('keepsake')} · you are {user_id} · {answers}"]
    if not settings.has_model:
        lines.append(OFFLINE_INTRODUCTION)
    return [*lines, f"/help shows what can be typed · your data: {_place(settings)}"]


def mode_lines(known: SpaceSettings, privacy: Privacy) -> list[str]:
    """A line where memory is not on, or the conversation incognito; else none."""
    lines = []
    if known.memory_mode != "full":
        name = known.memory_mode.replace("_", "-")
        lines.append(f"Memory is {name} in this space. /memory on changes that.")
    if privacy != "normal":
        lines.append(
            "This conversation is incognito: nothing of it is kept. /incognito off ends it."
        )
    return lines


def _server(settings: Settings) -> str:
    host = urlsplit(settings.openai_base_url or "").hostname
    return f" at {host}" if host else ""


def _place(settings: Settings) -> str:
    """The folder, or the database server by its name alone: a URL may carry a password."""
    if settings.database_url is None:
        return str(settings.keepsake_home)
    url = urlsplit(settings.database_url.get_secret_value())
    return f"database {url.path.lstrip('/') or 'by its URL'} at {url.hostname or 'this machine'}"


TWICE_SECONDS = 1.0
# How long the prompt waits for what is learned offline; a model's findings come a turn later.
NOTICE_SECONDS = 0.7
_STOPPED = {
    "/import": "Stopped. What came in stays; the same import again brings the rest.",
    "/export": "Stopped. No file was written.",
}


class InteractiveChat:
    """Ctrl-C stops an answer; a second one within a second leaves. At the prompt it drops what was
    typed, and with nothing typed the second one leaves."""

    def __init__(self, turns: TerminalSession, leaving: Shutdown) -> None:
        self._turns = turns
        self._leaving = leaving
        self._console = Console(highlight=False)
        self._prompt = make_prompt(turns)
        self._work: CancellableTask | None = None
        self._stopped_at = -math.inf
        self._warned = False

    async def run(self) -> int:
        for each in header_lines(self._turns.keepsake.settings, self._turns.user_id):
            self._say(each)
        with self._leaving.on_interrupt(self._interrupt):
            await self._turns.services.check_cache(self._say)
            await self._begin()
            while (line := await self._read()) is not None:
                typed = find_slash_command(line)
                if typed is not None and typed.name == "/quit":
                    break
                if line.strip():
                    await self._take(line, typed)
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

    async def _take(self, line: str, typed: SlashCommand | None) -> None:
        work = CancellableTask(self._answer(line) if typed is None else self._obey(typed))
        self._work = work
        with echo_off():
            try:
                await work.finish()
            except KeepsakeError as error:
                self._complain(str(error))
            except Exception as error:
                _log.error("unexpected", exc_info=error)
                self._complain(unexpected_error_text(self._turns.keepsake.settings))
        self._work = None
        if work.stopped:
            stopped = "Stopped. The answer is kept as far as it went."
            self._say(_STOPPED.get(typed.name, stopped) if typed else stopped)

    async def _answer(self, line: str) -> None:
        offline = not self._turns.keepsake.settings.has_model
        with LiveAnswer(self._console, verbatim=offline) as view:
            await self._turns.take(line, view)
        for each in await self._turns.noticed(NOTICE_SECONDS):
            self._say(each)
        await self._turns.services.check_cache(self._say)

    async def _obey(self, typed: SlashCommand) -> None:
        lines = await self._turns.services.reviving(
            lambda: run_slash_command(typed, self._turns, self._console.width), self._say
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


async def chat(settings: Settings, leaving: Shutdown) -> int:
    """The exit code. Interactive where both input and output are a terminal."""
    progress = Progress()
    user_id = settings.keepsake_user
    async with AsyncExitStack() as stack:
        with echo_off(), progress.busy("Starting Keepsake…"):
            keepsake = await stack.enter_async_context(open_keepsake(settings, progress))
        stack.push_async_callback(
            cancel_and_wait, asyncio.create_task(run_in_background(keepsake, user_id))
        )
        turns = TerminalSession(keepsake, user_id)
        if sys.stdin.isatty() and sys.stdout.isatty():
            return await InteractiveChat(turns, leaving).run()
        return await PipedChat(turns).run()
