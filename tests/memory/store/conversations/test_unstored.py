from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from memory.errors import NotTheLastTurn
from memory.store.incognito_conversations import MAX_CONVERSATIONS, IncognitoConversations
from memory.store.messages import NewMessage
from memory.types import Origin, Role


def said(text: str, role: Role = "user", message_id: UUID | None = None) -> NewMessage:
    return NewMessage(role, text, uuid4(), id=message_id or uuid4())


async def test_reads_what_was_said_in_its_order(user_id: str, conversation: UUID) -> None:
    store = IncognitoConversations()
    _, before = await store.add_message(user_id, conversation, said("one"))
    first, _ = await store.add_message(user_id, conversation, said("two", "assistant"))
    _, after = await store.add_message(user_id, conversation, said("three"))
    read = await store.read_recent(user_id, conversation, 2)
    assert [message.content for message in read] == ["two", "three"]
    assert (before, after) == (0, first.position)
    upto = await store.read_recent(user_id, conversation, 9, first.position)
    assert [message.content for message in upto] == ["one", "two"]


async def test_a_reply_grows_in_its_place(user_id: str, conversation: UUID) -> None:
    store, reply = IncognitoConversations(), uuid4()
    await store.add_message(user_id, conversation, said("go"))
    await store.add_message(user_id, conversation, said("so", "assistant", reply))
    await store.add_message(user_id, conversation, said("so far", "assistant", reply))
    read = await store.read_recent(user_id, conversation, 9)
    assert [message.content for message in read] == ["go", "so far"]


async def test_nobody_else_reads_it_and_no_list_names_it(user_id: str, conversation: UUID) -> None:
    store = IncognitoConversations()
    await store.add_message(user_id, conversation, said("one"))
    assert await store.read_recent("somebody", conversation, 9) == []
    assert await store.list_conversations(user_id) == []


async def test_what_is_cleared_goes_on_under_its_title(user_id: str, conversation: UUID) -> None:
    """As in a conversation that is stored: the next reply is not one to a conversation that
    ended."""
    store = IncognitoConversations()
    await store.add_message(user_id, conversation, said("one"))
    await store.rename(user_id, conversation, "Mine", Origin())
    await store.clear_conversation(user_id, conversation)
    assert await store.read_recent(user_id, conversation, 9) == []
    await store.add_reply(user_id, conversation, said("two", "assistant"))
    read = await store.read_recent(user_id, conversation, 9)
    found = await store.read(user_id, conversation)
    assert ([each.content for each in read], found and found.title) == (["two"], "Mine")


async def test_the_oldest_conversation_is_dropped(user_id: str) -> None:
    store, first = IncognitoConversations(), uuid4()
    await store.add_message(user_id, first, said("one"))
    for _ in range(MAX_CONVERSATIONS):
        await store.add_message(user_id, uuid4(), said("more"))
    assert await store.read_recent(user_id, first, 9) == []


async def test_nobody_pushes_out_what_another_says(user_id: str, conversation: UUID) -> None:
    store, first = IncognitoConversations(), uuid4()
    await store.add_message(user_id, conversation, said("mine"))
    await store.add_message("somebody", first, said("theirs"))
    for _ in range(MAX_CONVERSATIONS):
        await store.add_message("somebody", uuid4(), said("more"))
    assert await store.read_recent("somebody", first, 9) == []
    assert await store.read_recent(user_id, conversation, 9) != []


async def test_pages_and_what_each_rested_on(user_id: str, conversation: UUID) -> None:
    store = IncognitoConversations()
    rested = {"item_id": str(uuid4()), "relevance": 0.5}
    for text in "abc":
        await store.add_message(user_id, conversation, said(text))
    turn = uuid4()
    await store.add_message(
        user_id, conversation, NewMessage("assistant", "d", turn, recalled=(rested,))
    )

    newest = await store.page(user_id, conversation, 3)
    assert newest.before is not None
    older = await store.page(user_id, conversation, 3, newest.before)

    texts = [each.message.content for each in (*older.messages, *newest.messages)]
    assert (texts, older.before) == (list("abcd"), None)
    [shown] = await store.of_turn(user_id, turn)
    assert shown.recalled == (rested,)
    assert await store.of_turn("somebody", turn) == []


async def test_the_last_turn_is_replaced(user_id: str, conversation: UUID) -> None:
    store, turn = IncognitoConversations(), uuid4()
    await store.add_message(user_id, conversation, said("one"))
    await store.add_message(user_id, conversation, NewMessage("user", "two", turn))
    await store.add_message(user_id, conversation, NewMessage("assistant", "so", turn))

    with pytest.raises(NotTheLastTurn):
        await store.replace_turn(user_id, conversation, said("no"), uuid4())
    _, _, taken = await store.replace_turn(user_id, conversation, said("three"), turn)

    read = await store.read_recent(user_id, conversation, 9)
    assert [each.content for each in read] == ["one", "three"]
    assert [each.content for each in taken.messages] == ["two", "so"]


async def test_named_and_removed_by_its_user_alone(user_id: str, conversation: UUID) -> None:
    store = IncognitoConversations()
    await store.add_message(user_id, conversation, said("one"), "work")

    assert await store.rename("somebody", conversation, "Mine", Origin()) is None
    assert not await store.remove("somebody", conversation, Origin())
    await store.rename(user_id, conversation, "Mine", Origin())
    found = await store.read(user_id, conversation)
    assert found is not None and (found.title, found.space) == ("Mine", "work")
    assert await store.remove(user_id, conversation, Origin())
    assert await store.read(user_id, conversation) is None
