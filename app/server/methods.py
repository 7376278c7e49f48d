"""Which methods an address takes, as all its routes together say."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.routing import BaseRoute, Match

# HEAD is what GET is; see `app.server.heads`.
ASKED = ("GET", "POST", "PUT", "PATCH", "DELETE")


def methods_of(request: Request, routes: Sequence[BaseRoute]) -> list[str]:
    """Those that a route of the request's path takes, always in the same order."""
    taken = [method for method in ASKED if is_taken(request, routes, method)]
    return ["GET", "HEAD", *taken[1:]] if taken[:1] == ["GET"] else taken


def is_taken(request: Request, routes: Sequence[BaseRoute], method: str) -> bool:
    path = request.scope["path"]
    scope = {"type": "http", "path": path, "root_path": "", "headers": [], "method": method}
    return any(each.matches(scope)[0] is Match.FULL for each in routes)
