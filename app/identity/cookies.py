"""The cookie that a browser's session is in."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.identity.addresses import asked_host, is_loopback_name, peer_of
from app.identity.sessions import Session

# The prefix makes browsers refuse it from another path, domain or without TLS (RFC 6265bis 4.1.3).
COOKIE = "__Host-keepsake"
PLAIN_COOKIE = "keepsake"


def session_in(connection: HTTPConnection) -> str | None:
    """The sealed session that a browser sent. The plain cookie, which another site of the same
    domain could set, is only looked at on this machine."""
    return connection.cookies.get(_name(connection))


def set_session(
    response: Response, connection: HTTPConnection, session: Session, sealed: str
) -> None:
    """Has the browser keep it until it ends."""
    response.set_cookie(
        _name(connection),
        sealed,
        expires=session.expires_at,
        path="/",
        secure=not _is_plain(connection),
        httponly=True,
        samesite="strict",
    )


def drop_session(response: Response, connection: HTTPConnection) -> None:
    """Has the browser forget it."""
    response.delete_cookie(
        _name(connection),
        path="/",
        secure=not _is_plain(connection),
        httponly=True,
        samesite="strict",
    )


def _name(connection: HTTPConnection) -> str:
    return PLAIN_COOKIE if _is_plain(connection) else COOKIE


def _is_plain(connection: HTTPConnection) -> bool:
    """Whether it is plain HTTP within this machine, where a browser may keep no `Secure` cookie.
    Everywhere else TLS is taken for granted: a proxy ends it and speaks plain HTTP to here."""
    peer, host = peer_of(connection), asked_host(connection)
    return (
        connection.url.scheme == "http"
        and peer is not None
        and peer.is_loopback
        and host is not None
        and is_loopback_name(host[0])
    )
