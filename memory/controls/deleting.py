"""Deleting a conversation: what was said goes, what was learned from it stays."""

from __future__ import annotations

import asyncio
from uuid import UUID

from memory.models import Origin
from memory.store.conversation_store import ConversationStore
from memory.store.conversations import LATEST
from memory.upkeep.erasure import CachedVectors, CacheFile, SessionCopies, embedded_forms

_AT_ONCE = 200


class Deleting:
    """Every method names its user."""

    def __init__(
        self,
        conversations: ConversationStore,
        vectors: CachedVectors,
        sessions: SessionCopies,
        cache_file: CacheFile,
    ) -> None:
        self._conversations = conversations
        self._vectors = vectors
        self._sessions = sessions
        self._cache_file = cache_file

    async def delete(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        """Removes the messages with their vectors and search rows, the conversation, and every
        cached copy; whether it was there. The copies go first, so that it can be done again where
        the database went away in between. A cache that is away loses its copies by their time to
        live, within 7 days. Raises DatabaseUnavailable."""
        await self._clear_copies(user_id, conversation_id)
        return await self._conversations.remove(user_id, conversation_id, origin)

    async def _clear_copies(self, user_id: str, conversation_id: UUID) -> None:
        await self._sessions.drop(user_id, str(conversation_id))
        before: int | None = LATEST
        while before is not None:
            page = await self._conversations.page(user_id, conversation_id, _AT_ONCE, before)
            texts = [each.message.content for each in page.messages]
            if texts:
                await self._vectors.forget(await asyncio.to_thread(embedded_forms, texts))
            before = page.before
        await self._cache_file.rewrite_file()
