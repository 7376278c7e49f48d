"""What every answer tells a browser: to load nothing from elsewhere, to guess no types, to show it
in no frame, and to keep no copy of what is a user's own."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SECURITY: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Answers that hold a user's words; a page's own files may be kept.
PRIVATE = ("/v1/", "/mcp")


class Headers:
    """Adds the headers to every answer, whoever made it; what an answer set itself stays, but no
    answer of `/v1` is kept. `Idempotent-Replayed` says that a request was done before."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _dress(MutableHeaders(scope=message), scope)
            await send(message)

        await self._app(scope, receive, dressed)


def _dress(headers: MutableHeaders, scope: Scope) -> None:
    for name, value in SECURITY.items():
        headers.setdefault(name, value)
    if scope["path"].startswith(PRIVATE):
        headers["Cache-Control"] = "no-store"
    if scope.get("state", {}).get("replayed"):
        headers["Idempotent-Replayed"] = "true"
