"""A conversation as the SDK's session, over PostgreSQL, with the newest messages in Redis, and the
replies that are still to be stored.

A turn stores its two messages itself (`open_turn`, `close_turn`), because a reply
must be kept as far as it went when it is cut off, and the SDK saves only what
ended well. What the SDK adds while a turn is open is therefore left aside; outside
of one it is stored, so that the session serves a plain `Runner.run` as well. Tool
calls and their results are not kept: recalled text must not come back as history.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID, uuid4

import structlog
from agents.items import TResponseInputItem
from agents.memory import SessionABC, SessionSettings

from memory.cache import CachedMessage, SessionCache, SessionState
from memory.errors import KeepsakeError
from memory.store.conversations import ConversationStore, RetractedTurn
from memory.store.messages import LATEST_POSITION, NewMessage
from memory.types import DEFAULT_SPACE, Role, StoredMessage

_log = structlog.get_logger(__name__)


class ConversationSession(SessionABC):
    """`taken_back` is the turn in whose place the open one is."""

    def __init__(
        self,
        user_id: str,
        conversation_id: UUID,
        conversations: ConversationStore,
        cache: SessionCache,
        *,
        space: str = DEFAULT_SPACE,
        history_messages: int,
    ) -> None:
        self.session_id = str(conversation_id)
        self.session_settings: SessionSettings | None = None
        self._user_id = user_id
        self._conversation_id = conversation_id
        self._conversations = conversations
        self._cache = cache
        self._space = space
        self._history_messages = history_messages
        self.taken_back: RetractedTurn | None = None
        self._opened: StoredMessage | None = None
        self._reply_so_far: str | None = None
        self._before = LATEST_POSITION
        self._history: tuple[CachedMessage, ...] | None = None
        self._stamp: bytes | None = None

    def belongs_to(self, user_id: str, conversation_id: UUID | None = None) -> bool:
        """Whether it is that conversation of the user, or any of them."""
        here = conversation_id is None or conversation_id == self._conversation_id
        return here and user_id == self._user_id

    async def open_turn(
        self,
        text: str,
        correlation_id: UUID,
        *,
        needs_learning: bool = False,
        recallable: bool = True,
        instead_of: UUID | None = None,
        utc_offset_minutes: int | None = None,
        claimed_by: str | None = None,
    ) -> StoredMessage:
        """Stores the user's message before the model runs, in the place of the last turn where that
        is named. Raises DatabaseUnavailable, and NotTheLastTurn for any other one."""
        new = NewMessage(
            "user",
            text,
            correlation_id,
            needs_learning=needs_learning,
            recallable=recallable,
            utc_offset_minutes=utc_offset_minutes,
            claimed_by=claimed_by,
        )
        # Before: an erasure that rewords the message takes this stamp away, whenever it runs.
        self._stamp = await self._cache.begin(self._user_id, self.session_id)
        if instead_of is None:
            self._opened, self._before = await self._add(new)
        else:
            self._opened, self._before = await self._put(new, instead_of)
        return self._opened

    async def take_back(self, turn_id: UUID) -> None:
        """Removes the last turn. Raises NotTheLastTurn and DatabaseUnavailable."""
        self.taken_back = await self._conversations.take_back(
            self._user_id, self._conversation_id, turn_id
        )
        await self._cache.drop(self._user_id, self.session_id)

    async def keep_reply(self, reply: NewMessage) -> None:
        """Stores the reply as far as it went. Raises DatabaseUnavailable."""
        await self._keep(reply)

    async def close_turn(self, reply: NewMessage) -> StoredMessage:
        """Stores the reply and refreshes the cached history, where all of it is known. Raises
        DatabaseUnavailable."""
        stored, before = await self._keep(reply)
        history = self._history if stored.content in {"", reply.content} else None
        if self._opened is not None and history is not None and before == self._opened.position:
            said = (self._opened,) if stored.status == "withheld" else (self._opened, stored)
            kept = [m for m in (*history, *map(_cached, said)) if m.content]
            await self._remember_history(stored.position, tuple(kept))
        else:
            await self._cache.drop(self._user_id, self.session_id)
        self._opened = None
        return stored

    def invalidate_history(self) -> None:
        """Something in it was forgotten meanwhile: the turn drops the cached copy in the end."""
        self._history = None

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest messages before the open turn, oldest first, from the cache if it is fresh."""
        history = self._history = await self._read_history()
        wanted = history if limit is None else history[-limit:] if limit else ()
        return [
            cast(TResponseInputItem, {"role": message.role, "content": message.content})
            for message in wanted
        ]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        if self._opened is not None:
            return
        for item in items:
            text = _text_of(item)
            if text:
                role = cast(Role, item.get("role", "assistant"))
                await self._add(NewMessage(role, text, uuid4()))
        await self._cache.drop(self._user_id, self.session_id)

    async def pop_item(self) -> TResponseInputItem | None:
        await self._cache.drop(self._user_id, self.session_id)
        message = await self._conversations.pop_message(self._user_id, self._conversation_id)
        if message is None:
            return None
        return cast(TResponseInputItem, {"role": message.role, "content": message.content})

    async def clear_session(self) -> None:
        await self._cache.drop(self._user_id, self.session_id)
        await self._conversations.clear_conversation(self._user_id, self._conversation_id)

    async def _put(self, new: NewMessage, instead_of: UUID) -> tuple[StoredMessage, int]:
        message, before, self.taken_back = await self._conversations.replace_turn(
            self._user_id, self._conversation_id, new, instead_of, self._space
        )
        await self._cache.drop(self._user_id, self.session_id)
        return message, before

    async def _add(self, new: NewMessage) -> tuple[StoredMessage, int]:
        return await self._conversations.add_message(
            self._user_id, self._conversation_id, new, self._space
        )

    async def _keep(self, reply: NewMessage) -> tuple[StoredMessage, int]:
        kept = await self._conversations.add_reply(
            self._user_id,
            self._conversation_id,
            replace(reply, previous_content=self._reply_so_far),
        )
        self._reply_so_far = reply.content
        return kept

    async def _read_history(self) -> tuple[CachedMessage, ...]:
        if self._opened is not None:
            state = await self._cache.load(self._user_id, self.session_id)
            if state is not None and state.last_position == self._before:
                return state.messages
        upto = LATEST_POSITION if self._opened is None else self._before
        messages = await self._conversations.read_recent(
            self._user_id, self._conversation_id, self._history_messages, upto
        )
        return tuple(_cached(message) for message in messages)

    async def _remember_history(self, position: int, messages: tuple[CachedMessage, ...]) -> None:
        newest = messages[-self._history_messages :]
        goal = next((m.content for m in reversed(newest) if m.role == "user"), None)
        state = SessionState(last_position=position, messages=newest, goal=goal)
        if not await self._cache.save(self._user_id, self.session_id, state, self._stamp):
            await self._cache.drop(self._user_id, self.session_id)


