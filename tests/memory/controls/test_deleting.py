from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from memory.cache import Cache, EmbeddingCache, SessionCache
from memory.cache.session import CachedMessage, SessionState
from memory.controls.deleting import Deleting
from memory.database import Database
from memory.embedders.cached import CachedEmbedder
from memory.models import Origin
from memory.service import Memory
from memory.store.conversations.conversations import Conversations
from memory.store.conversations.messages import NewMessage
from memory.upkeep.copies import Copies
from tests.memory.cache.kept_sessions import keep
from tests.memory.fakes import WordEmbedder

SAID = "I own a red kayak"


async def test_no_copy_is_left_of_a_deleted_conversation(
    memory: Memory, cache: Cache, user_id: str, conversation: UUID
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
class TurnBefore(Conversations):
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
    copies = Copies(CachedEmbedder(WordEmbedder(), EmbeddingCache(cache)), sessions, cache)

    assert await Deleting(conversations, copies).delete(user_id, conversation, Origin())

    assert await sessions.load(user_id, str(conversation)) is None


async def test_that_of_somebody_else_stays(
    memory: Memory, user_id: str, conversation: UUID
) -> None:
    await memory.conversations.add_message(user_id, conversation, NewMessage("user", SAID, uuid4()))

    assert not await memory.deleting.delete(f"{user_id}-other", conversation, Origin())

    assert await memory.conversations.read(user_id, conversation) is not None
