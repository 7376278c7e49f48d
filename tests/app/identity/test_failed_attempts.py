from __future__ import annotations

from ipaddress import ip_address

import pytest

from app.api.auth.credentials import FailedAttempts
from memory.errors import TooManyRequests

EVE, ADA = ip_address("203.0.113.7"), ip_address("203.0.113.8")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def make(clock: Clock, most_peers: int = 10) -> FailedAttempts:
    return FailedAttempts(3, most_peers, clock)


def test_who_used_them_up_waits_out_the_minute(clock: Clock) -> None:
    attempts = make(clock)
    for _ in range(3):
        attempts.admit(EVE)
        attempts.count(EVE)
    clock.now += 20
    with pytest.raises(TooManyRequests) as caught:
        attempts.admit(EVE)
    assert caught.value.fields == {"retry_after": 40}
    attempts.admit(ADA)
    clock.now += 40
    attempts.admit(EVE)


def test_refused_attempts_do_not_lengthen_the_wait(clock: Clock) -> None:
    attempts = make(clock)
    for _ in range(3):
        attempts.count(EVE)
    for _ in range(59):
        clock.now += 1
        with pytest.raises(TooManyRequests):
            attempts.admit(EVE)
    clock.now += 1
    attempts.admit(EVE)


def test_addresses_of_one_ipv6_network_are_one_peer(clock: Clock) -> None:
    attempts = make(clock)
    for last in range(3):
        attempts.count(ip_address(f"2001:db8::{last}"))
    with pytest.raises(TooManyRequests):
        attempts.admit(ip_address("2001:db8::ffff:9"))
    attempts.admit(ip_address("2001:db8:0:1::1"))


def test_only_so_many_peers_are_kept(clock: Clock) -> None:
    attempts = make(clock, most_peers=5)
    for _ in range(3):
        attempts.count(EVE)
    for number in range(4):
        attempts.count(ip_address(number))
    with pytest.raises(TooManyRequests):
        attempts.admit(EVE)
    attempts.count(ip_address(99))
    attempts.admit(EVE)
    assert len(attempts._counted) == 5
