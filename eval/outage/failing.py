"""Parts of the product that are away, for the product's own assembly to be given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, cast

from memory.database import Connection, Database
from memory.embedders.protocol import Embedder, Embedding
from memory.errors import DatabaseUnavailable, EmbeddingUnavailable
from memory.store.queries import load_queries

_SQL = load_queries("memories/search")


def _beginning(statement: str) -> str:
    """What a statement is known by: its text up to the first place that is filled in later."""
    return _SQL[statement].partition("{")[0]


class _Refusing:
    """A connection on which some statements fail as if the server had gone; the others pass."""

    def __init__(self, connection: Connection, refused: tuple[str, ...]) -> None:
        self._connection = connection
        self._refused = refused

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def fetch(self, query: str, *arguments: Any) -> Any:
        if query.startswith(self._refused):
            raise DatabaseUnavailable(reason="this search is away for the evaluation")
        return await self._connection.fetch(query, *arguments)


class LameDatabase(Database):
    """The real database, on which the statements that begin with one of `refused` fail."""

    refused: ClassVar[tuple[str, ...]] = ()

    @asynccontextmanager
    async def as_user(self, user_id: str) -> AsyncIterator[Connection]:
        async with super().as_user(user_id) as connection:
            yield cast("Connection", _Refusing(connection, self.refused))


class WithoutVectorSearch(LameDatabase):
    refused = (_beginning("search_by_vector"),)


class WithoutKeywordSearch(LameDatabase):
    refused = (_beginning("search_by_keyword"),)


class WithoutBothSearches(LameDatabase):
    refused = WithoutVectorSearch.refused + WithoutKeywordSearch.refused


class AwayEmbedder:
    """Refuses at once whatever it is given."""

    def __init__(self, inner: Embedder) -> None:
        self.model = inner.model
        self.dimensions = inner.dimensions

    async def embed_query(self, text: str) -> Embedding:
        raise EmbeddingUnavailable(model=self.model, reason="away for the evaluation")

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise EmbeddingUnavailable(model=self.model, reason="away for the evaluation")

    async def aclose(self) -> None:
        """The inner one belongs to whoever made it."""


class LateEmbedder(AwayEmbedder):
    """Never answers; whoever waits has to give up."""

    async def embed_query(self, text: str) -> Embedding:
        return await _never()

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return [await _never() for _ in texts]


async def _never() -> Embedding:
    answer: asyncio.Future[Embedding] = asyncio.get_running_loop().create_future()
    return await answer
