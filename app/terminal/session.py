"""One chat in a terminal: its conversation, its commands, and what was typed, for the arrow keys of
the next day."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Protocol, cast
from uuid import UUID, uuid4

import structlog
from prompt_toolkit.history import FileHistory

from agent.commands.parser import Command, parse_commands
from agent.commands.slash import SlashCommand
from agent.conversations.state import ReplacementQuestion
from agent.turn.events import TurnClosed, TurnEvent
from agent.turn.lifecycle import CommandResult
from app.bootstrap import Keepsake
from app.console import sanitize
from app.supervisor import ServiceReviver
from app.telemetry.traces import bind_correlation_id
from memory.actions.forgetting.redaction import redact_about
from memory.errors import KeepsakeError
from memory.secrets import redact
from memory.service import MemoryService
from memory.store.conversations import ConversationStore
from memory.types import Privacy, SpaceSettings
from memory.understanding import OfflineReader

_log = structlog.get_logger(__name__)


def history_file(home: Path, user_id: str) -> Path:
    """One for each user, whose name need not be fit for a file's."""
    name = hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return home / "typed" / f"{name}.history"


class PromptHistory(FileHistory):
    """What was typed, for its owner alone (0600 in a folder of 0700), without its secrets, and
    nothing of it while `writes` says no."""

    def __init__(self, path: Path, *, writes: Callable[[], bool] = lambda: True) -> None:
        make_private(path)
        self._path = path
        self._writes = writes
        super().__init__(str(path))

    def append_string(self, string: str) -> None:
        if self._writes() and not _mentions_incognito(string):
            super().append_string(redact(string))

    def store_string(self, string: str) -> None:
        """A full disk loses the line, not the chat."""
        try:
            make_private(self._path)
            super().store_string(sanitize(string))
        except OSError as error:
            _log.warning("history not written", reason=error.strerror)


