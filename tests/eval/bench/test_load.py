from __future__ import annotations

import asyncio

from eval.bench.recall import RecallClient
from eval.bench.workload import AT_ONCE, PrecomputedEmbedder, measure_throughput, time_in_turn
from eval.bulk_load import vacuum_analyze
from eval.system import System
from memory.types import NewMemory


async def test_a_user_is_measured_beside_dense_only(system: System) -> None:
    user_id = "bench:few"
    await system.store(user_id, [NewMemory(content=f"Note {at} on tea.") for at in range(20)])
    await vacuum_analyze(system.owner_url)
    known = await PrecomputedEmbedder.of(system.embedder, ["Which tea?", "Note 3?"])
    asker = RecallClient(system, known, user_id)
    figures = await asker.measure(["Which tea?", "Note 3?"])
    assert (asker.degraded, asker.failed) == (0, 0)
    recall, dense = figures["p50_ms"], figures["dense_p50_ms"]
    assert recall is not None
    assert dense is not None
    assert figures["p50_ms_ratio"] == recall / dense
    assert all(value is not None and value > 0 for value in figures.values())


async def test_calls_take_turns_for_each_question() -> None:
    asked: list[str] = []

    async def first(question: str) -> None:
        asked.append(f"first {question}")

    async def second(question: str) -> None:
        asked.append(f"second {question}")

    took = await time_in_turn([first, second], ["a", "b"])
    assert asked == ["first a", "second a", "first b", "second b"]
    assert [len(times) for times in took] == [2, 2]


async def test_so_many_are_under_way_at_once_and_each_question_is_asked_once() -> None:
    asked: list[str] = []
    running = most = 0
    full = asyncio.Event()

    async def ask(question: str) -> None:
        nonlocal running, most
        asked.append(question)
        running += 1
        most = max(most, running)
        if running == AT_ONCE:
            full.set()
        await full.wait()
        running -= 1

    questions = [str(number) for number in range(3 * AT_ONCE)]
    assert await measure_throughput(ask, questions) > 0
    assert most == AT_ONCE
    assert sorted(asked) == sorted(questions)
