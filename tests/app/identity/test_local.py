from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from app.api.auth.modes import LocalIdentifier, check_loopback_host
from memory.config import Settings
from memory.errors import InvalidSettings, NotThisMachine
from tests.app.identity.connections import connection
from tests.tables import is_refused_later


@pytest.fixture
def local(settings: Settings) -> LocalIdentifier:
    return LocalIdentifier(settings)


async def is_elsewhere(local: LocalIdentifier, asked: HTTPConnection) -> bool:
    return await is_refused_later(NotThisMachine, local.identify(asked))


async def test_whoever_is_at_this_machine_is_the_user(
    local: LocalIdentifier, settings: Settings
) -> None:
    for peer in ("127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"):
        for host in ("localhost", "localhost:8765", "127.0.0.1:8765", "[::1]:8765"):
            caller = await local.identify(connection(peer=peer, host=host))
            assert caller.user_id == settings.keepsake_user, (peer, host)
            assert caller.by_cookie, (peer, host)


async def test_nobody_else_is(local: LocalIdentifier) -> None:
    peers = ("192.168.1.5", "8.8.8.8", "::2", "::ffff:10.0.0.1", None, "here")
    taken = [peer for peer in peers if not await is_elsewhere(local, connection(peer=peer))]
    assert taken == []


async def test_a_name_that_was_made_to_point_here_is_refused(local: LocalIdentifier) -> None:
    """DNS rebinding: the page of evil.example reads from evil.example, which is 127.0.0.1 now."""
    hosts = (
        *("evil.example", "evil.example:8765", "localhost.evil.example", "127.0.0.1.evil.example"),
        *("a.localhost", "192.168.1.5:8765", "0.0.0.0:8765", "", None),
    )
    taken = [host for host in hosts if not await is_elsewhere(local, connection(host=host))]
    assert taken == []


async def test_behind_a_proxy_on_this_machine_nobody_is_at_it(local: LocalIdentifier) -> None:
    names = ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP")
    asked = {name: connection((name, "127.0.0.1")) for name in names}
    assert [name for name, each in asked.items() if not await is_elsewhere(local, each)] == []


async def test_starts_on_the_loopback_address() -> None:
    for host in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        await check_loopback_host(host)


async def test_starts_nowhere_else_and_says_what_to_do() -> None:
    hosts = ("0.0.0.0", "::", "192.168.1.5", "::ffff:0.0.0.0", "203.0.113.7", "", "no.such.invalid")
    named = ("SERVE_HOST", "127.0.0.1", "AUTH_MODE", "token", "jwt", "proxy")
    for host in hosts:
        with pytest.raises(InvalidSettings) as caught:
            await check_loopback_host(host)
        assert [name for name in named if name not in str(caught.value)] == [], host
