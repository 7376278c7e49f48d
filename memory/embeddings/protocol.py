"""What every embedder promises, and an embedder that may give none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import structlog

from memory.errors import KeepsakeError

Embedding: TypeAlias = npt.NDArray[np.float32]
"""Shape (dimensions,), of length 1, so that a dot product is the cosine."""

QUERY_CHARACTERS = 8_192
T = TypeVar("T")

_log = structlog.get_logger(__name__)


class Embedder(Protocol):
    """Turns text into unit vectors of one model; vectors of two models never compare.

    A text with no visible character gets the vector of a full stop: a zero vector would
    make every cosine distance in pgvector NaN, and an error would fail the whole batch.
    """

    @property
    def model(self) -> str:
        """The name that is stored beside each vector."""

    @property
    def dimensions(self) -> int: ...

    async def embed_query(self, text: str) -> Embedding:
        """One vector, ahead of any batch that is waiting; a query above 8,192 characters
        is cut there with a warning. Raises EmbeddingUnavailable."""

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        """One vector for each text, in their order. Raises EmbeddingUnavailable, which is an
        EmbeddingRefused where the model answers, but not to these texts."""

    async def aclose(self) -> None:
        """Ends threads and connections; what comes afterwards raises EmbeddingUnavailable."""


def cut_query(text: str, model: str | None = None) -> str:
    """The first 8,192 characters; a longer query is logged, by its length alone."""
    if len(text) <= QUERY_CHARACTERS:
        return text
    _log.warning("query_cut", model=model, characters=len(text), kept=QUERY_CHARACTERS)
    return text[:QUERY_CHARACTERS]


def embeddable(text: str) -> str:
    """The text as a model can take it: valid UTF-8 with at least one visible character."""
    well_formed = text.encode("utf-8", "ignore").decode()
    return well_formed if well_formed.strip() else "."


def unit_rows(rows: Embedding) -> Embedding:
    """Each row of a (texts, dimensions) matrix divided by its length, which must not be 0."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / lengths, dtype=np.float32)


class BestEffortEmbedder:
    """An embedding in time or none, for what can do without it. Waits `timeout` seconds at most.
    What goes wrong is logged as `event`, never raised."""

    def __init__(self, embedder: Embedder, timeout: float, *, event: str) -> None:
        self._embedder = embedder
        self._timeout = timeout
        self._event = event

    async def embed_query(self, text: str | None) -> Embedding | None:
        """None too where there is no text."""
        return None if text is None else await self._in_time(self._embedder.embed_query(text))

    async def embed_text(self, text: str | None) -> Embedding | None:
        """None too where there is no text."""
        if text is None:
            return None
        embedded = await self._in_time(self._embedder.embed_texts([text]))
        return None if embedded is None else embedded[0]

    async def _in_time(self, answer: Awaitable[T]) -> T | None:
        try:
            async with asyncio.timeout(self._timeout):
                return await answer
        except Exception as error:
            known = isinstance(error, KeepsakeError)  # whose sentence holds nobody's words
            _log.warning(self._event, reason=str(error) if known else type(error).__name__)
            return None
