"""Deleting a conversation: what was said goes, what was learned from it stays."""

from __future__ import annotations

from uuid import UUID

from memory.models import Origin
from memory.store.conversations.conversation_store import ConversationStore
from memory.store.conversations.messages import LATEST
from memory.upkeep.copies import Copies

_AT_ONCE = 200


class Deleting:
    """Every method names its user."""

    def __init__(self, conversations: ConversationStore, copies: Copies) -> None:
        self._conversations = conversations
        self._copies = copies

    async def delete(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Removes the messages with their vectors and search rows, the conversation, and every
        cached copy; whether it was there. The copies go first, so that it can be done again where
        the database went away in between. A cache that is away loses its copies by their time to
        live, within 7 days. Raises DatabaseUnavailable."""
        await self._clear_copies(user_id, conversation_id)
        removed = await self._conversations.remove(user_id, conversation_id, origin)
        # Again: a turn that ended in between has cached it anew.
        await self._copies.drop_sessions(user_id, [conversation_id])
        await self._copies.rewrite_file()
        return removed

    async def _clear_copies(self, user_id: str, conversation_id: UUID) -> None:
        await self._copies.drop_sessions(user_id, [conversation_id])
        before: int | None = LATEST
        while before is not None:
            page = await self._conversations.page(user_id, conversation_id, _AT_ONCE, before)
            texts = [each.message.content for each in page.messages]
            if texts:
                await self._copies.forget_vectors(texts)
            before = page.before
