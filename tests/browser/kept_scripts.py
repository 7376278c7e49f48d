"""Scripts and styles that a browser asks for once in a run, instead of before each page."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LASTING = "max-age=3600"


def with_kept_scripts(application: ASGIApp) -> ASGIApp:
    """Nothing changes them while the tests run. A page has fifty."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_lasting(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Cache-Control"] = LASTING
            await send(message)

        is_static = scope["type"] == "http" and scope["path"].startswith("/static/")
        await application(scope, receive, send_lasting if is_static else send)

    return answer
