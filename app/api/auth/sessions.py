"""The session of a browser that is signed in, the cookie that it is in, and what keeps other sites'
pages from acting through it.

A session is a text that this program alone can make. It says which it is and whose, by which key,
and until when, and carries an HMAC-SHA-256 over that. It holds as long as its time and its key do;
stored is only that it was signed out before.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.api.auth.caller import (
    AuthMode,
    Caller,
    Identifier,
    is_loopback_name,
    parse_host,
    peer_of,
    requested_host,
)
from memory.errors import CrossSite, NotSignedIn

SESSION_LENGTH = timedelta(hours=12)
_MAX_CHARS = 4096  # what a browser keeps of a cookie


@dataclass(frozen=True)
class BrowserSession:
    """`key_id` names the API key that it was begun with, where it was one. Whole seconds."""

    user_id: str
    expires_at: datetime
    key_id: UUID | None = None
    id: UUID = field(default_factory=uuid4)


def session_end(now: datetime, credential_ends: datetime | None) -> datetime:
    """12 hours from now, but never later than its credential. None: that one does not end."""
    until = now + SESSION_LENGTH
    ends = until if credential_ends is None else min(until, credential_ends)
    return ends.replace(microsecond=0)


class SessionSealer:
    """Of one installation and one mode: another mode's sessions are forgeries here."""

    def __init__(self, digest_key: bytes, mode: AuthMode) -> None:
        self._key = hmac.digest(digest_key, f"session:{mode}".encode(), hashlib.sha256)

    def seal(self, session: BrowserSession) -> str:
        """As it stands in a cookie: letters, digits, "-", "_" and one "."."""
        key = None if session.key_id is None else str(session.key_id)
        fields = [session.user_id, int(session.expires_at.timestamp()), key, str(session.id)]
        said = _text(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode())
        return f"{said}.{self._mark(said)}"

    def open(self, sealed: str) -> BrowserSession:
        """Raises NotSignedIn for what `seal` did not make; whether it has ended is not asked."""
        said, _, mark = sealed[:_MAX_CHARS].partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(said).encode()):
            raise NotSignedIn
        user_id, ends, key, *ids = json.loads(_bytes(said))
        if not ids:  # of a program that could not end one
            raise NotSignedIn
        key_id = None if key is None else UUID(key)
        return BrowserSession(user_id, datetime.fromtimestamp(ends, UTC), key_id, UUID(ids[0]))

    def _mark(self, said: str) -> str:
        return _text(hmac.digest(self._key, said.encode(), hashlib.sha256))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# The prefix makes browsers refuse it from another path, domain or without TLS (RFC 6265bis 4.1.3).
COOKIE = "__Host-keepsake"
PLAIN_COOKIE = "keepsake"


def read_session_cookie(connection: HTTPConnection) -> str | None:
    """The sealed session that a browser sent. The plain cookie, which another site of the same
    domain could set, is only looked at on this machine."""
    return connection.cookies.get(_cookie_name(connection))


def set_session_cookie(
    response: Response, connection: HTTPConnection, session: BrowserSession, sealed: str
) -> None:
    """Has the browser keep it until it ends."""
    response.set_cookie(
        _cookie_name(connection),
        sealed,
        expires=session.expires_at,
        path="/",
        secure=not _is_plain(connection),
        httponly=True,
        samesite="strict",
    )


def delete_session_cookie(response: Response, connection: HTTPConnection) -> None:
    """Has the browser forget it."""
    response.delete_cookie(
        _cookie_name(connection),
        path="/",
        secure=not _is_plain(connection),
        httponly=True,
        samesite="strict",
    )


def _cookie_name(connection: HTTPConnection) -> str:
    return PLAIN_COOKIE if _is_plain(connection) else COOKIE


def _is_plain(connection: HTTPConnection) -> bool:
    """Whether it is plain HTTP within this machine, where a browser may keep no `Secure` cookie.
    Everywhere else TLS is taken for granted: a proxy ends it and speaks plain HTTP to here."""
    peer, host = peer_of(connection), requested_host(connection)
    return (
        connection.url.scheme == "http"
        and peer is not None
        and peer.is_loopback
        and host is not None
        and is_loopback_name(host[0])
    )


SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE = frozenset({"same-origin", "none"})
_PORTS = {"http": 80, "https": 443}


class SameSiteIdentifier:
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
    theirs, ours = parse_host(parts.netloc), requested_host(connection)
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
