"""Specification 001, user story 4: hybrid retrieval."""

from __future__ import annotations

import pytest

from memory.service import MemoryService
from memory.store.database import Database
from memory.types import MemoryQueryRequest, MemoryQueryResponse, NewMemory

OTHERS = [
    NewMemory(content="The boiler was serviced in October", type="note"),
    NewMemory(content="My sister Anna lives in Porto"),
    NewMemory(content="I prefer tea over coffee", type="preference"),
    NewMemory(content="We decided to use PostgreSQL for the invoices", type="decision"),
    NewMemory(content="My passport expires in June"),
]


async def ask(
    memory: MemoryService, user_id: str, query: str, **more: object
) -> MemoryQueryResponse:
    request = {"user_id": user_id, "query": query} | more
    return await memory.recall(MemoryQueryRequest.model_validate(request))


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("The router's serial number is XK-4471-B", "XK-4471-B"),
        ("My locker code at the gym is 8831", "locker code at the gym"),
        ("We decided to deploy the billing service with Terraform", "deploy billing Terraform"),
        ("Nadia's allergy: she cannot eat hazelnuts", "Nadia hazelnuts allergy"),
    ],
)
async def test_us4_1_an_exact_keyword_match_has_a_high_relevance(
    memory: MemoryService, user_id: str, content: str, query: str
) -> None:
    """Given a memory with exactly these words, it is first and its relevance is high."""
    await memory.remember_all(user_id, [*OTHERS, NewMemory(content=content)])
    found = await ask(memory, user_id, query)
    assert [item.content for item in found.items][:1] == [content]
    assert found.items[0].relevance_score >= 0.5


async def test_us4_1_words_that_all_memories_hold_still_match(
    memory: MemoryService, user_id: str
) -> None:
    """Given several memories that hold every word of the query, they are found: words that are
    common among the user's memories do not speak against them."""
    story = "Anna told me a story about the harbour in Porto, and it went on and on. "
    contents = [f"{number}. {story * 20}" for number in range(8)]
    await memory.remember_all(user_id, [NewMemory(content=each, type="note") for each in contents])
    found = await ask(memory, user_id, "Anna's story about the harbour in Porto")
    assert found.total_count == len(contents)


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("I enjoy hiking in the mountains", "outdoor activities"),
        ("I enjoy hiking in the mountains", "Which outdoor activities do I like?"),
        ("My car is a red Volvo from 2015", "What vehicle do I drive?"),
    ],
)
async def test_us4_2_a_match_in_meaning_alone_is_retrieved(
    memory: MemoryService, user_id: str, content: str, query: str
) -> None:
    """Given no word in common, the memory is found by its meaning."""
    await memory.remember_all(user_id, [*OTHERS, NewMemory(content=content)])
    found = await ask(memory, user_id, query)
    assert content in [item.content for item in found.items]
    assert found.degraded == ()


async def test_us4_3_both_signals_are_fused_into_one_ranking(
    memory: MemoryService, user_id: str
) -> None:
    """Given one memory that matches in words and meaning, one in words and one in meaning, all
    are candidates and the one that both legs found is first."""
    both = "I go hiking in the Alps every summer"
    words = "The Alps of the wallpaper are blue"
    meaning = "I love walking tours through the mountains"
    contents = [both, words, meaning]
    await memory.remember_all(user_id, [NewMemory(content=content) for content in contents])
    found = await ask(memory, user_id, "Where do I go hiking in the Alps?", min_score=0.0)
    assert {item.content for item in found.items} == set(contents)
    assert found.items[0].content == both
    assert found.total_count == 3


@pytest.mark.parametrize(
    "query",
    ["Who won the chess championship in 1972?", "zzxq wvvk", "¿?!…", "the of and"],
)
async def test_us4_4_a_query_that_nothing_matches_returns_nothing(
    memory: MemoryService, user_id: str, query: str
) -> None:
    """Given no match, the result is empty: nothing is forced in."""
    await memory.remember_all(user_id, OTHERS)
    found = await ask(memory, user_id, query)
    assert (found.items, found.total_count, found.token_count) == ([], 0, 0)
    assert found.error is False


async def test_fr_004_each_leg_finds_what_the_other_cannot(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    """Keyword search finds a memory without a vector; the filter of types holds for both legs."""
    await memory.remember_all(user_id, OTHERS)
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO memory_items (user_id, content, type) VALUES ($1, $2, 'note')",
            user_id,
            "The alarm code of the summer house is 5520",
        )
    found = await ask(memory, user_id, "What is the alarm code of the summer house?")
    assert [item.content for item in found.items][:1] == [
        "The alarm code of the summer house is 5520"
    ]
    filtered = await ask(
        memory, user_id, "What is the alarm code of the summer house?", types=["preference"]
    )
    assert filtered.items == []
