"""AUTH_MODE=proxy: a proxy in front signs people in, and names them in a header."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import IPvAnyNetwork
from starlette.requests import HTTPConnection

from app.identity.addresses import peer_of
from app.identity.caller import Caller
from app.identity.names import user_named
from memory.errors import NotSignedIn, ProxyNamedNobody


class ProxyIdentifier:
    """Believes the header of a request whose TCP connection comes from one of the addresses, and
    of no other. What the browser holds for the proxy it sends by itself, so every caller counts as
    known by cookie."""

    def __init__(self, addresses: Sequence[IPvAnyNetwork], header: str) -> None:
        self._addresses = tuple(addresses)
        self._header = header

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises ProxyNamedNobody, also for a header that is there twice or holds several values:
        one of them came from the client. From elsewhere the answer is the same."""
        try:
            return Caller(self._user_of(connection), by_cookie=True)
        except NotSignedIn:
            raise ProxyNamedNobody from None

    def _user_of(self, connection: HTTPConnection) -> str:
        peer = peer_of(connection)
        given = connection.headers.getlist(self._header)
        if peer is None or not any(peer in network for network in self._addresses):
            raise NotSignedIn
        if len(given) != 1 or "," in given[0]:
            raise NotSignedIn
        return user_named(_as_utf8(given[0]))


def _as_utf8(header: str) -> str:
    """ASGI hands headers on as Latin-1; proxies write UTF-8."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        raise NotSignedIn from None