def _cached(message: StoredMessage) -> CachedMessage:
    return CachedMessage(role=message.role, content=message.content)


def _text_of(item: TResponseInputItem) -> str:
    fields = cast(dict[str, Any], item)
    if isinstance(fields.get("content"), str):
        return str(fields["content"])
    if fields.get("type", "message") != "message":
        return ""
    parts = fields.get("content") or []
    return "".join(part.get("text", "") for part in parts if isinstance(part, dict))


SAVE_TIMEOUT = 10.0
KEEP_TIMEOUT = 2.0


@dataclass
class _UnsavedReply:
    session: ConversationSession
    reply: NewMessage


class ReplySaver:
    """Stores replies, none of which is lost silently where the database is away."""

    def __init__(self) -> None:
        self._unsaved: list[_UnsavedReply] = []
        self._saving = asyncio.Lock()

    async def save_partial(self, session: ConversationSession, reply: NewMessage) -> None:
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
            self._unsaved.append(_UnsavedReply(session, reply))
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
                each
                for each in self._unsaved
                if not each.session.belongs_to(user_id, conversation_id)
            ]

    async def aclose(self) -> None:
        """A last try; what is still unsaved is lost, and the log says so."""
        try:
            await self.save_unsaved()
        except (KeepsakeError, TimeoutError) as error:
            _log.error("reply_lost", count=len(self._unsaved), reason=type(error).__name__)
