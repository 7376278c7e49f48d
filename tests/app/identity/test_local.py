from __future__ import annotations

import pytest

from app.api.auth.modes import LocalIdentifier, check_loopback_host
from memory.config import Settings
from memory.errors import InvalidSettings, NotThisMachine
from tests.app.identity.connections import connection


@pytest.fixture
def local(settings: Settings) -> LocalIdentifier:
    return LocalIdentifier(settings)


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:8765", "[::1]:8765"])
async def test_whoever_is_at_this_machine_is_the_user(
    local: LocalIdentifier, settings: Settings, peer: str, host: str
) -> None:
    caller = await local.identify(connection(peer=peer, host=host))
    assert caller.user_id == settings.keepsake_user
    assert caller.by_cookie


@pytest.mark.parametrize("peer", ["192.168.1.5", "8.8.8.8", "::2", "::ffff:10.0.0.1", None, "here"])
async def test_nobody_else_is(local: LocalIdentifier, peer: str | None) -> None:
    with pytest.raises(NotThisMachine):
        await local.identify(connection(peer=peer))


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8765", "localhost.evil.example", "127.0.0.1.evil.example"),
        *("a.localhost", "192.168.1.5:8765", "0.0.0.0:8765", "", None),
    ],
)
async def test_a_name_that_was_made_to_point_here_is_refused(
    local: LocalIdentifier, host: str | None
) -> None:
    """DNS rebinding: the page of evil.example reads from evil.example, which is 127.0.0.1 now."""
    with pytest.raises(NotThisMachine):
        await local.identify(connection(host=host))


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
async def test_behind_a_proxy_on_this_machine_nobody_is_at_it(
    local: LocalIdentifier, name: str
) -> None:
    with pytest.raises(NotThisMachine):
        await local.identify(connection((name, "127.0.0.1")))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
async def test_starts_on_the_loopback_address(host: str) -> None:
    await check_loopback_host(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.5", "::ffff:0.0.0.0", "203.0.113.7", "", "no.such.invalid"]
)
async def test_starts_nowhere_else_and_says_what_to_do(host: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        await check_loopback_host(host)
    for named in ("SERVE_HOST", "127.0.0.1", "AUTH_MODE", "token", "jwt", "proxy"):
        assert named in str(caught.value)
