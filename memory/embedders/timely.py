"""An embedding in time or none, for what can do without it."""

from __future__ import annotations

import asyncio

import structlog

from memory.embedders.protocol import Embedder, Embedding
from memory.errors import KeepsakeError

_log = structlog.get_logger(__name__)


class Timely:
    """Waits `timeout` seconds at most. What goes wrong is logged as `event`, never raised."""

    def __init__(self, embedder: Embedder, timeout: float, *, event: str) -> None:
        self._embedder = embedder
        self._timeout = timeout
        self._event = event

    async def embed(self, text: str | None) -> Embedding | None:
        """None too where there is no text."""
        if text is None:
            return None
        try:
            async with asyncio.timeout(self._timeout):
                return await self._embedder.embed_query(text)
        except Exception as error:
            known = isinstance(error, KeepsakeError)  # whose sentence holds nobody's words
            _log.warning(self._event, reason=str(error) if known else type(error).__name__)
            return None
