"""What is asked of wherever conversations are: the database, or this process alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from memory.models import DEFAULT_SPACE, Conversation, Message, Origin
from memory.store.conversations.listing import (
    ConversationFilter,
    ConversationPage,
    MessagePage,
    ShownMessage,
)
from memory.store.conversations.messages import LATEST, NewMessage
from memory.store.conversations.taking_back import TakenBack


class ConversationStore(Protocol):
    """What a session needs of wherever its messages are."""

    async def add_message(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int]: ...

    async def replace_turn(
        self,
        user_id: str,
        conversation_id: UUID,
        new: NewMessage,
        instead_of: UUID,
        space: str = DEFAULT_SPACE,
    ) -> tuple[Message, int, TakenBack]: ...

    async def take_back(self, user_id: str, conversation_id: UUID, turn_id: UUID) -> TakenBack: ...

    async def read_recent(
        self, user_id: str, conversation_id: UUID, limit: int, upto: int = LATEST
    ) -> list[Message]: ...

    async def list_conversations(self, user_id: str, limit: int = 50) -> list[Conversation]: ...

    async def browse(self, user_id: str, wanted: ConversationFilter) -> ConversationPage: ...

    async def read(self, user_id: str, conversation_id: UUID) -> Conversation | None: ...

    async def page(
        self, user_id: str, conversation_id: UUID, limit: int, before: int = LATEST
    ) -> MessagePage: ...

    async def read_several(self, user_id: str, ids: Sequence[UUID]) -> list[ShownMessage]: ...

    async def of_turn(self, user_id: str, correlation_id: UUID) -> list[ShownMessage]: ...

    async def rename(
        self, user_id: str, conversation_id: UUID, title: str, origin: Origin
    ) -> Conversation | None: ...

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool: ...

    async def pop_message(self, user_id: str, conversation_id: UUID) -> Message | None: ...

    async def clear_conversation(self, user_id: str, conversation_id: UUID) -> None: ...
