"""Keeps other sites' pages from acting through the user's browser.

A browser sends a cookie, and reaches the loopback address, whoever wrote the page that makes it do
so. It also says where a request comes from, in headers that no page can set: Sec-Fetch-Site (W3C
Fetch Metadata), and Origin (RFC 6454). A program that is no browser sends neither.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from app.identity.addresses import asked_host, split_host
from app.identity.caller import Caller, Identifier
from memory.errors import CrossSite

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE = frozenset({"same-origin", "none"})
_PORTS = {"http": 80, "https": 443}


class OwnPagesIdentifier:
    """Finds out who asks; where the browser sent the credential by itself, only for what our own
    page had it send."""

    def __init__(self, inner: Identifier) -> None:
        self._inner = inner

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises CrossSite, and what the mode's own identifier does."""
        caller = await self._inner.identify(connection)
        if caller.by_cookie:
            refuse_cross_site(connection)
        return caller


def refuse_cross_site(connection: HTTPConnection) -> None:
    """Raises CrossSite for what another origin's page had the browser send.

    Nothing that changes something is taken from there. Of what only reads, a link that is followed
    is; what a page loads unseen is not, since the time that it takes would tell something.
    """
    if _is_own(connection):
        return
    if connection.scope["method"] in SAFE_METHODS and _is_followed_link(connection):
        return
    raise CrossSite


def refuse_followed_link(connection: HTTPConnection) -> None:
    """Raises CrossSite for a link of another site that a browser followed: it shall not have
    everything that is kept saved to a disk."""
    if not _is_own(connection):
        raise CrossSite


def _is_own(connection: HTTPConnection) -> bool:
    """Whether it comes from our own page, from the user's own hand, or from no browser."""
    sites = connection.headers.getlist("sec-fetch-site")
    if sites:
        return all(site in _OWN_SITE for site in sites)
    origins = connection.headers.getlist("origin")
    return all(is_own_origin(origin, connection) for origin in origins)


def is_own_origin(origin: str, connection: HTTPConnection) -> bool:
    """Whether an Origin header names the host and the port that the request was sent to. The scheme
    is not compared: it is another one behind a proxy that ends TLS."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    default = _PORTS.get(parts.scheme)
    theirs, ours = split_host(parts.netloc), asked_host(connection)
    if default is None or theirs is None or ours is None or origin != _bare(parts.scheme, origin):
        return False
    return (theirs[0], theirs[1] or default) == (ours[0], ours[1] or default)


def _bare(scheme: str, origin: str) -> str:
    """An origin has nothing behind its host."""
    return f"{scheme}://{origin.partition('://')[2].partition('/')[0]}"


def _is_followed_link(connection: HTTPConnection) -> bool:
    headers = connection.headers
    return (
        headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    )
