"""AUTH_MODE=local: one user, who is whoever sits at this machine."""

from __future__ import annotations

import asyncio
import socket

from starlette.requests import HTTPConnection

from app.identity.addresses import asked_host, is_loopback_name, parse_address, peer_of
from app.identity.caller import Caller
from memory.errors import InvalidSettings, NotThisMachine
from memory.settings import Settings

RESOLVE_TIMEOUT = 5.0
# What a proxy or a tunnel adds: behind one on this machine everybody's requests come from here.
FORWARDING = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class LocalIdentifier:
    """Believes every request from the loopback address that calls the server by a loopback name. A
    page whose name was made to point here (DNS rebinding) calls it by that name."""

    def __init__(self, settings: Settings) -> None:
        self._caller = Caller(settings.keepsake_user, by_cookie=True)

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises NotThisMachine."""
        peer = peer_of(connection)
        if peer is None or not peer.is_loopback:
            raise NotThisMachine(reason="this request comes from elsewhere")
        if any(name in connection.headers for name in FORWARDING):
            raise NotThisMachine(reason="this request came through a proxy")
        host = asked_host(connection)
        if host is None or not is_loopback_name(host[0]):
            raise NotThisMachine(reason="this request calls it by another name")
        return self._caller


async def refuse_open_host(host: str) -> None:
    """Raises InvalidSettings for a SERVE_HOST that others than this machine reach, or that is
    unknown."""
    if not await _is_loopback(host):
        raise InvalidSettings(
            reason=f"SERVE_HOST={host} is not this machine's loopback address alone, and with "
            "AUTH_MODE=local whoever reaches it is let in. Set SERVE_HOST to 127.0.0.1, or "
            "AUTH_MODE to token (API keys), jwt (an identity provider) or proxy (a proxy that "
            "signs people in)."
        )


async def _is_loopback(host: str) -> bool:
    address = parse_address(host)
    if address is not None:
        return address.is_loopback
    found = await _resolve(host)
    return bool(found) and all(
        address is not None and address.is_loopback for address in map(parse_address, found)
    )


async def _resolve(host: str) -> list[str]:
    try:
        async with asyncio.timeout(RESOLVE_TIMEOUT):
            found = await asyncio.get_running_loop().getaddrinfo(
                host, None, type=socket.SOCK_STREAM
            )
    except (OSError, UnicodeError, TimeoutError):
        return []
    return [str(where[0]) for *_, where in found]
