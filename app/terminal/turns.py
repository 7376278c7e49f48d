"""The turns of one conversation, and what is done when a service under them has died."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Protocol, TypeVar, cast
from uuid import UUID, uuid4

import structlog

from agent.events import TurnClosed, TurnEvent
from app.wiring import Keepsake
from memory.errors import (
    CacheUnavailable,
    DatabaseUnavailable,
    KeepsakeError,
    ServiceStartFailed,
)

Answer = TypeVar("Answer")
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
        self.conversation_id: UUID = uuid4()
        self._cache_away = False

    def start_over(self) -> None:
        """A new conversation; memory carries over."""
        self.conversation_id = uuid4()

    async def take(self, text: str, view: View) -> None:
        """Shows one turn. Raises what `Assistant.answer` raises. Cancelled, it leaves the reply
        stored as far as it went."""
        events = await self.reviving(lambda: self._begin(text), view.say)
        saved = True
        async with aclosing(events):
            async for event in events:
                view.show(event)
                saved = saved and not (isinstance(event, TurnClosed) and not event.saved)
        if not saved:
            await self._save_late(view.say)

    async def reviving(
        self, action: Callable[[], Awaitable[Answer]], say: Callable[[str], None]
    ) -> Answer:
        """Does it, and once more if the database was down and could be started again. Raises
        DatabaseUnavailable where it is not ours to start, and ServiceStartFailed."""
        try:
            return await action()
        except DatabaseUnavailable:
            started = await self._revive()
            if not started:
                raise
            say(f"{' and '.join(started)} had stopped and was started again.")
            return await action()

    async def _save_late(self, say: Callable[[str], None]) -> None:
        """Saves a reply whose database went away, where the database is ours to start again;
        else it is saved before the next turn, or when the chat ends."""
        try:
            await self.reviving(self.keepsake.assistant.save_unsaved, say)
        except KeepsakeError as error:
            _log.error("reply_still_unsaved", reason=str(error))
        else:
            say("The reply is saved now.")

    async def look_after_cache(self, say: Callable[[str], None]) -> None:
        """Starts a dead embedded Valkey again without a word; of a Redis that is somebody else's
        says once that it is away."""
        try:
            await self.keepsake.cache.ping()
            self._cache_away = False
        except CacheUnavailable as error:
            if not self._cache_away and not await self._revived_quietly():
                self._cache_away = True
                say(str(error))

    async def _revived_quietly(self) -> bool:
        try:
            return bool(await self._revive())
        except ServiceStartFailed as error:
            _log.error("not revived", reason=str(error))
            return False

    async def _revive(self) -> list[str]:
        started = await self.keepsake.revive()
        if started:
            _log.warning("services revived", names=started)
        return started

    async def _begin(self, text: str) -> AsyncGenerator[TurnEvent, None]:
        """The turn after its message was stored, which is where a database that is down shows."""
        events = cast(
            AsyncGenerator[TurnEvent, None],
            self.keepsake.assistant.answer(self.user_id, self.conversation_id, text),
        )
        await anext(events)
        return events
