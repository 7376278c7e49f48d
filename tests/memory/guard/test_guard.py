from __future__ import annotations

import asyncio

import pytest

from memory.cache import Cache
from memory.circuit_breaker import BreakerLimits, CircuitBreaker, CircuitBreakers
from memory.errors import CircuitOpen
from memory.metrics import MemoryMetrics
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
    return CircuitBreaker("model", LIMITS, counters, patience=2.0, clock=clock)


async def test_it_opens_and_says_for_how_long(guard: CircuitBreaker, clock: Clock) -> None:
    await fail(guard, times=3)
    assert guard.is_open
    clock.pass_seconds(10)
    assert (await refused(guard)).fields == {"dependency": "model", "seconds": 20}


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


async def test_guards_name_what_is_open_and_redis_when_it_is_away(guard: CircuitBreaker) -> None:
    nowhere = Cache("unix:///nowhere/at/all.sock")
    guards = CircuitBreakers({"model": guard}, nowhere)
    assert guards.open() == frozenset()
    await fail(guard, times=3)
    await nowhere.run(lambda redis: redis.ping(), otherwise=None)
    assert guards.open() == {"model", "redis"}
    assert guards.of("embedder") is None
    await nowhere.aclose()
