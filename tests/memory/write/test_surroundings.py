"""What a message is read with: what was said before it, and what is known near it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.models import NewItem
from memory.store.conversations.conversations import Conversations
from memory.store.conversations.messages import NewMessage
from memory.understanding import Message, OfflineReader
from memory.write.candidates import Said
from memory.write.preparing import Preparer
from memory.write.surroundings import EARLIER, EARLIER_CHARS, KNOWN, Surroundings
from tests.memory.fakes import BrokenEmbedder, WordEmbedder
from tests.memory.write.test_remember import remember

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def around(
    database: Database,
    user_id: str,
    *contents: str,
    message_id: UUID | None = None,
    embedder: Embedder | None = None,
) -> Message:
    preparer = Preparer(embedder or WordEmbedder(), OfflineReader(), embedding_timeout=5.0)
    said = Said(text="I live in Oslo", said_at=AT, message_id=message_id)
    return await Surroundings(database, preparer).around(user_id, "default", said, contents)


async def keep(database: Database, user_id: str, *contents: str, space: str = "default") -> None:
    for each in contents:
        await remember(database).keep(user_id, NewItem(content=each, space=space))


async def say(database: Database, user_id: str, conversation: UUID, *texts: str) -> UUID:
    """The id of the last one."""
    for text in texts:
        new = NewMessage("user", text, uuid4())
        message, _ = await Conversations(database).add_message(user_id, conversation, new)
    return message.id


def known(message: Message) -> list[str]:
    return [each.text for each in message.known]


async def test_the_nearest_memories_come_first_of_this_user_and_space_alone(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, "I live in Bergen", "I live in a small house in Bergen")
    await keep(database, user_id, "I live in Paris", space="work")
    await keep(database, f"{user_id}-other", "I live in Rome")
    found = await around(database, user_id, "I live in Oslo")
    assert known(found) == ["I live in Bergen", "I live in a small house in Bergen"]


async def test_each_thing_that_is_told_finds_its_own_and_none_twice(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, "I live in Bergen", "My cat eats fish")
    told = ("I live in Oslo", "My cat eats meat", "I live in Oslo now")
    assert set(known(await around(database, user_id, *told))) == {
        "I live in Bergen",
        "My cat eats fish",
    }


async def test_so_many_are_shown_at_most(database: Database, user_id: str) -> None:
    houses = [NewItem(content=f"I live in house number {n}") for n in range(KNOWN + 3)]
    await remember(database).keep_all(user_id, houses)
    assert len(known(await around(database, user_id, "I live in a house"))) == KNOWN


async def test_without_vectors_no_memories_are_shown(database: Database, user_id: str) -> None:
    await keep(database, user_id, "I live in Bergen")
    found = await around(database, user_id, "I live in Oslo", embedder=BrokenEmbedder())
    assert (found.text, found.known) == ("I live in Oslo", ())


async def test_the_last_messages_before_it_are_shown_in_their_order(
    database: Database, user_id: str
) -> None:
    conversation = uuid4()
    texts = [f"number {n}" for n in range(EARLIER + 2)]
    told = await say(database, user_id, conversation, *texts, "x" * 5_000, "I live in Oslo")
    await say(database, user_id, conversation, "later")
    await say(database, user_id, uuid4(), "elsewhere")
    found = await around(database, user_id, message_id=told)
    shown = [each.text for each in found.earlier]
    assert shown == [*texts[3:], "x" * EARLIER_CHARS]
    assert (await around(database, f"{user_id}-other", message_id=told)).earlier == ()
