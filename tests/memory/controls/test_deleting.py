from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from memory.actions.forgetting.cache_invalidation import CacheInvalidator
from memory.actions.forgetting.erasure import ConversationRemoval
from memory.cache import Cache, CachedMessage, EmbeddingCache, SessionCache, SessionState
from memory.embeddings.cached import CachedEmbedder
from memory.service import MemoryService
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import Origin
from tests.memory.cache.kept_sessions import keep
from tests.memory.fakes import WordEmbedder

SAID = "I own a red kayak"


async def test_no_copy_is_left_of_a_deleted_conversation(
    memory: MemoryService, cache: Cache, user_id: str, conversation: UUID
) -> None:
    sessions = SessionCache(cache)
    await memory.conversations.add_message(user_id, conversation, NewMessage("user", SAID, uuid4()))
    state = SessionState(last_position=1, messages=(CachedMessage(role="user", content=SAID),))
    await keep(sessions, user_id, str(conversation), state)

    assert await memory.deleting.delete(user_id, conversation, Origin())

    assert await sessions.load(user_id, str(conversation)) is None
    assert await memory.conversations.read(user_id, conversation) is None
    [entry] = await memory.audit.read(user_id)
    assert (entry.action, entry.detail) == (
        "conversation_deleted",
        {"conversation": str(conversation)},
    )


@dataclass
class TurnBefore(DatabaseConversations):
    """A turn ends, and its history is cached, as the conversation is about to be removed."""

    database: Database
    sessions: SessionCache
    state: SessionState

    def __post_init__(self) -> None:
        super().__init__(self.database)

    async def remove(self, user_id: str, conversation_id: UUID, origin: Origin) -> bool:
        assert await keep(self.sessions, user_id, str(conversation_id), self.state)
        return await super().remove(user_id, conversation_id, origin)


async def test_a_turn_that_ends_meanwhile_leaves_no_copy_either(
    database: Database, cache: Cache, user_id: str, conversation: UUID
) -> None:
    sessions = SessionCache(cache)
    state = SessionState(last_position=1, messages=(CachedMessage(role="user", content=SAID),))
    conversations = TurnBefore(database, sessions, state)
    await conversations.add_message(user_id, conversation, NewMessage("user", SAID, uuid4()))
    copies = CacheInvalidator(
        CachedEmbedder(WordEmbedder(), EmbeddingCache(cache)), sessions, cache
    )

    assert await ConversationRemoval(conversations, copies).delete(user_id, conversation, Origin())

    assert await sessions.load(user_id, str(conversation)) is None


async def test_that_of_somebody_else_stays(
    memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    await memory.conversations.add_message(user_id, conversation, NewMessage("user", SAID, uuid4()))

    assert not await memory.deleting.delete(f"{user_id}-other", conversation, Origin())

    assert await memory.conversations.read(user_id, conversation) is not None
