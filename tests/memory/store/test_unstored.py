from __future__ import annotations

from uuid import UUID, uuid4

from memory.models import Role
from memory.store.conversations import NewMessage
from memory.store.unstored import MAX_CONVERSATIONS, UnstoredConversations


def said(text: str, role: Role = "user", message_id: UUID | None = None) -> NewMessage:
    return NewMessage(role, text, uuid4(), id=message_id or uuid4())


async def test_reads_what_was_said_in_its_order(user_id: str, conversation: UUID) -> None:
    store = UnstoredConversations()
    _, before = await store.add_message(user_id, conversation, said("one"))
    first, _ = await store.add_message(user_id, conversation, said("two", "assistant"))
    _, after = await store.add_message(user_id, conversation, said("three"))
    read = await store.read_recent(user_id, conversation, 2)
    assert [message.content for message in read] == ["two", "three"]
    assert (before, after) == (0, first.position)
    upto = await store.read_recent(user_id, conversation, 9, first.position)
    assert [message.content for message in upto] == ["one", "two"]


async def test_a_reply_grows_in_its_place(user_id: str, conversation: UUID) -> None:
    store, reply = UnstoredConversations(), uuid4()
    await store.add_message(user_id, conversation, said("go"))
    await store.add_message(user_id, conversation, said("so", "assistant", reply))
    await store.add_message(user_id, conversation, said("so far", "assistant", reply))
    read = await store.read_recent(user_id, conversation, 9)
    assert [message.content for message in read] == ["go", "so far"]


async def test_nobody_else_reads_it_and_no_list_names_it(user_id: str, conversation: UUID) -> None:
    store = UnstoredConversations()
    await store.add_message(user_id, conversation, said("one"))
    assert await store.read_recent("somebody", conversation, 9) == []
    assert await store.list_conversations(user_id) == []
    await store.clear_conversation(user_id, conversation)
    assert await store.read_recent(user_id, conversation, 9) == []


async def test_the_oldest_conversation_is_dropped(user_id: str) -> None:
    store, first = UnstoredConversations(), uuid4()
    await store.add_message(user_id, first, said("one"))
    for _ in range(MAX_CONVERSATIONS):
        await store.add_message(user_id, uuid4(), said("more"))
    assert await store.read_recent(user_id, first, 9) == []
