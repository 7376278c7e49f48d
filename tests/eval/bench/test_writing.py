from __future__ import annotations

import pytest
from rich.progress import Progress

from agent.commands.parser import parse_commands
from eval.bench.ingestion import (
    LEARNING,
    READING,
    IngestionTimer,
    TurnComparison,
    distinct_facts,
    precompute_vectors,
    turn_overhead,
)
from eval.bench.workload import run_concurrently
from eval.system import System
from memory.store.memories import MemoryStore
from memory.understanding import OfflineReader


def test_the_facts_differ_and_are_the_same_for_the_same_seed() -> None:
    facts = distinct_facts(40, 7)
    assert len(set(facts)) == 40
    assert facts == distinct_facts(40, 7)
    assert [fact for fact in facts if parse_commands(fact, OfflineReader())] == []


async def test_both_ways_to_write_are_measured_over_the_same_rows(system: System) -> None:
    facts = distinct_facts(40, 7)
    embedder = await precompute_vectors(system, facts)
    advanced: list[int] = []
    measured = IngestionTimer(system, embedder, "test", users=2, cap=200)
    figures = await measured.measure(facts, advanced.append)
    assert sum(advanced) == figures["items"] == 40
    kinds = ("kept", "repeated", "replaced", "doubtful")
    assert sum(figures[kind] or 0 for kind in kinds) == 40
    written, plain = figures["items_per_second"], figures["plain_per_second"]
    assert written is not None
    assert plain is not None
    assert figures["ratio"] == written / plain
    items = MemoryStore(system.database)
    assert await items.count("bench:test:0:plain") == await items.count("bench:test:1:plain") == 20


async def test_a_turn_that_learns_is_measured_beside_one_that_may_not(
    system: System, progress: Progress
) -> None:
    turns = TurnComparison(system)
    await turns.prepare(["I like tea."])
    said = [f"My friend number {at} is called Ann{at} and lives in Oslo." for at in range(7)]
    figures = await turns.measure(said, progress)
    assert figures["turns"] == 2
    assert figures["turns_learned"]
    items = MemoryStore(system.database)
    assert await items.count(READING) == 1
    assert await items.count(LEARNING) > 1


def test_the_overhead_is_the_difference_of_the_percentiles() -> None:
    figures = turn_overhead([12.0, 14.0, 30.0], [10.0, 11.0, 12.0])
    assert figures["turn_overhead_p50_ms"] == 3.0
    assert figures["turn_overhead_p95_ms"] == pytest.approx(28.4 - 11.9)
    assert figures["pair_difference_p50_ms"] == 3.0


async def test_the_first_failure_stops_the_works() -> None:
    async def fail() -> None:
        raise RuntimeError("full")

    with pytest.raises(ExceptionGroup):
        await run_concurrently([fail()])
