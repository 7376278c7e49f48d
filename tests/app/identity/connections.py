"""Requests as the identifiers see them, without a server."""

from __future__ import annotations

from starlette.requests import HTTPConnection

HERE = "127.0.0.1"


def connection(
    *headers: tuple[str, str],
    method: str = "GET",
    peer: str | None = HERE,
    host: str | None = "localhost:8765",
    query: str = "",
    scheme: str = "http",
) -> HTTPConnection:
    """`host` None: no Host header."""
    given = [*headers, *([] if host is None else [("host", host)])]
    return HTTPConnection(
        {
            "type": "http",
            "method": method,
            "scheme": scheme,
            "path": "/v1/me",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in given],
            "client": None if peer is None else (peer, 50_000),
            "server": ("127.0.0.1", 8765),
        }
    )
