from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from memory.store.conversations import DatabaseConversations
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.store.messages import NewMessage
from memory.store.search import MessageCandidate, MessageScope, MessageSearch
from memory.store.spaces import SpaceSettingsStore
from memory.types import NewMemory, Origin
from tests.memory.fakes import vector_of
from tests.memory.recall.messages.said import Talk
from tests.memory.store.memories.bm25 import Document, rank
from tests.memory.store.memories.test_search import WORDS


@pytest.fixture
def talk(database: Database, user_id: str) -> Talk:
    return Talk(database, user_id)


@pytest.fixture
def search(database: Database) -> MessageSearch:
    return MessageSearch(database)


async def by_keyword(
    search: MessageSearch, talk: Talk, query: str = "uv", **scope: Any
) -> list[UUID]:
    hits = await search.search_by_keyword(MessageScope(talk.user_id, **scope), query, 60)
    return [hit.id for hit in hits]


async def by_vector(
    search: MessageSearch, talk: Talk, query: str = "uv", **scope: Any
) -> list[UUID]:
    vector = vector_of(query)
    hits = await search.search_by_vector(MessageScope(talk.user_id, **scope), vector, 60)
    return [hit.id for hit in hits]


async def read(
    search: MessageSearch, talk: Talk, ids: list[UUID], leading: list[UUID], **scope: Any
) -> dict[UUID, MessageCandidate]:
    asked = MessageScope(talk.user_id, **scope)
    rows = await search.read_candidates(asked, ids, leading, vector_of("uv"))
    return {row.id: row for row in rows}


async def lexemes(talk: Talk, text: str) -> Document:
    async with talk.database.as_user(talk.user_id) as connection:
        rows = await connection.fetch(
            "SELECT lexeme, cardinality(positions) AS count "
            "FROM unnest(keyword_vector($1)) ORDER BY positions[1], lexeme",
            text,
        )
    return Document({row["lexeme"]: row["count"] for row in rows})


@pytest.mark.parametrize("measured", ["all", "some", "none"])
async def test_bm25_is_the_published_formula(
    search: MessageSearch, talk: Talk, measured: str, database_url: str
) -> None:
    """Where the lengths of messages from before are unknown, the mean is that of the others, or of
    the found ones, and so nearly the same."""
    chance = random.Random(7)
    texts = [" ".join(chance.choices(WORDS, k=chance.randint(1, 40))) for _ in range(40)]
    ids = await talk.say(*(("user", text) for text in texts))
    unmeasured = {"all": 0, "some": 20, "none": 40}[measured]
    async with talk.database.as_user(talk.user_id) as connection:
        await connection.execute(
            "UPDATE messages SET search_length = NULL WHERE id = ANY ($1)", ids[:unmeasured]
        )
    documents = [await lexemes(talk, text) for text in texts]
    for _ in range(6):
        query = " ".join(chance.choices(WORDS, k=chance.randint(1, 8)))
        expected = rank(await lexemes(talk, query), documents, documents)
        wanted = {item: score for item, score in zip(ids, expected, strict=True) if score}
        hits = await search.search_by_keyword(MessageScope(talk.user_id), query, 100)
        assert {hit.id for hit in hits} == set(wanted)
        for hit in hits:
            error = 1e-9 if measured == "all" else 0.06
            assert hit.bm25 == pytest.approx(wanted[hit.id][0], abs=error)
            assert hit.coverage == pytest.approx(wanted[hit.id][1], abs=1e-9)


async def test_a_message_that_changes_is_measured_anew(talk: Talk) -> None:
    [message] = await talk.say(("user", "uv"))
    new = NewMessage("user", "uv and pip and python", uuid4(), id=message)
    await DatabaseConversations(talk.database).add_message(talk.user_id, uuid4(), new)
    async with talk.database.as_user(talk.user_id) as connection:
        assert await connection.fetchval("SELECT search_length FROM messages") == 3


@pytest.mark.parametrize("status", ["failed", "withheld"])
async def test_what_failed_or_was_withheld_is_never_found(
    search: MessageSearch, talk: Talk, status: Any
) -> None:
    [bad] = await talk.say(("assistant", "uv"), status=status)
    [cut] = await talk.say(("assistant", "uv"), status="interrupted")
    assert await by_keyword(search, talk) == [cut]
    assert await by_vector(search, talk) == [cut]
    assert set(await read(search, talk, [bad, cut], [])) == {cut}


async def test_another_users_messages_do_not_exist(search: MessageSearch, talk: Talk) -> None:
    other = Talk(talk.database, f"{talk.user_id}-other")
    ids = await other.say(("user", "uv"), ("assistant", "uv too"))
    assert await by_keyword(search, talk) == []
    assert await by_vector(search, talk) == []
    assert await read(search, talk, ids, ids) == {}


async def test_a_space_is_searched_by_itself(search: MessageSearch, talk: Talk) -> None:
    [here] = await talk.say(("user", "uv"))
    [there] = await talk.say(("user", "uv"), space="work")
    for find in (by_keyword, by_vector):
        assert await find(search, talk) == [here]
        assert await find(search, talk, space="work") == [there]
    assert set(await read(search, talk, [here, there], [])) == {here}


