from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from hypothesis import given
from hypothesis import strategies as st

from app.api.auth.caller import (
    is_loopback_name,
    network_of,
    parse_address,
    parse_host,
    peer_of,
    requested_host,
)
from tests.app.identity.connections import connection

HOSTS: dict[str, tuple[str, int | None] | None] = {
    "localhost": ("localhost", None),
    "LOCALHOST:8765": ("localhost", 8765),
    "127.0.0.1:80": ("127.0.0.1", 80),
    "[::1]:8765": ("[::1]", 8765),
    "notes.example.org": ("notes.example.org", None),
    "": None,
    "localhost:": None,
    "localhost:99999": None,
    "localhost:80:80": None,
    "::1": None,
    "localhost.": None,
    "localhost@evil.example": None,
    "localhost/evil.example": None,
    "localhost evil.example": None,
    "localhost\n": None,
    "localhost:8٣": None,
}


def test_splits_a_host_header() -> None:
    assert {header: parse_host(header) for header in HOSTS} == HOSTS


@given(st.text(max_size=60))
def test_of_any_text_there_is_a_host_that_reads_back_or_none(text: str) -> None:
    found = parse_host(text)
    if found is not None:
        name, port = found
        assert name == name.lower()
        assert text.lower().startswith(name)
        assert parse_host(name if port is None else f"{name}:{port}") == found


def test_loopback_names() -> None:
    names = ("localhost", "127.0.0.1", "127.8.9.10", "[::1]")
    assert [name for name in names if not is_loopback_name(name)] == []


def test_names_that_others_could_point_here_or_are_elsewhere() -> None:
    names = (
        *("evil.example", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example"),
        *("0.0.0.0", "[::]", "192.168.1.5", "127.1", "0x7f000001", "2130706433", "[fe80::1]"),
    )
    assert [name for name in names if is_loopback_name(name)] == []


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_inside_an_ipv6_one_is_itself(address: IPv4Address) -> None:
    assert parse_address(f"::ffff:{address}") == address


def test_no_header_has_a_say_in_who_the_peer_is() -> None:
    asked = connection(
        ("X-Forwarded-For", "127.0.0.1"), ("Forwarded", "for=127.0.0.1"), peer="9.9.9.9"
    )
    assert peer_of(asked) == ip_address("9.9.9.9")
    assert peer_of(connection(peer=None)) is None
    assert peer_of(connection(peer="/run/keepsake.sock")) is None


def test_several_host_headers_are_none() -> None:
    assert requested_host(connection(("Host", "localhost"), host="localhost")) is None
    assert requested_host(connection(host=None)) is None


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_who_has_a_64_is_one_peer(address: IPv6Address, suffix: int) -> None:
    neighbour = IPv6Address((int(address) >> 64 << 64) + suffix)
    assert network_of(address) == network_of(neighbour)


def test_ipv4_addresses_are_told_apart() -> None:
    assert network_of(IPv4Address("10.0.0.1")) != network_of(IPv4Address("10.0.0.2"))
