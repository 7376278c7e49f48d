from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.limits import (
    MAX_TRACKED_USERS,
    RATE_WINDOW_SECONDS,
    RateLimit,
    TokenBucket,
    take_token,
)
from memory.errors import TooManyRequests

per_minutes = st.integers(1, 1000)
moments = st.lists(st.floats(0, 300, allow_nan=False), min_size=1, max_size=200).map(sorted)


def admitted(per_minute: int, times: list[float]) -> list[float]:
    bucket: TokenBucket | None = None
    through = []
    for now in times:
        bucket, wait = take_token(bucket, per_minute, now)
        if wait == 0:
            through.append(now)
    return through


@given(per_minutes, moments)
def test_in_any_stretch_of_time_no_more_than_the_bucket_holds_and_gets(
    per_minute: int, times: list[float]
) -> None:
    through = admitted(per_minute, times)
    for first, began in enumerate(through):
        for last in range(first, len(through)):
            gained = (through[last] - began) * per_minute / RATE_WINDOW_SECONDS
            assert last - first + 1 <= per_minute + gained + 1e-6


@given(per_minutes, moments)
def test_whoever_waits_as_long_as_told_passes(per_minute: int, times: list[float]) -> None:
    bucket: TokenBucket | None = None
    for now in times:
        bucket, wait = take_token(bucket, per_minute, now)
        if wait:
            assert take_token(bucket, per_minute, now + wait + 1e-6)[1] == 0
            assert take_token(bucket, per_minute, now + wait * 0.9)[1] > 0


@given(per_minutes, st.floats(0, 1e6))
def test_the_whole_allowance_may_come_at_once(per_minute: int, now: float) -> None:
    assert len(admitted(per_minute, [now] * (per_minute + 5))) == per_minute


@given(per_minutes)
def test_an_even_pace_at_the_limit_is_never_refused(per_minute: int) -> None:
    times = [each * RATE_WINDOW_SECONDS / per_minute for each in range(per_minute * 2)]
    assert len(admitted(per_minute, times)) == len(times)


@given(per_minutes, st.floats(0, 100), st.floats(0, 100))
def test_a_clock_that_goes_back_gives_nothing(per_minute: int, before: float, now: float) -> None:
    [first, then] = sorted([before, now], reverse=True)
    bucket, _ = take_token(None, per_minute, first)
    assert take_token(bucket, per_minute, then)[0].left <= bucket.left


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_one_user_does_not_use_up_anothers() -> None:
    limit = RateLimit(1, Clock())
    limit.take("ada")
    limit.take("ben")
    with pytest.raises(TooManyRequests):
        limit.take("ada")


def test_the_wait_is_told_in_whole_seconds_that_suffice() -> None:
    clock = Clock()
    limit = RateLimit(7, clock)
    for _ in range(7):
        limit.take("ada")
    with pytest.raises(TooManyRequests) as refused:
        limit.take("ada")
    wait = refused.value.fields["retry_after"]
    assert wait == 9  # 60 / 7 = 8.57
    clock.now += wait
    limit.take("ada")


def test_no_limit_is_no_limit() -> None:
    limit = RateLimit(0, Clock())
    for _ in range(1000):
        limit.take("ada")


def test_users_beyond_the_most_push_out_the_one_longest_silent() -> None:
    clock = Clock()
    limit = RateLimit(1, clock)
    names = [f"user-{number}" for number in range(MAX_TRACKED_USERS)]
    for name in ["ada", *names[:-1]]:
        limit.take(name)
    with pytest.raises(TooManyRequests):
        limit.take("ada")
    for name in names[-1], "one more":
        limit.take(name)
    limit.take(names[0])  # forgotten: it begins anew
    with pytest.raises(TooManyRequests):
        limit.take("ada")


def test_waits_grow_no_further_with_refused_requests() -> None:
    bucket, waits = None, []
    for _ in range(5):
        bucket, wait = take_token(bucket, 1, 0.0)
        waits.append(wait)
    assert all(earlier <= later for earlier, later in pairwise(waits))
    assert waits[1:] == [RATE_WINDOW_SECONDS] * 4
