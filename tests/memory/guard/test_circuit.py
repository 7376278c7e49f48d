from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.circuit_breaker import (
    PROBE_SECONDS,
    BreakerLimits,
    Circuit,
)

LIMITS = BreakerLimits(threshold=3, window=60.0, cooldown=30.0)
SECONDS = st.floats(0, 10_000, allow_nan=False)
CIRCUITS = st.builds(
    Circuit,
    failures=st.lists(SECONDS, max_size=5).map(tuple),
    opened_at=st.none() | SECONDS,
    probed_at=st.none() | SECONDS,
)


def failing(*times: float, circuit: Circuit = Circuit()) -> Circuit:  # noqa: B008 - frozen
    for at in times:
        circuit = circuit.failed(at, LIMITS)
    return circuit


def test_as_many_failures_as_the_threshold_within_the_window_open_it() -> None:
    assert failing(0, 30).state(30, LIMITS) == "closed"
    assert failing(0, 30, 59).state(59, LIMITS) == "open"


def test_a_failure_older_than_the_window_does_not_count() -> None:
    assert failing(0, 30, 60).state(60, LIMITS) == "closed"
    assert failing(0, 30, 60, 61).state(61, LIMITS) == "open"


def test_an_answer_takes_a_failure_back() -> None:
    circuit = failing(0, 1).answered(2, LIMITS)
    assert failing(3, circuit=circuit).state(3, LIMITS) == "closed"
    assert failing(3, 4, circuit=circuit).state(4, LIMITS) == "open"


def test_while_it_is_open_no_call_is_made() -> None:
    circuit = failing(0, 0, 0)
    assert not circuit.lets(29.9, LIMITS)
    assert circuit.seconds_left(20, LIMITS) == 10


def test_after_the_cooldown_one_call_at_a_time_tries() -> None:
    circuit = failing(0, 0, 0)
    assert circuit.lets(30, LIMITS)
    probing = circuit.asked(30, LIMITS)
    assert probing.state(30, LIMITS) == "half_open"
    assert not probing.lets(30, LIMITS)
    assert probing.lets(30 + PROBE_SECONDS, LIMITS), "one that never came back is not waited for"


@given(CIRCUITS, SECONDS)
def test_it_is_open_for_as_long_as_there_are_seconds_left(circuit: Circuit, now: float) -> None:
    assert (circuit.state(now, LIMITS) == "open") == (circuit.seconds_left(now, LIMITS) > 0)


def test_its_answer_closes_the_circuit() -> None:
    assert failing(0, 0, 0).asked(30, LIMITS).answered(31, LIMITS) == Circuit()


def test_its_failure_begins_the_cooldown_anew() -> None:
    again = failing(0, 0, 0).asked(30, LIMITS).failed(31, LIMITS)
    assert again.state(60, LIMITS) == "open"
    assert again.state(61, LIMITS) == "half_open"


def test_what_began_before_it_was_opened_changes_nothing() -> None:
    circuit = failing(0, 0, 0)
    assert circuit.failed(10, LIMITS) == circuit
    assert circuit.answered(10, LIMITS) == circuit


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 20)), max_size=60))
def test_it_holds_fewer_failures_than_the_threshold_and_is_never_stuck(
    calls: list[tuple[bool, float]],
) -> None:
    circuit, now = Circuit(), 0.0
    for fails, pause in calls:
        now += pause
        if not circuit.lets(now, LIMITS):
            continue
        circuit = circuit.asked(now, LIMITS)
        circuit = circuit.failed(now, LIMITS) if fails else circuit.answered(now, LIMITS)
        assert len(circuit.failures) < LIMITS.threshold
        assert circuit.opened_at is None or not circuit.failures
    assert circuit.lets(now + LIMITS.cooldown + PROBE_SECONDS, LIMITS)


@given(st.integers(1, 20))
def test_where_every_second_call_is_answered_it_stays_closed(pairs: int) -> None:
    circuit = Circuit()
    for at in range(pairs):
        circuit = circuit.failed(at, LIMITS).answered(at, LIMITS)
    assert circuit == Circuit()
