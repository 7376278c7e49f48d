"""“Remember it anyway”: what was forgotten is wanted back before it is erased."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from memory.embeddings.protocol import Embedder
from memory.errors import RecentlyForgotten
from memory.service import MemoryService
from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.messages import NewMessage
from memory.types import NewMemory, Origin
from tests.memory.write.test_remember import actions

SAID = "I live in Oslo"
USER = Origin()


async def say(database: Database, user_id: str, content: str) -> UUID:
    said, _ = await DatabaseConversations(database).add_message(
        user_id, uuid4(), NewMessage("user", content, uuid4())
    )
    return said.id


async def content_of(database: Database, user_id: str, message_id: UUID) -> str:
    async with database.as_user(user_id) as connection:
        return str(
            await connection.fetchval("SELECT content FROM messages WHERE id = $1", message_id)
        )


async def forgotten(memory: MemoryService, database: Database, user_id: str) -> UUID:
    said = await say(database, user_id, SAID)
    kept = await memory.remember(user_id, NewMemory(content=SAID, source_message_id=said))
    await memory.forgetting.forget(user_id, [kept.item.id], USER)
    return kept.item.id


@pytest.mark.parametrize("again", [SAID, "i live in Oslo."])
async def test_the_forgotten_memory_itself_comes_back_and_nothing_of_it_is_erased(
    memory: MemoryService, database: Database, user_id: str, again: str
) -> None:
    gone = await forgotten(memory, database, user_id)
    with pytest.raises(RecentlyForgotten):
        await memory.remember(user_id, NewMemory(content=again))
    said = await say(database, user_id, again)
    wanted = NewMemory(content=again, source_message_id=said, despite_forgotten=True)
    outcome = await memory.remember(user_id, wanted)
    assert (outcome.kind, outcome.item.id) == ("kept", gone)
    assert [each.id for each in await memory.list_recent(user_id)] == [gone]
    assert await memory.forgetting.undo(user_id, None, USER) == []
    later = datetime.now(UTC) + timedelta(days=2)
    assert await memory.forgetting.erase_due(user_id, later) == []
    assert await content_of(database, user_id, said) == again
    assert "unforgotten" in await actions(database, user_id)
    assert (await memory.remember(user_id, NewMemory(content=again))).kind == "repeated"


async def test_said_in_other_words_the_forgotten_one_goes_and_the_talk_stays(
    memory: MemoryService, embedder: Embedder, database: Database, user_id: str
) -> None:
    gone = await forgotten(memory, database, user_id)
    again = "My home is in Oslo, I live there"
    said = await say(database, user_id, again)
    with pytest.raises(RecentlyForgotten):
        await memory.remember(user_id, NewMemory(content=again, source_message_id=said))
    wanted = NewMemory(content=again, source_message_id=said, despite_forgotten=True)
    outcome = await memory.remember(user_id, wanted)
    assert outcome.item.id != gone
    later = datetime.now(UTC) + timedelta(days=2)
    assert await memory.forgetting.erase_due(user_id, later) == [gone]
    assert await content_of(database, user_id, said) == again
    assert [each.content for each in await memory.list_recent(user_id)] == [again]


async def test_what_is_erased_already_is_kept_anew(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    kept = await memory.remember(user_id, NewMemory(content=SAID))
    await memory.forgetting.forget(user_id, [kept.item.id], USER, for_good=True)
    outcome = await memory.remember(user_id, NewMemory(content=SAID, despite_forgotten=True))
    assert outcome.kind == "kept"
    assert outcome.item.id != kept.item.id
    assert (await actions(database, user_id))[-1] == "tombstone_lifted"
