"""Forgetting what was only said, from end to end: no memory was kept of it, and it goes all the
same."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from memory.embeddings.protocol import Embedder
from memory.retrieval.query import prepare_query
from memory.types import MemoryQueryRequest, MessageQueryRequest, Origin
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Alone
from tests.memory.exports import text_of

# Nothing of it is kept in memory: it asks, or tells of somebody else's passing moment.
SAID = "Lunch with Gustavo again, he talked about skiing. The soup was too salty."
ASKED = "Should I lend Gustavo my tent?"
WORDS = ("Gustavo", "skiing", "tent?")
USER = Origin()


async def tell(alone: Alone, user_id: str) -> Chat:
    """Said and asked in two conversations, quoted, with every vector made and cached."""
    chat = Chat(alone.assistant, user_id)
    await chat.say_all([SAID, "I like rye bread."])
    other = Chat(alone.assistant, user_id)
    await other.say(ASKED)
    assert "Gustavo" in (await other.say("What did I say about Gustavo?")).text
    await alone.memory.embed_waiting(user_id)
    await alone.memory.recall(MemoryQueryRequest(user_id=user_id, query=ASKED))
    assert not any("Gustavo" in each for each in await knows(alone.memory, user_id))
    return chat


async def found_by_recall(alone: Alone, user_id: str) -> list[str]:
    found = []
    for query in ("What did I say about Gustavo?", "Gustavo", "skiing", SAID, ASKED):
        request = MessageQueryRequest(
            user_id=user_id, query=query, limit=100, min_score=0, explain=True
        )
        messages = await alone.memory.recall_messages(request, token_budget=100_000)
        memories = await alone.memory.recall(MemoryQueryRequest(user_id=user_id, query=query))
        assert not messages.error
        told = [*messages.items, *messages.left_out, *memories.items]
        found += [each.model_dump_json() for each in told]
    return [each for each in found if any(word in each for word in WORDS)]


@pytest.mark.parametrize(
    "command",
    ["forget about Gustavo", "forget what I said about gustavo", "Forget about Gustavo for good."],
)
async def test_nothing_holds_what_was_only_said(
    alone: Alone, local_embedder: Embedder, user_id: str, command: str
) -> None:
    """No column of any table, no key of Redis, no dump, recall or export holds a word or a vector
    of it; what was said beside it stays."""
    chat = await tell(alone, user_id)
    vectors = await alone.stores.rows(
        "SELECT embedding::text AS printed FROM messages WHERE content ILIKE '%gustavo%'"
        " AND embedding IS NOT NULL"
    )
    stored = [row["printed"] for row in vectors]
    asked = await local_embedder.embed_query(prepare_query(ASKED))
    cached = asked.astype("<f4").tobytes()
    held = await alone.stores.places_of(*WORDS)
    assert {"table messages", "table conversations", "pg_dump"} < {*held}
    assert any(place.startswith("Redis") for place in held)
    assert await alone.stores.places_of(cached) != []
    assert len(stored) >= 2
    question = (await chat.say(command)).text
    assert "Lunch with Gustavo again" in question
    assert "yes or no" in question
    told = (await chat.say("yes")).text
    assert "orgotten" in told or told == "Erased for good."
    await alone.memory.embed_waiting(user_id)
    assert await alone.stores.places_of(*WORDS, *stored, cached) == []
    assert await found_by_recall(alone, user_id) == []
    export = await text_of(alone.memory.portability, user_id)
    assert not any(word in export for word in WORDS)
    assert "The soup was too salty." in export
    assert await knows(alone.memory, user_id) == ["I like rye bread"]


async def test_it_is_not_quoted_any_more(alone: Alone, user_id: str) -> None:
    """The fault that this mends: a yes, and later the old message quoted again."""
    chat = await tell(alone, user_id)
    await chat.say("forget about Gustavo")
    told = (await chat.say("yes")).text
    assert "cannot be undone" in told
    for each in (chat, Chat(alone.assistant, user_id)):
        assert "skiing" not in (await each.say("What did I say about Gustavo?")).text
    assert "rye bread" in (await chat.say("What did I say about rye bread?")).text


async def test_memories_and_what_was_said_go_together(alone: Alone, user_id: str) -> None:
    """The question tells of both. Memories can be brought back within the day, what was said not;
    with the day over nothing is left of either."""
    chat = await tell(alone, user_id)
    await chat.say("remember that Gustavo is allergic to nuts")
    question = (await chat.say("forget about Gustavo")).text
    assert "allergic to nuts" in question
    assert "skiing" in question
    told = (await chat.say("yes")).text
    assert "“undo” within a day" in told
    rows = await alone.stores.rows("SELECT content FROM messages")
    assert not any("Gustavo" in row["content"] for row in rows)
    assert "allergic to nuts" in (await chat.say("undo")).text
    assert "allergic to nuts" in (await chat.say("forget about Gustavo")).text
    await chat.say("yes")
    await alone.memory.forgetting.erase_due(user_id, datetime.now(UTC) + timedelta(days=1))
    assert await alone.stores.places_of(*WORDS, "allergic") == []
    [grave] = await alone.stores.rows("SELECT item_id, removed FROM tombstones")
    assert json.loads(grave["removed"])["messages_redacted"] >= 1
    assert (await alone.memory.forgetting.prove(user_id, grave["item_id"], "Gustavo")).holds


async def test_another_space_and_another_user_are_left_alone(alone: Alone, user_id: str) -> None:
    chat = await tell(alone, user_id)
    await Chat(alone.assistant, user_id, space="work").say(SAID)
    await Chat(alone.assistant, f"{user_id}-other").say(SAID)
    await chat.say("forget about Gustavo")
    await chat.say("yes")
    rows = await alone.stores.rows("SELECT content FROM messages WHERE content ILIKE '%gustavo%'")
    assert [row["content"] for row in rows] == [SAID, SAID]
