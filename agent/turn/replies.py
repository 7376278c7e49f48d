"""Replies on their way into the database, which may be away just then: none is lost silently."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

import structlog

from agent.talks.session import ConversationSession
from memory.errors import KeepsakeError
from memory.store.conversations.messages import NewMessage

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
        self._saving = asyncio.Lock()

    async def keep_so_far(self, session: ConversationSession, reply: NewMessage) -> None:
        """Now and then of a long reply, so that a program that is killed leaves most of it."""
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
        async with self._saving:
            while self._unsaved:
                waiting = self._unsaved[0]
                try:
                    async with asyncio.timeout(SAVE_TIMEOUT):
                        await waiting.session.close_turn(waiting.reply)
                except (KeepsakeError, TimeoutError):
                    raise
                except Exception as error:
                    _log.error("reply_lost", reason=type(error).__name__)
                self._unsaved.remove(waiting)

    async def drop(self, user_id: str, conversation_id: UUID | None = None) -> None:
        """What is unsaved of a conversation, or of all of the user's, is not wanted any more."""
        async with self._saving:
            self._unsaved = [
                each for each in self._unsaved if not each.session.is_of(user_id, conversation_id)
            ]

    async def aclose(self) -> None:
        """A last try; what is still unsaved is lost, and the log says so."""
        try:
            await self.save_unsaved()
        except (KeepsakeError, TimeoutError) as error:
            _log.error("reply_lost", count=len(self._unsaved), reason=type(error).__name__)
