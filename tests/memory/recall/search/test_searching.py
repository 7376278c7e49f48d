from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import structlog

from memory.errors import DatabaseUnavailable
from memory.retrieval.candidates import CandidatePool, CandidateSearch, hit_ranks
from memory.retrieval.hybrid_search import MemoryHybridSearch, SearchResults
from memory.retrieval.relevance import load_calibration
from memory.retrieval.time_filter import parse_time_filter
from memory.store.search import KeywordHit, MemorySearch, SearchScope, TimeHit, VectorHit
from tests.memory.fakes import BrokenEmbedder, WordEmbedder
from tests.memory.recall.bench import TEXTS, Bench

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
OLD = NOW - 900 * DAY
MOVED = "I moved to Lyon with two cats"


def searching(
    bench: Bench, search: MemorySearch | None = None, embedder: WordEmbedder | None = None
) -> CandidateSearch:
    search = search or MemorySearch(bench.database)
    legs = MemoryHybridSearch(
        search, embedder or WordEmbedder(), embedding_timeout=30.0, search_timeout=30.0
    )
    return CandidateSearch(search, legs, load_calibration)


async def gathered(searched: CandidateSearch, bench: Bench, question: str) -> CandidatePool:
    scope = SearchScope(bench.user_id, NOW)
    return await searched.gather(scope, question, parse_time_filter(question, NOW))


def contents(pool: CandidatePool) -> list[str]:
    return [row.content for row, _ in pool.weighed]


async def keep(bench: Bench, text: str, occurred_at: datetime | None = None) -> UUID:
    return await bench.keep(text, created_at=OLD, occurred_at=occurred_at)


def test_ranks_count_from_one_in_each_leg() -> None:
    one, two, three = (UUID(int=number) for number in range(3))
    keyword = [KeywordHit(two, 0.9, 1.0), KeywordHit(one, 0.5, 1.0)]
    found = SearchResults(keyword, [VectorHit(one, 0.9), VectorHit(three, 0.1)], None, 0.0)
    assert hit_ranks(found) == {one: (2, 1), two: (1, None), three: (None, 2)}
    assert hit_ranks(SearchResults(None, None, None, 0.0)) == {}


async def test_the_pool_is_in_the_order_of_the_fused_rank(bench: Bench) -> None:
    pool = await gathered(searching(bench), bench, "Is the cat on the sofa?")
    assert contents(pool)[0] == TEXTS[1]
    assert len(contents(pool)) == len(TEXTS)
    assert pool.found.failed == ()


@pytest.mark.usefixtures("own_database_url")
async def test_without_either_leg_there_are_no_candidates(bench: Bench) -> None:
    await bench.database.close()
    pool = await gathered(searching(bench), bench, "What did I do last week?")
    assert (pool.weighed, pool.found.failed) == ([], ("keyword", "vector"))


async def test_what_happened_then_is_found_without_one_of_its_words(empty_bench: Bench) -> None:
    await keep(empty_bench, "Saw an otter", NOW - 6 * DAY)
    await keep(empty_bench, "Saw a heron", NOW - 60 * DAY)
    words_only = searching(empty_bench, embedder=BrokenEmbedder())
    pool = await gathered(words_only, empty_bench, "What happened last week?")
    assert contents(pool) == ["Saw an otter"]


class LostTime(MemorySearch):
    async def search_by_time(self, *_: Any, **__: Any) -> list[TimeHit]:
        raise DatabaseUnavailable(reason="away")


async def test_without_the_search_by_time_the_legs_answer(bench: Bench) -> None:
    with structlog.testing.capture_logs() as logs:
        pool = await gathered(
            searching(bench, LostTime(bench.database)), bench, "Where was the cat last week?"
        )
    assert TEXTS[1] in contents(pool)
    assert [each["event"] for each in logs] == ["time_not_searched"]


