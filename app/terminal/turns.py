"""The turns of a person in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Protocol, cast
from uuid import UUID, uuid4

import structlog

from agent.commands.command import Command
from agent.turn.buttons import Obeyed
from agent.turn.events import TurnClosed, TurnEvent
from app.telemetry.correlation import known_as
from app.terminal.services import Services
from app.terminal.typed import history_file, remove_all, remove_from
from app.wiring import Keepsake
from memory.errors import KeepsakeError
from memory.models import Privacy
from memory.service import Memory
from memory.store.conversations.conversation_store import ConversationStore
from memory.store.modes import SpaceSettings

_log = structlog.get_logger(__name__)


class View(Protocol):
    """Whoever shows a turn."""

    def show(self, event: TurnEvent) -> None: ...

    def say(self, line: str) -> None: ...


class Turns:
    """One person's turns, in one conversation after another."""

    def __init__(self, keepsake: Keepsake, user_id: str) -> None:
        self.keepsake = keepsake
        self.user_id = user_id
        self.space = keepsake.settings.keepsake_space
        self.conversation_id: UUID = uuid4()
        self.privacy: Privacy = "normal"
        self.carries_privacy = True
        self.services = Services(keepsake)

    async def start_over(self) -> str:
        """A new conversation; memory carries over. It is incognito where the last one was, or
        where the space begins so; after “/private off” as the space begins, whatever the last
        one was."""
        self.conversation_id = uuid4()
        if not self.carries_privacy:
            self.privacy, self.carries_privacy = "normal", True
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
    def memory(self) -> Memory:
        """The memory as the conversation's privacy leaves it."""
        return self.keepsake.memory.in_privacy(self.privacy)

    @property
    def conversations(self) -> ConversationStore:
        """Where the messages of this conversation are."""
        return self.memory.conversations

    async def obey(self, command: Command) -> Obeyed:
        """What a command answers, and what came of it. Raises DatabaseUnavailable."""
        obeyed = await self.keepsake.assistant.obey(
            self.user_id, self.conversation_id, command, self.space
        )
        self._clean_up_after(obeyed)
        return obeyed

    async def ask_doubt(self) -> str:
        """The oldest question about two memories that is still open."""
        asked = await self.keepsake.assistant.ask_doubt(
            self.user_id, self.conversation_id, self.space
        )
        return asked or "Nothing is in doubt."

    async def noticed(self, seconds: float) -> list[str]:
        """What was learned from the last turns, as sentences; what is not ready in time is told
        after the next one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self.keepsake.assistant.noticed(
                    self.user_id, self.conversation_id, self.space
                )
        return []

    def _clean_up_after(self, done: TurnClosed | Obeyed) -> None:
        """What was forgotten also goes from what was typed."""
        if done.privacy != self.privacy:
            self.privacy, self.carries_privacy = done.privacy, True
        file = history_file(self.keepsake.settings.keepsake_home, self.user_id)
        if done.erased:
            remove_all(file)
            return
        gone = [item.content for item in done.forgotten]
        gone += done.unsaid if isinstance(done, TurnClosed) else ()
        if gone:
            remove_from(file, gone)

    async def take(self, text: str, view: View) -> None:
        """Shows one turn. Raises what `Assistant.answer` raises. Cancelled, it leaves the reply
        stored as far as it went."""
        correlation_id = uuid4()
        with known_as(correlation_id, self.keepsake.assistant.tracer, "keepsake.turn"):
            saved = await self._show(text, correlation_id, view)
        if not saved:
            await self._save_late(view.say)

    async def _show(self, text: str, correlation_id: UUID, view: View) -> bool:
        """Whether its reply is stored."""
        events = await self.services.reviving(lambda: self._begin(text, correlation_id), view.say)
        saved = True
        async with aclosing(events):
            async for event in events:
                view.show(event)
                if isinstance(event, TurnClosed):
                    self._clean_up_after(event)
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
