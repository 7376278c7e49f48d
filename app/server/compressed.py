"""Scripts and styles go out compressed, and nothing else does.

An answer with a user's words beside what somebody else chose would tell those words by its length
(BREACH), and a compressed stream comes in pieces that wait for one another.
"""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

FILES = "/static/"
_LEVEL = 6  # of 9: smaller by less than one in a hundred beyond it


class Compressed:
    """Compresses what is under FILES, for who takes that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._compressing = GZipMiddleware(app, compresslevel=_LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_file = scope["type"] == "http" and scope["path"].startswith(FILES)
        await (self._compressing if is_file else self._app)(scope, receive, send)