class Watched(MemorySearch):
    """Remembers what its keyword leg was asked; its first reading fails where that is wanted."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.asked: list[tuple[SearchScope, str]] = []
        self.reads = 0
        self.first_read_fails = False

    async def search_by_keyword(
        self, scope: SearchScope, query: str, pool: int
    ) -> list[KeywordHit]:
        self.asked.append((scope, query))
        return await super().search_by_keyword(scope, query, pool)

    async def read_candidates(self, *arguments: Any) -> Any:
        self.reads += 1
        if self.first_read_fails and self.reads == 1:
            raise DatabaseUnavailable(reason="away")
        return await super().read_candidates(*arguments)


async def test_the_words_of_time_are_not_searched_for(bench: Bench) -> None:
    search = Watched(bench.database)
    await gathered(searching(bench, search), bench, "What did I buy last week?")
    assert [query for _, query in search.asked] == ["What did I buy?"]


@pytest.mark.parametrize(
    ("question", "past", "as_of"),
    [
        ("What is my job?", False, None),
        ("What was my old job?", True, None),
        ("What do you know as of 1 March 2026?", True, datetime(2026, 3, 2, tzinfo=UTC)),
    ],
)
async def test_the_scope_is_that_of_the_question(
    bench: Bench, question: str, past: bool, as_of: datetime | None
) -> None:
    search = Watched(bench.database)
    await gathered(searching(bench, search), bench, question)
    [(scope, _)] = search.asked
    assert (scope.past, scope.as_of) == (past, as_of)


class TestAnchors:
    QUESTION = "What did I drive before I moved to Lyon?"

    async def test_the_time_counts_from_the_memory_of_the_event(self, empty_bench: Bench) -> None:
        moved = NOW - 500 * DAY
        await keep(empty_bench, MOVED, moved)
        await keep(empty_bench, "I like driving", NOW - 700 * DAY)
        pool = await gathered(searching(empty_bench), empty_bench, self.QUESTION)
        assert pool.timing.asked is not None
        assert (pool.timing.asked.end, pool.timing.anchor) == (moved, None)

    async def test_an_event_without_a_moment_leaves_it_open(self, empty_bench: Bench) -> None:
        await keep(empty_bench, MOVED)
        pool = await gathered(searching(empty_bench), empty_bench, self.QUESTION)
        assert pool.timing.is_open
        assert contents(pool) == [MOVED]

    async def test_another_event_is_not_taken_for_it(self, empty_bench: Bench) -> None:
        await keep(empty_bench, "The cat had kittens", NOW - 500 * DAY)
        pool = await gathered(searching(empty_bench), empty_bench, self.QUESTION)
        assert pool.timing.is_open

    async def test_nor_is_somebody_elses(self, empty_bench: Bench) -> None:
        await keep(empty_bench, "Tom moved to Lyon", NOW - 500 * DAY)
        await keep(empty_bench, "Maria likes tea")
        asked = "What did I drive before Maria moved to Lyon?"
        pool = await gathered(searching(empty_bench), empty_bench, asked)
        assert pool.timing.anchor == "Maria moved to Lyon"

    async def test_a_search_for_it_that_fails_leaves_it_open(self, empty_bench: Bench) -> None:
        await keep(empty_bench, MOVED, NOW - 500 * DAY)
        search = Watched(empty_bench.database)
        search.first_read_fails = True
        with structlog.testing.capture_logs() as logs:
            pool = await gathered(searching(empty_bench, search), empty_bench, self.QUESTION)
        assert (pool.timing.is_open, contents(pool)) == (True, [MOVED])
        assert [each["event"] for each in logs] == ["anchor_not_searched"]


async def test_a_cancelled_search_leaves_no_task(bench: Bench) -> None:
    class Stuck(MemorySearch):
        async def search_by_time(self, *_: Any, **__: Any) -> list[TimeHit]:
            reached.set()
            await asyncio.Event().wait()
            raise AssertionError

    reached = asyncio.Event()
    stuck = searching(bench, Stuck(bench.database))
    before = asyncio.all_tasks()
    task = asyncio.create_task(gathered(stuck, bench, "What did I do last week?"))
    await reached.wait()
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert asyncio.all_tasks() == before
