"""What nobody expected still becomes a problem, under the correlation id and with all headers."""

from __future__ import annotations

import anyio
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.problems import unexpected


class Crashes:
    """Answers an exception that no handler knows; its trace goes to the log alone. Starlette's own
    answer would be made outside of our headers. Where the answer had begun, the connection is
    broken off, so that nobody takes the half for the whole."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def seen(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, seen)
        except Exception as error:
            if begun and only_reader_gone(error):
                return
            answer = unexpected(Request(scope), error)
            if begun:
                raise
            await answer(scope, receive, send)


def only_reader_gone(error: BaseException) -> bool:
    """Whether a stream had nobody any more to be read by: FastAPI's keep-alive passes each event on
    through a stream of its own, which is closed when the client goes."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(only_reader_gone, error.exceptions))
    return isinstance(error, anyio.BrokenResourceError | anyio.ClosedResourceError)