async def test_nothing_is_found_where_memory_is_off(search: MessageSearch, talk: Talk) -> None:
    await talk.say(("user", "uv"))
    await SpaceSettingsStore(talk.database).change(
        talk.user_id, "default", Origin(), memory_mode="off"
    )
    assert await by_keyword(search, talk) == []
    assert await by_vector(search, talk) == []


async def test_roles_conversation_and_turn_are_left_out(search: MessageSearch, talk: Talk) -> None:
    chat, turn = uuid4(), uuid4()
    mine, yours = await talk.say(("user", "uv"), ("assistant", "uv"), chat=chat)
    asked, answered = await talk.say(("user", "uv"), ("assistant", "uv"), turn=turn)
    for find in (by_keyword, by_vector):
        assert set(await find(search, talk)) == {mine, yours, asked, answered}
        assert set(await find(search, talk, roles=("user",))) == {mine, asked}
        assert set(await find(search, talk, not_conversation=chat)) == {asked, answered}
        assert set(await find(search, talk, not_turn=turn)) == {mine, yours}
    left = await read(search, talk, [mine, asked], [mine, asked], not_turn=turn)
    assert set(left) == {mine, yours}


async def test_what_was_said_later_was_not_said_then(search: MessageSearch, talk: Talk) -> None:
    [message] = await talk.say(("user", "uv"))
    before = datetime.now(UTC) - timedelta(hours=1)
    assert await by_vector(search, talk, until=before) == []
    assert await read(search, talk, [message], [], until=before) == {}
    assert await by_vector(search, talk, until=datetime.now(UTC) + timedelta(hours=1)) == [message]


async def test_the_neighbours_are_those_of_the_same_conversation(
    search: MessageSearch, talk: Talk
) -> None:
    chat = uuid4()
    first, second = await talk.say(("user", "pip?"), ("assistant", "No, uv."), chat=chat)
    await talk.say(("user", "something else"))
    [third] = await talk.say(("user", "Why?"), chat=chat)
    rows = await read(search, talk, [first, second, third], [])
    [asked, answered, again] = (rows[each] for each in (first, second, third))
    assert (asked.before, again.after) == (None, None)
    assert answered.before is not None
    assert answered.after is not None
    assert (answered.before.role, answered.before.content) == ("user", "pip?")
    assert answered.before.cosine == pytest.approx(asked.cosine)
    assert answered.after.id == third


async def test_the_running_turn_is_nobodys_neighbour(search: MessageSearch, talk: Talk) -> None:
    chat, turn = uuid4(), uuid4()
    [said] = await talk.say(("user", "uv"), chat=chat)
    await talk.say(("user", "what did I say?"), chat=chat, turn=turn)
    assert (await read(search, talk, [said], [], not_turn=turn))[said].after is None
    assert (await read(search, talk, [said], []))[said].after is not None


async def test_what_followed_is_a_candidate_without_a_word_in_common(
    search: MessageSearch, talk: Talk
) -> None:
    asked, answered, _ = await talk.say(
        ("user", "Who is your mother"), ("assistant", "Nyx, of course."), ("user", "Ah.")
    )
    assert set(await read(search, talk, [asked], [])) == {asked}
    assert set(await read(search, talk, [asked], [asked])) == {asked, answered}


async def test_a_vector_of_other_words_counts_as_none(search: MessageSearch, talk: Talk) -> None:
    """A reply is kept as it grows: until its vector is made anew, it has none."""
    [message] = await talk.say(("assistant", "uv"))
    assert await by_vector(search, talk) == [message]
    new = NewMessage("assistant", "pip", uuid4(), id=message)
    await DatabaseConversations(talk.database).add_message(talk.user_id, uuid4(), new)
    assert await by_vector(search, talk) == []
    assert (await read(search, talk, [message], []))[message].cosine is None
    await talk.embed()
    assert await by_vector(search, talk) == [message]


async def test_a_message_that_is_only_a_mark_is_not_found(
    search: MessageSearch, talk: Talk
) -> None:
    [mark] = await talk.say(("user", "[forgotten]"))
    assert await by_vector(search, talk, "[forgotten]") == []
    assert await read(search, talk, [mark], [mark]) == {}


async def test_a_reply_stands_beside_the_memories_it_rested_on(
    search: MessageSearch, talk: Talk
) -> None:
    new = EmbeddedMemory(NewMemory(content="I live in Oslo"), None, None)
    item = await MemoryStore(talk.database).save(talk.user_id, new)
    told = (
        {"item_id": str(item.id), "relevance": 0.9},
        {"item_id": str(uuid4()), "relevance": 0.9},
        {"message_id": str(uuid4()), "relevance": 0.9},
    )
    [reply] = await talk.say(("assistant", "You live in Oslo."), recalled=told)
    assert (await read(search, talk, [reply], []))[reply].rested_on == ("I live in Oslo",)


QUESTIONS = ["", "the of", "?!", "'", "\\", "' OR 1=1 --", "x" * 8192]


async def test_any_question_is_searched(search: MessageSearch, talk: Talk) -> None:
    await talk.say(("user", "I prefer uv over pip"))
    found = [(query[:20], await by_keyword(search, talk, query)) for query in QUESTIONS]
    assert [each for each in found if each[1]] == []
