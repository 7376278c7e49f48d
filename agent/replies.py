"""Replies on their way into the database, which may be away just then: none is lost silently."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from agent.session import ConversationSession
from memory.errors import KeepsakeError
from memory.store.conversations import NewMessage

SAVE_TIMEOUT = 10.0
KEEP_TIMEOUT = 2.0
_log = structlog.get_logger(__name__)


@dataclass
class _Unsaved:
    session: ConversationSession
    reply: NewMessage


class Replies:
    def __init__(self) -> None:
        self._unsaved: list[_Unsaved] = []

    async def keep_so_far(self, session: ConversationSession, reply: NewMessage) -> None:
        """Once a second of a long reply, so that a program that is killed leaves most of it."""
        try:
            async with asyncio.timeout(KEEP_TIMEOUT):
                await session.keep_reply(reply)
        except Exception as error:  # the stream goes on; the reply is stored when it ends
            _log.warning("reply_not_kept_so_far", reason=type(error).__name__)

    async def save(self, session: ConversationSession, reply: NewMessage) -> bool:
        """False where it could not be stored yet; then it waits for `save_unsaved`."""
        try:
            async with asyncio.timeout(SAVE_TIMEOUT):
                await session.close_turn(reply)
        except Exception as error:  # whatever it is, the reply is not lost silently
            _log.error("reply_not_saved", reason=type(error).__name__)
            self._unsaved.append(_Unsaved(session, reply))
            return False
        return True

    async def save_unsaved(self) -> None:
        """Stores the replies that could not be stored when they ended.

        Raises DatabaseUnavailable and keeps them; what the database refuses for good is given up.
        """
        while self._unsaved:
            waiting = self._unsaved.pop(0)
            try:
                async with asyncio.timeout(SAVE_TIMEOUT):
                    await waiting.session.close_turn(waiting.reply)
            except (KeepsakeError, TimeoutError, asyncio.CancelledError):
                self._unsaved.insert(0, waiting)
                raise
            except Exception as error:
                _log.error("reply_lost", reason=type(error).__name__)

    async def aclose(self) -> None:
        """A last try; what is still unsaved is lost, and the log says so."""
        try:
            await self.save_unsaved()
        except (KeepsakeError, TimeoutError) as error:
            _log.error("reply_lost", count=len(self._unsaved), reason=type(error).__name__)
