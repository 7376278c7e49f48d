"""The messages of incognito conversations: in this process alone, until the conversation ends."""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from memory.models import DEFAULT_SPACE, Conversation, Message
from memory.store.conversations import LATEST, NewMessage

MAX_CONVERSATIONS = 1000


class UnstoredConversations:
    """A ConversationStore that no database, cache or file knows of. The least recently used
    conversation is dropped beyond MAX_CONVERSATIONS."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[str, UUID], list[Message]] = OrderedDict()
        self._positions = count(1)

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int]:
        messages = self._messages(user_id, conversation_id)
        earlier = next((each for each in messages if each.id == new.id), None)
        others = [each for each in messages if each.id != new.id]
        message = Message(
            id=new.id,
            conversation_id=conversation_id,
            role=new.role,
            content=new.content,
            status=new.status,
            correlation_id=new.correlation_id,
            position=next(self._positions) if earlier is None else earlier.position,
            created_at=datetime.now(UTC),
        )
        before = max((each.position for each in others), default=0)
        messages[:] = sorted([*others, message], key=lambda each: each.position)
        return message, before

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST
    ) -> list[Message]:
        messages = self._said.get((user_id, conversation_id), [])
        shown = [
            each
            for each in messages
            if each.position <= upto and each.status != "withheld" and each.content
        ]
        return shown[-limit:]

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[Conversation]:
        """None: an incognito conversation is in no list."""
        return []

    async def blank_turn(self, user_id: str, correlation_id: UUID) -> None:
        """Nothing to blank: no memory is forgotten in an incognito conversation."""

    async def pop_message(self, user_id: str, conversation_id: UUID) -> Message | None:
        messages = self._said.get((user_id, conversation_id), [])
        return messages.pop() if messages else None

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None:
        self._said.pop((user_id, conversation_id), None)

    def _messages(self, user_id: str, conversation_id: UUID) -> list[Message]:
        key = (user_id, conversation_id)
        messages = self._said.setdefault(key, [])
        self._said.move_to_end(key)
        while len(self._said) > MAX_CONVERSATIONS:
            self._said.popitem(last=False)
        return messages
