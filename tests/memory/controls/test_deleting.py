from __future__ import annotations

from uuid import UUID, uuid4

from memory.cache import Cache, SessionCache
from memory.cache.session import CachedMessage, SessionState
from memory.models import Origin
from memory.service import Memory
from memory.store.conversations.messages import NewMessage
from tests.memory.cache.kept_sessions import keep

SAID = "I own a red kayak"


async def test_no_copy_is_left_of_a_deleted_conversation(
    memory: Memory, cache: Cache, user_id: str, conversation: UUID
) -> None:
    sessions = SessionCache(cache)
    await memory.conversations.add_message(user_id, conversation, NewMessage("user", SAID, uuid4()))
    state = SessionState(last_position=1, messages=(CachedMessage(role="user", content=SAID),))
    await keep(sessions, user_id, str(conversation), state)

    assert await memory.deleting.delete(user_id, conversation, Origin())

    assert (await sessions.load(user_id, str(conversation))).state is None
    assert await memory.conversations.read(user_id, conversation) is None
    [entry] = await memory.audit.read(user_id)
    assert (entry.action, entry.detail) == (
        "conversation_deleted",
        {"conversation": str(conversation)},
    )


async def test_that_of_somebody_else_stays(
    memory: Memory, user_id: str, conversation: UUID
) -> None:
    await memory.conversations.add_message(user_id, conversation, NewMessage("user", SAID, uuid4()))

    assert not await memory.deleting.delete(f"{user_id}-other", conversation, Origin())

    assert await memory.conversations.read(user_id, conversation) is not None