def make_private(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def remove_mentions(path: Path, contents: Sequence[str]) -> None:
    """Writes the history anew without the entries that speak of any of the contents, or that said
    to forget something. A file that cannot be written stays, and the log says so."""
    if not path.exists():
        return
    entries = list(FileHistory(str(path)).load_history_strings())
    left = [each for each in entries if not any(_mentions(each, text) for text in contents)]
    if len(left) == len(entries):
        return
    try:
        _write_anew(path, left[::-1])
    except OSError as error:
        _log.error("history not cleaned", reason=error.strerror)


def delete_history(path: Path) -> None:
    path.unlink(missing_ok=True)


def _write_anew(path: Path, entries: Sequence[str]) -> None:
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    make_private(fresh)
    history = FileHistory(str(fresh))
    for each in entries:
        history.store_string(each)
    fresh.replace(path)


def _mentions(entry: str, content: str) -> bool:
    if entry.startswith("/forget") or redact_about(entry, content) != entry:
        return True
    return OfflineReader().describe(entry).may_ask_to_forget


def _mentions_incognito(entry: str) -> bool:
    """That a conversation was incognito is a trace of it."""
    if entry.startswith("/"):
        return entry.startswith("/incognito")
    told = parse_commands(entry, OfflineReader())
    return any(each.name.startswith("incognito") for each in told)


class TurnView(Protocol):
    """Whoever shows a turn."""

    def show(self, event: TurnEvent) -> None: ...

    def say(self, line: str) -> None: ...


class TerminalSession:
    """One person's turns, in one conversation after another."""

    def __init__(self, keepsake: Keepsake, user_id: str) -> None:
        self.keepsake = keepsake
        self.user_id = user_id
        self.space = keepsake.settings.keepsake_space
        self.conversation_id: UUID = uuid4()
        self.privacy: Privacy = "normal"
        self.inherits_privacy = True
        self.services = ServiceReviver(keepsake)

    async def start_over(self) -> str:
        """A new conversation; memory carries over. It is incognito where the last one was, or
        where the space begins so; after “/private off” as the space begins, whatever the last
        one was."""
        self.conversation_id = uuid4()
        if not self.inherits_privacy:
            self.privacy, self.inherits_privacy = "normal", True
        await self.begin()
        if self.privacy == "normal":
            return "A new conversation. What is remembered stays."
        return "A new conversation. It is incognito; /incognito off ends that."

    async def begin(self) -> None:
        """Reads how conversations begin in this space."""
        self.privacy = await self.keepsake.assistant.privacy(
            self.user_id, self.conversation_id, self.space, at_least=self.privacy
        )

    async def enter_space(self, name: str) -> str:
        """Another space, in a conversation of its own; without a name it says which this is."""
        if name:
            self.space = name
            await self.start_over()
        return f"This is the space “{self.space}”. Nothing of another space is known here."

    async def known(self) -> SpaceSettings:
        """What the user set for this space."""
        return await self.keepsake.memory.space_settings(self.user_id, self.space)

    @property
    def memory(self) -> MemoryService:
        """The memory as the conversation's privacy leaves it."""
        return self.keepsake.memory.for_privacy(self.privacy)

    @property
    def conversations(self) -> ConversationStore:
        """Where the messages of this conversation are."""
        return self.memory.conversations

    def take_question(self) -> bool:
        """Whether a question was open that changes nothing unless it is answered. No “yes” answers
        it after what is typed now."""
        taken = self.keepsake.assistant.take_question(self.user_id, self.conversation_id)
        return taken is not None and not isinstance(taken, ReplacementQuestion)

    async def obey(self, command: Command | SlashCommand) -> CommandResult:
        """What a command answers, and what came of it. Raises DatabaseUnavailable, and InvalidInput
        for what was typed and is not known."""
        obeyed = await self.keepsake.assistant.obey(
            self.user_id, self.conversation_id, command, self.space
        )
        self._clean_up_after(obeyed)
        return obeyed

    async def noticed(self, seconds: float) -> list[str]:
        """What was learned from the last turns, as sentences; what is not ready in time is told
        after the next one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self.keepsake.assistant.noticed(
                    self.user_id, self.conversation_id, self.space
                )
        return []

    def _clean_up_after(self, done: TurnClosed | CommandResult) -> None:
        """What was forgotten also goes from what was typed."""
        if done.privacy != self.privacy:
            self.privacy, self.inherits_privacy = done.privacy, True
        file = history_file(self.keepsake.settings.keepsake_home, self.user_id)
        if done.erased:
            delete_history(file)
            return
        gone = [item.content for item in done.forgotten]
        gone += done.unsaid if isinstance(done, TurnClosed) else ()
        if gone:
            remove_mentions(file, gone)

    async def take(self, text: str, view: TurnView) -> None:
        """Shows one turn. Raises what `Assistant.answer` raises. Cancelled, it leaves the reply
        stored as far as it went."""
        correlation_id = uuid4()
        with bind_correlation_id(correlation_id, self.keepsake.assistant.tracer, "keepsake.turn"):
            saved = await self._show(text, correlation_id, view)
        if not saved:
            await self._save_late(view.say)

    async def _show(self, text: str, correlation_id: UUID, view: TurnView) -> bool:
        """Whether its reply is stored."""
        events = await self.services.reviving(lambda: self._begin(text, correlation_id), view.say)
        saved = True
        async with aclosing(events):
            async for event in events:
                view.show(event)
                if isinstance(event, TurnClosed):
                    self._clean_up_after(event)
                    self.keepsake.assistant.note_shown(
                        self.user_id, self.conversation_id, event.question
                    )
                saved = saved and not (isinstance(event, TurnClosed) and not event.saved)
        return saved

    async def _save_late(self, say: Callable[[str], None]) -> None:
        """Saves a reply whose database went away, where the database is ours to start again;
        else it is saved before the next turn, or when the chat ends."""
        try:
            await self.services.reviving(self.keepsake.assistant.save_unsaved, say)
        except KeepsakeError as error:
            _log.error("reply_still_unsaved", reason=str(error))
        else:
            say("The reply is saved now.")

    async def _begin(self, text: str, correlation_id: UUID) -> AsyncGenerator[TurnEvent, None]:
        """The turn after its message was stored, which is where a database that is down shows."""
        events = cast(
            AsyncGenerator[TurnEvent, None],
            self.keepsake.assistant.answer(
                self.user_id,
                self.conversation_id,
                text,
                self.space,
                correlation_id=correlation_id,
            ),
        )
        await anext(events)
        return events
