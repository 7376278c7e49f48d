from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from memory.cache import Cache
from memory.circuit_breaker import (
    PROBE_SECONDS,
    BreakerLimits,
    CircuitBreaker,
    CircuitBreakers,
    SharedCircuitStore,
)
from memory.errors import CircuitOpen
from memory.metrics import MemoryMetrics
from tests.memory.embedded.conftest import eventually
from tests.memory.guard.clock import Clock

LIMITS = BreakerLimits(threshold=3, window=60.0, cooldown=30.0)


class Broken(Exception):
    """What the dependency of these tests fails with."""


def counts(error: Exception) -> bool:
    return isinstance(error, Broken)


async def fail(guard: CircuitBreaker, error: type[Exception] = Broken, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(error):
            async with guard.watch(counts):
                raise error


async def answer(guard: CircuitBreaker) -> None:
    async with guard.watch(counts):
        pass


async def refused(guard: CircuitBreaker) -> CircuitOpen:
    with pytest.raises(CircuitOpen) as raised:
        await answer(guard)
    return raised.value


def activations(counters: MemoryMetrics) -> float | None:
    name = "keepsake_error_guard_activations_total"
    return counters.registry.get_sample_value(name, {"dependency": "model"})


def is_shown_open(counters: MemoryMetrics) -> float | None:
    name = "keepsake_error_guard_open"
    return counters.registry.get_sample_value(name, {"dependency": "model"})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def counters() -> MemoryMetrics:
    return MemoryMetrics()


@pytest.fixture
def guard(clock: Clock, counters: MemoryMetrics) -> CircuitBreaker:
    """One that knows nothing of other processes."""
    return CircuitBreaker("model", LIMITS, counters, patience=2.0, clock=clock)


async def test_it_opens_and_says_for_how_long(guard: CircuitBreaker, clock: Clock) -> None:
    await fail(guard, times=3)
    assert guard.is_open
    clock.pass_seconds(10)
    assert (await refused(guard)).fields == {"dependency": "model", "seconds": 20}


@pytest.mark.parametrize("shares", [False, True], ids=["alone", "shared"])
async def test_a_clock_that_is_set_back_costs_one_more_cooldown_at_most(
    cache: Cache, clock: Clock, counters: MemoryMetrics, shares: bool
) -> None:
    shared = SharedCircuitStore(cache, LIMITS) if shares else None
    guard = CircuitBreaker(
        "model", LIMITS, counters, shared=shared, name=f"model:{uuid4()}", clock=clock
    )
    await fail(guard, times=3)
    clock.pass_seconds(-3600)
    assert (await refused(guard)).fields["seconds"] == 30
    clock.pass_seconds(30)
    await answer(guard)
    assert not guard.is_open


async def test_of_a_clock_that_is_set_back_while_one_tries_another_may_try_later(
    guard: CircuitBreaker, clock: Clock
) -> None:
    await fail(guard, times=3)
    clock.pass_seconds(30)
    assert await guard.enter(), "it never comes back"
    clock.pass_seconds(-3600)
    await refused(guard)
    clock.pass_seconds(LIMITS.cooldown + PROBE_SECONDS)
    await answer(guard)
    assert not guard.is_open


async def test_it_recovers_by_itself(guard: CircuitBreaker, clock: Clock) -> None:
    await fail(guard, times=3)
    clock.pass_seconds(30)
    await answer(guard)
    assert not guard.is_open
    await fail(guard, times=2)
    assert not guard.is_open, "it begins to count anew"


async def test_each_opening_is_counted_once(
    guard: CircuitBreaker, clock: Clock, counters: MemoryMetrics
) -> None:
    await fail(guard, times=3)
    assert (activations(counters), is_shown_open(counters)) == (1, 1)
    clock.pass_seconds(30)
    await fail(guard)
    assert (activations(counters), is_shown_open(counters)) == (1, 1)
    clock.pass_seconds(30)
    await answer(guard)
    assert (activations(counters), is_shown_open(counters)) == (1, 0)


async def test_where_nobody_calls_any_more_it_is_not_shown_as_open_forever(
    guard: CircuitBreaker, clock: Clock, counters: MemoryMetrics
) -> None:
    await fail(guard, times=3)
    clock.pass_seconds(59)
    assert is_shown_open(counters) == 1
    clock.pass_seconds(1)
    assert is_shown_open(counters) == 0


async def test_an_error_of_another_kind_says_nothing(guard: CircuitBreaker) -> None:
    await fail(guard, ValueError, times=10)
    assert not guard.is_open


async def test_a_call_that_is_broken_off_late_counts_and_an_early_one_does_not(
    guard: CircuitBreaker, clock: Clock
) -> None:
    for seconds in (1.9, 1.9, 1.9, 2.0, 2.0, 2.0):
        with pytest.raises(asyncio.CancelledError):
            async with guard.watch(counts):
                clock.pass_seconds(seconds)
                raise asyncio.CancelledError
    await refused(guard)


async def test_a_call_of_which_something_is_heard_is_no_failure_when_it_is_broken_off(
    guard: CircuitBreaker, clock: Clock
) -> None:
    for _ in range(3):
        with pytest.raises(asyncio.CancelledError):
            async with guard.watch(counts) as call:
                clock.pass_seconds(60)
                call.heard()
                raise asyncio.CancelledError
    await answer(guard)


@pytest.mark.parametrize("end", [asyncio.CancelledError, ValueError])
async def test_where_the_one_that_tries_says_nothing_another_tries(
    guard: CircuitBreaker, clock: Clock, end: type[BaseException]
) -> None:
    await fail(guard, times=3)
    clock.pass_seconds(30)
    with pytest.raises(end):
        async with guard.watch(counts):
            raise end
    await answer(guard)
    assert not guard.is_open


async def test_while_one_tries_the_others_are_refused(guard: CircuitBreaker, clock: Clock) -> None:
    await fail(guard, times=3)
    clock.pass_seconds(30)
    async with guard.watch(counts):
        await refused(guard)
    await answer(guard)


@pytest.fixture
def name() -> str:
    """One that no other test on the shared server uses."""
    return f"model:{uuid4().hex}"


def of_process(
    cache: Cache, name: str, clock: Clock, counters: MemoryMetrics | None = None
) -> CircuitBreaker:
    shared = SharedCircuitStore(cache, LIMITS)
    counters = counters or MemoryMetrics()
    return CircuitBreaker(
        "model", LIMITS, counters, shared=shared, name=name, patience=2.0, clock=clock
    )


async def test_processes_count_together(cache: Cache, name: str, clock: Clock) -> None:
    first, second, third = (of_process(cache, name, clock) for _ in range(3))
    for guard in (first, second, third):
        await fail(guard)
        clock.pass_seconds(1)
    for guard in (first, second, third):
        await refused(guard)


async def test_they_share_the_one_call_that_tries(cache: Cache, name: str, clock: Clock) -> None:
    guards = [of_process(cache, name, clock) for _ in range(5)]
    await fail(guards[0], times=3)
    clock.pass_seconds(30)
    entered = await asyncio.gather(*(each.enter() for each in guards), return_exceptions=True)
    assert [type(each) for each in entered].count(CircuitOpen) == len(guards) - 1


async def test_all_of_them_go_on_when_one_was_answered(
    cache: Cache, name: str, clock: Clock
) -> None:
    first, second = (of_process(cache, name, clock) for _ in range(2))
    await fail(first, times=3)
    await refused(second)
    clock.pass_seconds(30)
    await answer(first)
    clock.pass_seconds(1)
    await answer(second)
    assert not second.is_open


async def test_what_another_one_closed_is_shown_as_closed_where_nobody_calls(
    cache: Cache, name: str, clock: Clock
) -> None:
    counters = MemoryMetrics()
    first, second = of_process(cache, name, clock, counters), of_process(cache, name, clock)
    await fail(first, times=3)
    clock.pass_seconds(30)
    await answer(second)
    assert is_shown_open(counters) == 1
    watching = asyncio.create_task(CircuitBreakers({"model": first}).watch(pause=0.01))

    async def is_closed() -> bool:
        return not first.is_open

    await eventually(is_closed)
    assert is_shown_open(counters) == 0
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def test_what_they_count_at_the_same_moment_is_not_lost(
    cache: Cache, name: str, clock: Clock
) -> None:
    guards = [of_process(cache, name, clock) for _ in range(3)]
    await asyncio.gather(*(each.failed() for each in guards))
    clock.pass_seconds(1)
    for guard in guards:
        await refused(guard)


async def test_an_opening_is_counted_by_the_process_that_opened_it(
    cache: Cache, name: str, clock: Clock
) -> None:
    mine, others = MemoryMetrics(), MemoryMetrics()
    first = of_process(cache, name, clock, mine)
    second = of_process(cache, name, clock, others)
    await fail(first, times=3)
    await refused(second)
    assert activations(mine) == 1
    assert not activations(others)
    assert (is_shown_open(mine), is_shown_open(others)) == (1, 1)


async def test_without_redis_each_process_finds_out_alone(name: str, clock: Clock) -> None:
    nowhere = Cache("unix:///nowhere/at/all.sock")
    guard = of_process(nowhere, name, clock)
    await fail(guard, times=3)
    await refused(guard)
    clock.pass_seconds(30)
    await answer(guard)
    assert not guard.is_open
    await nowhere.aclose()


async def test_a_healthy_dependency_costs_redis_one_look_a_second(name: str, clock: Clock) -> None:
    class Counted(SharedCircuitStore):
        looks = 0

        async def change(self, *given: object) -> object:  # type: ignore[override]
            self.looks += 1
            return await super().change(*given)  # type: ignore[arg-type]

    nowhere = Cache("unix:///nowhere/at/all.sock")
    shared = Counted(nowhere, LIMITS)
    guard = CircuitBreaker("model", LIMITS, MemoryMetrics(), shared=shared, clock=clock)
    for _ in range(40):
        await answer(guard)
        clock.pass_seconds(0.1)
    assert 3 <= shared.looks <= 5
    await nowhere.aclose()


async def test_guards_name_what_is_open_and_redis_when_it_is_away(guard: CircuitBreaker) -> None:
    nowhere = Cache("unix:///nowhere/at/all.sock")
    guards = CircuitBreakers({"model": guard}, nowhere)
    assert guards.open() == frozenset()
    await fail(guard, times=3)
    await nowhere.run(lambda redis: redis.ping(), otherwise=None)
    assert guards.open() == {"model", "redis"}
    assert guards.of("embedder") is None
    await nowhere.aclose()
