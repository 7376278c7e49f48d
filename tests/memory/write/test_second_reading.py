"""What a message is read with again: what was said before it, and what is known near it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

from memory.embeddings.protocol import Embedder
from memory.ingestion.extraction import ExtractionInput
from memory.ingestion.preparation import MemoryPreparer
from memory.ingestion.second_reading import (
    MAX_EARLIER,
    MAX_EARLIER_CHARS,
    MAX_KNOWN,
    SecondReading,
)
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import NewMemory
from memory.understanding import MessageText, OfflineReader
from tests.memory.fakes import BrokenEmbedder, RereadsAs, WordEmbedder
from tests.memory.write.test_remember import remember

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def shown(
    database: Database,
    user_id: str,
    *told: str,
    message_id: UUID | None = None,
    embedder: Embedder | None = None,
) -> MessageText:
    preparer = MemoryPreparer(embedder or WordEmbedder(), OfflineReader(), embedding_timeout=5.0)
    said = ExtractionInput(text="I live in Oslo", said_at=AT, message_id=message_id)
    reads = RereadsAs()
    await SecondReading(reads, database, preparer).read(user_id, "default", said, told)
    [message] = reads.read
    return message


async def keep(database: Database, user_id: str, *contents: str, space: str = "default") -> None:
    items = [NewMemory(content=each, space=space) for each in contents]
    await remember(database).keep_all(user_id, items)


async def say(
    database: Database, user_id: str, conversation: UUID, *texts: str, recallable: bool = True
) -> UUID:
    """The id of the last one."""
    for text in texts:
        new = NewMessage("user", text, uuid4(), recallable=recallable)
        message, _ = await DatabaseConversations(database).add_message(user_id, conversation, new)
    return message.id


async def test_the_nearest_memories_come_first_of_this_user_and_space_alone(
    database: Database, user_id: str
) -> None:
    await keep(database, user_id, "I live in a small house in Bergen", "I live in Bergen")
    await keep(database, user_id, "I live in Paris", space="work")
    await keep(database, f"{user_id}-other", "I live in Rome")
    found = await shown(database, user_id, "I live in Oslo")
    assert found.known == ("I live in Bergen", "I live in a small house in Bergen")


async def test_each_thing_that_is_told_finds_its_own_and_none_twice(
    database: Database, user_id: str
) -> None:
    houses = [f"I live in house number {n}" for n in range(MAX_KNOWN + 3)]
    await keep(database, user_id, "My cat eats fish", *houses)
    found = await shown(database, user_id, "I live in a house", "My cat eats meat", "I live here")
    assert "My cat eats fish" in found.known
    assert len(set(found.known)) == len(found.known) == MAX_KNOWN


async def test_without_vectors_no_memories_are_shown(database: Database, user_id: str) -> None:
    await keep(database, user_id, "I live in Bergen")
    found = await shown(database, user_id, "I live in Oslo", embedder=BrokenEmbedder())
    assert (found.text, found.known) == ("I live in Oslo", ())


async def test_the_last_messages_before_it_are_shown_in_their_order(
    database: Database, user_id: str
) -> None:
    conversation = uuid4()
    texts = [f"number {n}" for n in range(MAX_EARLIER + 2)]
    told = await say(database, user_id, conversation, *texts, "x" * 5_000, "I live in Oslo")
    await say(database, user_id, conversation, "later")
    await say(database, user_id, uuid4(), "elsewhere")
    found = await shown(database, user_id, message_id=told)
    assert [each.text for each in found.earlier] == [*texts[3:], "x" * MAX_EARLIER_CHARS]
    assert (await shown(database, f"{user_id}-other", message_id=told)).earlier == ()


async def test_what_was_asked_to_be_left_out_is_not_shown_with_a_later_message(
    database: Database, user_id: str
) -> None:
    conversation = uuid4()
    await say(database, user_id, conversation, "We moved in May")
    await say(database, user_id, conversation, "Sara is ill, not for your notes", recallable=False)
    told = await say(database, user_id, conversation, "I live in Oslo")
    found = await shown(database, user_id, message_id=told)
    assert [each.text for each in found.earlier] == ["We moved in May"]
