"""Incognito conversations: in this process alone, until they end."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from memory.errors import NotTheLastTurn
from memory.store.conversations import (
    ConversationFilter,
    ConversationPage,
    MessagePage,
    MessageWithSources,
    RetractedMessage,
    RetractedTurn,
    to_message_page,
)
from memory.store.messages import LATEST_POSITION, NewMessage, withheld_message
from memory.types import DEFAULT_SPACE, Origin, StoredConversation, StoredMessage


def largest_owner(owners: Iterable[str]) -> str:
    """The owner of the most things, named once for each of them; of several, the one who is named
    first. There has to be one."""
    [(owner, _)] = Counter(owners).most_common(1)
    return owner


MAX_CONVERSATIONS = 1000


@dataclass
class _IncognitoConversation:
    """One conversation; `said` in the order of its messages' positions."""

    id: UUID
    space: str
    title: str | None = None
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    said: list[MessageWithSources] = field(default_factory=list)

    def as_conversation(self) -> StoredConversation:
        last = self.said[-1].message.created_at if self.said else self.began
        return StoredConversation(
            id=self.id,
            title=self.title,
            space=self.space,
            created_at=self.began,
            updated_at=last,
        )


class IncognitoConversations:
    """A ConversationStore that no database, cache or file knows of. Beyond MAX_CONVERSATIONS the
    least recently used one goes of the user who has the most, so that nobody pushes out
    another's."""

    def __init__(self) -> None:
        self._talks: OrderedDict[tuple[str, UUID], _IncognitoConversation] = OrderedDict()
        self._positions = count(1)

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int]:
        talk = self._talk(user_id, conversation_id, space)
        earlier = next((each.message for each in talk.said if each.message.id == new.id), None)
        others = [each for each in talk.said if each.message.id != new.id]
        message = StoredMessage(
            id=new.id,
            conversation_id=conversation_id,
            role=new.role,
            content=new.content,
            status=new.status,
            correlation_id=new.correlation_id,
            position=next(self._positions) if earlier is None else earlier.position,
            created_at=datetime.now(UTC) if earlier is None else earlier.created_at,
        )
        before = max((each.message.position for each in others), default=0)
        shown = MessageWithSources(message, new.recalled)
        talk.said = sorted([*others, shown], key=lambda each: each.message.position)
        return message, before

    async def add_reply(
        self, user_id: str, conversation_id: UUID, reply: NewMessage
    ) -> tuple[StoredMessage, int]:
        """Nothing of it where the conversation has ended meanwhile."""
        talk = self._talks.get((user_id, conversation_id))
        if talk is None:
            return withheld_message(conversation_id, reply, 0), 0
        return await self.add_message(user_id, conversation_id, reply, talk.space)

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[StoredMessage, int, RetractedTurn]:
        taken = await self.take_back(user_id, conversation_id, instead_of)
        message, before = await self.add_message(user_id, conversation_id, new, space)
        return message, before, taken

    async def take_back(self, user_id: str, conversation_id: UUID, turn_id: UUID) -> RetractedTurn:
        said = self._said(user_id, conversation_id)
        if not said or said[-1].message.correlation_id != turn_id:
            raise NotTheLastTurn
        gone = [each.message for each in said if each.message.correlation_id == turn_id]
        said[:] = [each for each in said if each.message.correlation_id != turn_id]
        taken = [RetractedMessage(each.id, each.role, each.content, False) for each in gone]
        return RetractedTurn(turn_id, tuple(taken))

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST_POSITION
    ) -> list[StoredMessage]:
        shown = [
            each.message
            for each in self._said(user_id, conversation_id)
            if each.message.position <= upto
            and each.message.status != "withheld"
            and each.message.content
        ]
        return shown[-limit:]

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[StoredConversation]:
        """None: an incognito conversation is in no list."""
        return []

    async def browse(self, user_id: str, wanted: ConversationFilter) -> ConversationPage:
        """Empty, as the list is."""
        return ConversationPage((), None)

    async def read(self, user_id: str, conversation_id: UUID) -> StoredConversation | None:
        talk = self._talks.get((user_id, conversation_id))
        return None if talk is None else talk.as_conversation()

    async def page(
        self, user_id: str, conversation_id: UUID, limit: int, before: int = LATEST_POSITION
    ) -> MessagePage:
        said = self._said(user_id, conversation_id)
        newest = [each for each in reversed(said) if each.message.position < before]
        return to_message_page(newest[: limit + 1], limit)

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> list[MessageWithSources]:
        """None: nothing that is stored rests on what was said here."""
        return []

    async def of_turn(self, user_id: str, correlation_id: UUID) -> list[MessageWithSources]:
        return [
            each
            for (owner, _), talk in self._talks.items()
            if owner == user_id
            for each in talk.said
            if each.message.correlation_id == correlation_id
        ]

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> StoredConversation | None:
        """Without an entry in the audit log, as with `remove`."""
        talk = self._talks.get((user_id, conversation_id))
        if talk is None:
            return None
        talk.title = title
        return talk.as_conversation()

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Without an entry in the audit log: no trace of it was ever stored."""
        return self._talks.pop((user_id, conversation_id), None) is not None

    async def pop_message(self, user_id: str, conversation_id: UUID) -> StoredMessage | None:
        said = self._said(user_id, conversation_id)
        return said.pop().message if said else None

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None:
        self._said(user_id, conversation_id).clear()

    async def drop_user(self, user_id: str) -> None:
        for key in [key for key in self._talks if key[0] == user_id]:
            del self._talks[key]

    def _said(self, user_id: str, conversation_id: UUID) -> list[MessageWithSources]:
        talk = self._talks.get((user_id, conversation_id))
        return [] if talk is None else talk.said

    def _talk(self, user_id: str, conversation_id: UUID, space: str) -> _IncognitoConversation:
        key = (user_id, conversation_id)
        talk = self._talks.setdefault(key, _IncognitoConversation(conversation_id, space))
        self._talks.move_to_end(key)
        if len(self._talks) > MAX_CONVERSATIONS:
            owner = largest_owner(user_id for user_id, _ in self._talks)
            del self._talks[next(each for each in self._talks if each[0] == owner)]
        return talk
