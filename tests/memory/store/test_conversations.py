from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from memory.database import Database
from memory.models import Message, MessageStatus, Role
from memory.store.conversations import TITLE_CHARS, Conversations, NewMessage


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)


def said(content: str, role: Role = "user", status: MessageStatus = "complete") -> NewMessage:
    return NewMessage(role, content, uuid4(), status)


async def say_all(
    conversations: Conversations, user_id: str, chat: UUID, *texts: str
) -> list[Message]:
    return [(await conversations.add_message(user_id, chat, said(text)))[0] for text in texts]


async def test_a_message_opens_its_conversation(conversations: Conversations, user_id: str) -> None:
    chat, new = uuid4(), said("  Which \n package\tmanager? ")
    message, before = await conversations.add_message(user_id, chat, new)
    assert before == 0
    assert (message.role, message.content, message.status) == ("user", new.content, "complete")
    assert (message.conversation_id, message.correlation_id) == (chat, new.correlation_id)
    [kept] = await conversations.list_conversations(user_id)
    assert (kept.id, kept.title) == (chat, "Which package manager?")


async def test_the_title_is_the_first_words_and_stays(
    conversations: Conversations, user_id: str
) -> None:
    chat = uuid4()
    await say_all(conversations, user_id, chat, "long " * 100, "another")
    [kept] = await conversations.list_conversations(user_id)
    assert kept.title == ("long " * 100)[:TITLE_CHARS]


async def test_positions_tell_what_came_before(conversations: Conversations, user_id: str) -> None:
    chat = uuid4()
    first, _ = await conversations.add_message(user_id, chat, said("one"))
    await conversations.add_message(user_id, uuid4(), said("elsewhere"))
    second, before = await conversations.add_message(user_id, chat, said("two"))
    assert before == first.position < second.position


async def test_the_newest_messages_oldest_first(conversations: Conversations, user_id: str) -> None:
    chat = uuid4()
    messages = await say_all(conversations, user_id, chat, *"abcde")
    assert await conversations.read_recent(user_id, chat, 3) == messages[2:]
    upto = messages[3].position
    assert await conversations.read_recent(user_id, chat, 2, upto) == messages[2:4]


async def test_what_was_withheld_or_is_empty_is_not_read_again(
    conversations: Conversations, user_id: str
) -> None:
    chat = uuid4()
    for new in (
        said("asked"),
        said("blocked", status="withheld"),
        said("", "assistant", "failed"),
        said("cut", "assistant", "interrupted"),
    ):
        await conversations.add_message(user_id, chat, new)
    read = await conversations.read_recent(user_id, chat, 10)
    assert [each.content for each in read] == ["asked", "cut"]


async def test_conversations_come_last_used_first(
    conversations: Conversations, user_id: str
) -> None:
    older, newer = uuid4(), uuid4()
    for chat in (older, newer, older):
        await conversations.add_message(user_id, chat, said("x"))
    assert [each.id for each in await conversations.list_conversations(user_id)] == [older, newer]
    assert len(await conversations.list_conversations(user_id, 1)) == 1


async def test_what_a_reply_rested_on_is_kept_with_it(
    conversations: Conversations, database: Database, user_id: str
) -> None:
    new = NewMessage("assistant", "uv", uuid4(), recalled=({"id": "é", "relevance": 0.5},))
    message, _ = await conversations.add_message(user_id, uuid4(), new)
    async with database.as_user(user_id) as connection:
        stored = await connection.fetchval(
            "SELECT recalled->0->>'id' FROM messages WHERE id = $1", message.id
        )
    assert stored == "é"


async def test_a_message_can_be_taken_back(conversations: Conversations, user_id: str) -> None:
    chat = uuid4()
    one, two = await say_all(conversations, user_id, chat, "one", "two")
    assert await conversations.pop_message(user_id, chat) == two
    assert await conversations.pop_message(user_id, chat) == one
    assert await conversations.pop_message(user_id, chat) is None


async def test_clearing_leaves_other_conversations(
    conversations: Conversations, user_id: str
) -> None:
    chat, other = uuid4(), uuid4()
    await say_all(conversations, user_id, chat, "one", "two")
    await say_all(conversations, user_id, other, "stays")
    await conversations.clear_conversation(user_id, chat)
    assert await conversations.read_recent(user_id, chat, 10) == []
    assert len(await conversations.read_recent(user_id, other, 10)) == 1
    assert len(await conversations.list_conversations(user_id)) == 2


async def test_the_same_id_of_two_users_is_two_conversations(
    conversations: Conversations, user_id: str
) -> None:
    chat, other = uuid4(), f"{user_id}-other"
    await say_all(conversations, user_id, chat, "mine")
    await say_all(conversations, other, chat, "theirs")
    assert [each.content for each in await conversations.read_recent(user_id, chat, 9)] == ["mine"]
    await conversations.clear_conversation(other, chat)
    assert await conversations.pop_message(other, chat) is None
    assert len(await conversations.read_recent(user_id, chat, 9)) == 1


async def test_many_at_once_lose_nothing(conversations: Conversations, user_id: str) -> None:
    chat = uuid4()
    texts = [f"message {each}" for each in range(20)]
    await asyncio.gather(*(conversations.add_message(user_id, chat, said(text)) for text in texts))
    read = await conversations.read_recent(user_id, chat, 100)
    assert sorted(each.content for each in read) == sorted(texts)
    assert len({each.position for each in read}) == 20


async def test_a_message_is_kept_once_by_its_id_as_it_was_last(
    conversations: Conversations, user_id: str
) -> None:
    chat = uuid4()
    [asked] = await say_all(conversations, user_id, chat, "Tell me")
    growing = said("Once upon", "assistant", "interrupted")
    whole = NewMessage("assistant", "Once upon a time", growing.correlation_id, id=growing.id)
    first, before = await conversations.add_message(user_id, chat, growing)
    last, still_before = await conversations.add_message(user_id, chat, whole)
    assert (first.id, first.position) == (last.id, last.position)
    assert before == still_before == asked.position
    kept = await conversations.read_recent(user_id, chat, 10)
    assert [(each.content, each.status) for each in kept] == [
        ("Tell me", "complete"),
        ("Once upon a time", "complete"),
    ]
