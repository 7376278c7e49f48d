"""A connection that has to say soon what it wants."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


class PunctualProtocol(H11Protocol):
    """uvicorn's HTTP/1.1, which itself waits for ever for the headers: a client that sends a byte
    now and then would hold its connection. One that is late is closed.

    `header_seconds` is from a new connection, or from the first byte of a further request, until
    its headers are there."""

    header_seconds = 10.0
    _until_headers: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering():
            self._expect_nothing()
        elif self._until_headers is None:
            self._expect_headers()

    def on_response_complete(self) -> None:
        """Between two requests it is the keep-alive timeout that counts."""
        self._expect_nothing()
        super().on_response_complete()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect_headers(self) -> None:
        self._until_headers = self.loop.call_later(self.header_seconds, self.transport.close)

    def _expect_nothing(self) -> None:
        if self._until_headers is not None:
            self._until_headers.cancel()
            self._until_headers = None
