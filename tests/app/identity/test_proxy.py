from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from app.api.auth.modes import ProxyIdentifier
from memory.errors import ProxyNamedNobody
from tests.app.identity.connections import connection
from tests.tables import is_refused_later

USER = "X-Forwarded-User"


@pytest.fixture
def proxy() -> ProxyIdentifier:
    return ProxyIdentifier([ip_network("10.1.0.0/16"), ip_network("fd00::/8")], USER)


async def names_nobody(proxy: ProxyIdentifier, asked: HTTPConnection) -> bool:
    return await is_refused_later(ProxyNamedNobody, proxy.identify(asked))


async def test_believes_the_header_of_the_proxy(proxy: ProxyIdentifier) -> None:
    for peer in ("10.1.2.3", "fd00::7", "::ffff:10.1.2.3"):
        for user in ("ada", "ada@example.org", "Åsa Ødegård"):
            caller = await proxy.identify(connection((USER, user), peer=peer))
            assert caller.user_id == user, peer
            assert caller.by_cookie, peer


async def test_the_header_from_elsewhere_means_nothing(proxy: ProxyIdentifier) -> None:
    believed = []
    for peer in ("127.0.0.1", "10.2.0.1", "192.168.1.5", "::1", "fe80::1", None):
        spoofed = connection((USER, "ada"), ("X-Forwarded-For", "10.1.2.3"), peer=peer)
        if not await names_nobody(proxy, spoofed):
            believed.append(peer)
    assert believed == []


NOBODY: tuple[list[tuple[str, str]], ...] = (
    [],
    [(USER, "")],
    [(USER, " ")],
    [(USER, "ada"), (USER, "ada")],
    [(USER, "eve"), (USER, "ada")],
    [(USER, "eve, ada")],
    [(USER, "ada\x00")],
    [(USER, "ada\u202e")],
    [(USER, " ada")],
    [(USER, "-")],
    [(USER, "a" * 256)],
    [("X-Forwarded-Email", "ada")],
    [("Authorization", "Bearer ada")],
)


async def test_no_one_name_is_nobody(proxy: ProxyIdentifier) -> None:
    asked = [(headers, connection(*headers, peer="10.1.2.3")) for headers in NOBODY]
    assert [headers for headers, each in asked if not await names_nobody(proxy, each)] == []


async def test_what_is_no_utf8_is_nobody(proxy: ProxyIdentifier) -> None:
    asked = connection(peer="10.1.2.3")
    asked.scope["headers"].append((USER.lower().encode(), b"ad\xff"))
    with pytest.raises(ProxyNamedNobody):
        await proxy.identify(asked)


@given(st.text(max_size=300))
async def test_a_user_is_named_exactly_or_not_at_all(name: str) -> None:
    proxy = ProxyIdentifier([ip_network("10.1.0.0/16")], USER)
    asked = connection(peer="10.1.2.3")
    asked.scope["headers"].append((USER.lower().encode(), name.encode("utf-8", "surrogatepass")))
    try:
        caller = await proxy.identify(asked)
    except ProxyNamedNobody:
        return
    assert caller.user_id == name
    assert name.isprintable()
    assert "," not in name
    assert 1 <= len(name.strip()) == len(name) <= 255
