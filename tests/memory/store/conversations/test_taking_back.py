from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from memory.errors import NotTheLastTurn
from memory.store.conversations import DatabaseConversations, RetractionStore
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.messages import NewMessage
from memory.types import NewMemory, Origin, Role


@pytest.fixture
def conversations(database: Database) -> DatabaseConversations:
    return DatabaseConversations(database)


@pytest.fixture
def store(database: Database) -> RetractionStore:
    return RetractionStore(database)


def said(text: str, turn: UUID, role: Role = "user", *, waits: bool = False) -> NewMessage:
    return NewMessage(role, text, turn, needs_learning=waits)


async def take_turn(
    conversations: DatabaseConversations,
    user_id: str,
    chat: UUID,
    text: str,
    *,
    waits: bool = False,
) -> UUID:
    turn = uuid4()
    await conversations.add_message(user_id, chat, said(text, turn, waits=waits))
    await conversations.add_message(user_id, chat, said("All right.", turn, "assistant"))
    return turn


async def keep(database: Database, user_id: str, text: str, *sources: UUID) -> UUID:
    item = NewMemory(content=text, source_ids=tuple(map(str, sources)))
    return (await MemoryStore(database).save(user_id, EmbeddedMemory(item, None, None))).id


async def test_the_old_turn_goes_and_the_new_message_comes(
    conversations: DatabaseConversations, user_id: str, conversation: UUID
) -> None:
    await take_turn(conversations, user_id, conversation, "one")
    last = await take_turn(conversations, user_id, conversation, "two")

    message, before, taken = await conversations.replace_turn(
        user_id, conversation, said("three", uuid4()), last
    )

    read = await conversations.read_recent(user_id, conversation, 9)
    assert [each.content for each in read] == ["one", "All right.", "three"]
    assert before == read[1].position < message.position
    assert [each.content for each in taken.messages] == ["two", "All right."]
    assert taken.messages_to_unlearn == tuple(each.id for each in taken.messages)


async def test_another_than_the_last_is_refused_and_nothing_changes(
    conversations: DatabaseConversations, user_id: str, conversation: UUID
) -> None:
    first = await take_turn(conversations, user_id, conversation, "one")
    await take_turn(conversations, user_id, conversation, "two")

    for turn, owner in ((first, user_id), (uuid4(), user_id), (first, f"{user_id}-other")):
        with pytest.raises(NotTheLastTurn):
            await conversations.replace_turn(owner, conversation, said("no", uuid4()), turn)

    assert len(await conversations.read_recent(user_id, conversation, 9)) == 4
    assert await conversations.list_conversations(f"{user_id}-other") == []


@pytest.mark.parametrize("waits", [True, False])
async def test_the_same_words_wait_to_be_learned_from_as_the_old_ones_did(
    conversations: DatabaseConversations,
    database: Database,
    user_id: str,
    conversation: UUID,
    waits: bool,
) -> None:
    turn = await take_turn(conversations, user_id, conversation, "one", waits=waits)

    message, _, taken = await conversations.replace_turn(
        user_id, conversation, said("one", uuid4(), waits=True), turn
    )

    async with database.as_user(user_id) as connection:
        waiting = await connection.fetchval(
            "SELECT needs_learning FROM messages WHERE id = $1", message.id
        )
    assert (taken.again, waiting) == (True, waits)
    [reply] = taken.messages_to_unlearn
    assert reply == taken.messages[1].id


async def test_what_rests_on_it_alone_is_found(
    store: RetractionStore, database: Database, user_id: str
) -> None:
    taken, other = uuid4(), uuid4()
    alone = await keep(database, user_id, "alone", taken)
    await keep(database, user_id, "also elsewhere", other, taken)
    await keep(database, user_id, "elsewhere", other)
    await keep(database, user_id, "from nowhere")

    found = await store.unlearn(user_id, uuid4(), [taken], Origin())

    assert [each.id for each in found] == [alone]
    assert await store.unlearn("somebody", uuid4(), [taken], Origin()) == []


async def test_it_is_a_source_no_more_of_what_was_said_again(
    store: RetractionStore, database: Database, user_id: str
) -> None:
    taken, other = uuid4(), uuid4()
    kept = await keep(database, user_id, "also elsewhere", other, taken)

    await store.unlearn(user_id, uuid4(), [taken], Origin())

    async with database.as_user(user_id) as connection:
        sources = await connection.fetchval(
            "SELECT source_ids FROM memory_items WHERE id = $1", kept
        )
    assert sources == [str(other)]
