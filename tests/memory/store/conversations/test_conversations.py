from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from memory.store.conversations import ConversationFilter, DatabaseConversations
from memory.store.database import Database
from memory.store.messages import TITLE_CHARS, NewMessage
from memory.types import MessageStatus, Origin, Role, StoredMessage


@pytest.fixture
def conversations(database: Database) -> DatabaseConversations:
    return DatabaseConversations(database)


def said(content: str, role: Role = "user", status: MessageStatus = "complete") -> NewMessage:
    return NewMessage(role, content, uuid4(), status)


async def say_all(
    conversations: DatabaseConversations, user_id: str, chat: UUID, *texts: str
) -> list[StoredMessage]:
    return [(await conversations.add_message(user_id, chat, said(text)))[0] for text in texts]


async def test_a_message_opens_its_conversation(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat, new = uuid4(), said("  Which \n package\tmanager? ")
    message, before = await conversations.add_message(user_id, chat, new)
    assert before == 0
    assert (message.role, message.content, message.status) == ("user", new.content, "complete")
    assert (message.conversation_id, message.correlation_id) == (chat, new.correlation_id)
    [kept] = await conversations.list_conversations(user_id)
    assert (kept.id, kept.title) == (chat, "Which package manager?")


async def test_the_title_is_the_first_words_and_stays(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat = uuid4()
    await say_all(conversations, user_id, chat, "long " * 100, "another")
    [kept] = await conversations.list_conversations(user_id)
    assert kept.title == ("long " * 100)[:TITLE_CHARS]


async def test_positions_tell_what_came_before(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat = uuid4()
    first, _ = await conversations.add_message(user_id, chat, said("one"))
    await conversations.add_message(user_id, uuid4(), said("elsewhere"))
    second, before = await conversations.add_message(user_id, chat, said("two"))
    assert before == first.position < second.position


async def test_the_newest_messages_oldest_first(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat = uuid4()
    messages = await say_all(conversations, user_id, chat, *"abcde")
    assert await conversations.read_recent(user_id, chat, 3) == messages[2:]
    upto = messages[3].position
    assert await conversations.read_recent(user_id, chat, 2, upto) == messages[2:4]


async def test_what_was_withheld_or_is_empty_is_not_read_again(
    conversations: DatabaseConversations, user_id: str
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
    conversations: DatabaseConversations, user_id: str
) -> None:
    older, newer = uuid4(), uuid4()
    for chat in (older, newer, older):
        await conversations.add_message(user_id, chat, said("x"))
    assert [each.id for each in await conversations.list_conversations(user_id)] == [older, newer]
    assert len(await conversations.list_conversations(user_id, 1)) == 1


async def test_what_a_reply_rested_on_is_kept_with_it(
    conversations: DatabaseConversations, database: Database, user_id: str
) -> None:
    new = NewMessage("assistant", "uv", uuid4(), recalled=({"id": "é", "relevance": 0.5},))
    message, _ = await conversations.add_message(user_id, uuid4(), new)
    async with database.as_user(user_id) as connection:
        stored = await connection.fetchval(
            "SELECT recalled->0->>'id' FROM messages WHERE id = $1", message.id
        )
    assert stored == "é"


async def test_a_message_can_be_taken_back(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat = uuid4()
    one, two = await say_all(conversations, user_id, chat, "one", "two")
    assert await conversations.pop_message(user_id, chat) == two
    assert await conversations.pop_message(user_id, chat) == one
    assert await conversations.pop_message(user_id, chat) is None


async def test_clearing_leaves_other_conversations(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat, other = uuid4(), uuid4()
    await say_all(conversations, user_id, chat, "one", "two")
    await say_all(conversations, user_id, other, "stays")
    await conversations.clear_conversation(user_id, chat)
    assert await conversations.read_recent(user_id, chat, 10) == []
    assert len(await conversations.read_recent(user_id, other, 10)) == 1
    assert len(await conversations.list_conversations(user_id)) == 2


async def test_the_same_id_of_two_users_is_two_conversations(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat, other = uuid4(), f"{user_id}-other"
    await say_all(conversations, user_id, chat, "mine")
    await say_all(conversations, other, chat, "theirs")
    assert [each.content for each in await conversations.read_recent(user_id, chat, 9)] == ["mine"]
    await conversations.clear_conversation(other, chat)
    assert await conversations.pop_message(other, chat) is None
    assert len(await conversations.read_recent(user_id, chat, 9)) == 1


async def test_many_at_once_lose_nothing(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat = uuid4()
    texts = [f"message {each}" for each in range(20)]
    await asyncio.gather(*(conversations.add_message(user_id, chat, said(text)) for text in texts))
    read = await conversations.read_recent(user_id, chat, 100)
    assert sorted(each.content for each in read) == sorted(texts)
    assert len({each.position for each in read}) == 20


async def test_a_message_is_kept_once_by_its_id_as_it_was_last(
    conversations: DatabaseConversations, user_id: str
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


async def test_a_search_finds_titles_and_messages_of_the_user_alone(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat, other = uuid4(), uuid4()
    await say_all(conversations, user_id, chat, "Hello", "The red kayak leaks")
    await say_all(conversations, user_id, other, "Something else")

    async def found(owner: str, text: str) -> list[UUID]:
        page = await conversations.browse(owner, ConversationFilter(text=text))
        return [each.id for each in page.conversations]

    for text in (
        "kayaks",
        "leak",
        "hell",
        "HELLO",
        "ello",
        "kay",
        "red kay",
        "-tea kay",
    ):
        assert await found(user_id, text) == [chat], text
    for text in (
        "nothing of it",
        "ayak",
        "ka",
        '"red kay',
        "leaks -kayak",
        "kayak:* | tea",
        "' & !",
    ):
        assert await found(user_id, text) == [], text
    assert await found(f"{user_id}-other", "kayak") == []


async def test_what_is_written_without_spaces_is_found_by_any_part(
    conversations: DatabaseConversations, user_id: str
) -> None:
    chat = uuid4()
    await say_all(conversations, user_id, chat, "Hello", "我喜欢红色的皮艇")

    page = await conversations.browse(user_id, ConversationFilter(text="皮艇"))
    other = await conversations.browse("somebody", ConversationFilter(text="皮艇"))

    assert [each.id for each in page.conversations] == [chat]
    assert other.conversations == ()


async def test_what_was_withheld_is_not_searched(
    conversations: DatabaseConversations, user_id: str
) -> None:
    await conversations.add_message(user_id, uuid4(), said("Hello"))
    await conversations.add_message(user_id, uuid4(), said("A kayak", status="withheld"))

    page = await conversations.browse(user_id, ConversationFilter(text="kayak", limit=5))

    assert [each.title for each in page.conversations] == ["A kayak"], "by its title"


async def test_pages_follow_each_other_without_a_gap(
    conversations: DatabaseConversations, user_id: str, conversation: UUID
) -> None:
    messages = await say_all(conversations, user_id, conversation, *"abcde")

    newest = await conversations.page(user_id, conversation, 2)
    assert newest.before is not None
    older = await conversations.page(user_id, conversation, 3, newest.before)

    assert [each.message for each in (*older.messages, *newest.messages)] == messages
    assert older.before is None


async def test_a_page_tells_what_a_reply_rested_on(
    conversations: DatabaseConversations, user_id: str, conversation: UUID
) -> None:
    rested = {"item_id": str(uuid4()), "relevance": 0.5}
    turn = uuid4()
    reply = NewMessage("assistant", "So", turn, recalled=(rested,))
    await conversations.add_message(user_id, conversation, reply)

    [shown] = await conversations.of_turn(user_id, turn)

    assert shown.recalled == (rested,)
    assert await conversations.of_turn("somebody", turn) == []


async def test_a_conversation_is_removed_by_its_user_alone(
    conversations: DatabaseConversations, user_id: str, conversation: UUID
) -> None:
    await say_all(conversations, user_id, conversation, "one")

    assert not await conversations.remove("somebody", conversation, Origin())
    assert await conversations.read(user_id, conversation) is not None
    assert await conversations.remove(user_id, conversation, Origin())
    assert await conversations.read(user_id, conversation) is None
    assert await conversations.read_recent(user_id, conversation, 9) == []


async def test_a_title_is_given_to_the_users_own(
    conversations: DatabaseConversations, user_id: str, conversation: UUID
) -> None:
    await say_all(conversations, user_id, conversation, "one")

    assert await conversations.rename("somebody", conversation, "Mine", Origin()) is None
    renamed = await conversations.rename(user_id, conversation, "Mine", Origin())

    assert renamed is not None and renamed.title == "Mine"
