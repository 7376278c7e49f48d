"""Vectors from OpenAI, or from any server that speaks its embeddings interface."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import openai
from openai.types import CreateEmbeddingResponse

from memory.embeddings.protocol import Embedding, cut_query, embeddable, unit_rows
from memory.errors import EmbeddingRefused, EmbeddingUnavailable
from memory.tokens import TokenCounter

# The server's own limits are 8,192 tokens a text, 2,048 texts and 300,000 tokens a request
# (OpenAI API reference, "Create embeddings"); smaller requests are retried more cheaply.
TEXT_TOKENS = 8_191
REQUEST_TEXTS = 128
REQUEST_TOKENS = 100_000
# With these it says that it does not take these texts: too long for it, or against its policy.
REFUSAL_STATUSES = (400, 413, 422)
# Only these models can shorten their vectors; others refuse the parameter.
SHORTENABLE_PREFIX = "text-embedding-3"

_Create: TypeAlias = Callable[[list[str]], Awaitable[CreateEmbeddingResponse]]

# The first class that fits counts: a timeout is a connection error as well.
REASONS: tuple[tuple[type[Exception], str], ...] = (
    (openai.APITimeoutError, "it took too long"),
    (openai.APIConnectionError, "its server cannot be reached"),
    (openai.AuthenticationError, "it refused the key with status {status}"),
    (openai.PermissionDeniedError, "it refused the key with status {status}"),
    (openai.RateLimitError, "too many requests or no credit left, status {status}"),
    (openai.APIStatusError, "it answered with status {status}"),
    (RuntimeError, "it was closed"),
    (Exception, "its answer could not be read, {kind}"),
)


class OpenAIEmbedder:
    """One client, one model; each text is cut at 8,191 tokens.

    The client brings key, base URL and number of retries, and is closed by `aclose`, so
    it is not to be shared. `timeout` is in seconds and holds for each try; `on_tokens` is told what
    the server says that a request took. Every failure
    is an EmbeddingUnavailable whose reason is a status or a class and never the server's
    own words, because those can quote the key; one that can be these texts' fault is an
    EmbeddingRefused.
    """

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        tokens: TokenCounter,
        *,
        model: str = "text-embedding-3-small",
        dimensions: int = 1536,
        timeout: float = 10.0,
        on_tokens: Callable[[int], None] | None = None,
    ) -> None:
        self._client = client
        self._tokens = tokens
        self._timeout = timeout
        self.model = model
        self.dimensions = dimensions
        self._on_tokens = on_tokens

    async def embed_query(self, text: str) -> Embedding:
        """Somebody waits for it: what may pass is asked once more at once, without the pauses that
        the client makes between its tries."""
        return (await self._embed([cut_query(text, self.model)], self._create_at_once))[0]

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return await self._embed(texts, partial(self._create, self._client))

    async def aclose(self) -> None:
        await self._client.close()

    def _requests(self, texts: Sequence[str]) -> Iterator[list[str]]:
        request: list[str] = []
        held = 0
        for text in texts:
            cut = self._tokens.cut(embeddable(text), TEXT_TOKENS)
            count = self._tokens.count(cut)
            if len(request) == REQUEST_TEXTS or held + count > REQUEST_TOKENS:
                yield request
                request, held = [], 0
            request.append(cut)
            held += count
        if request:
            yield request

    async def _embed(self, texts: Sequence[str], create: _Create) -> list[Embedding]:
        embedded: list[Embedding] = []
        for request in self._requests(texts):
            answer = await self._ask(request, create)
            embedded += self._read(answer, len(request))
            self._tell_tokens(answer)
        return embedded

    async def _ask(self, texts: list[str], create: _Create) -> CreateEmbeddingResponse:
        try:
            return await create(texts)
        # Beside its own errors the client lets out ValueError for an answer that is no JSON
        # and RuntimeError once it is closed. The chain is cut because a log of it would
        # hold the server's words.
        except (openai.OpenAIError, ValueError, RuntimeError) as error:
            refused = getattr(error, "status_code", None) in REFUSAL_STATUSES
            raise (self._refused if refused else self._unavailable)(_reason(error)) from None

    async def _create_at_once(self, texts: list[str]) -> CreateEmbeddingResponse:
        quick = self._client.with_options(max_retries=0)
        if self._client.max_retries > 0:
            try:
                return await self._create(quick, texts)
            except openai.APITimeoutError:
                raise
            except (openai.APIConnectionError, openai.InternalServerError):
                pass
        return await self._create(quick, texts)

    async def _create(
        self, client: openai.AsyncOpenAI, texts: list[str]
    ) -> CreateEmbeddingResponse:
        shortens = self.model.startswith(SHORTENABLE_PREFIX)
        return await client.embeddings.create(
            model=self.model,
            input=texts,
            dimensions=self.dimensions if shortens else openai.omit,
            encoding_format="float",  # the client's default, base64, is not known everywhere
            timeout=self._timeout,
        )

    def _read(self, answer: CreateEmbeddingResponse, count: int) -> list[Embedding]:
        rows = self._rows(answer)
        if rows.shape[0] != count:
            raise self._refused(f"it gave {rows.shape[0]} vectors for {count} texts")
        if rows.shape[1:] != (self.dimensions,):
            found = rows[0].size
            raise self._unavailable(f"its vectors have {found} dimensions, not {self.dimensions}")
        if not np.isfinite(rows).all() or not rows.any(axis=1).all():
            raise self._refused("it gave a vector without a direction")
        return list(unit_rows(rows))

    def _tell_tokens(self, answer: CreateEmbeddingResponse) -> None:
        told = getattr(getattr(answer, "usage", None), "total_tokens", None)  # not by every server
        if self._on_tokens is not None and isinstance(told, int) and told > 0:
            self._on_tokens(told)

    def _rows(self, answer: CreateEmbeddingResponse) -> Embedding:
        # The client checks nothing in an answer: any field may be missing or of another type.
        try:
            by_index = {entry.index: entry.embedding for entry in answer.data}
            in_order = [by_index[index] for index in range(len(answer.data))]
            return np.array(in_order, dtype=np.float32)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise self._unavailable("its answer is not a list of vectors") from None

    def _refused(self, reason: str) -> EmbeddingRefused:
        return EmbeddingRefused(model=self.model, reason=reason)

    def _unavailable(self, reason: str) -> EmbeddingUnavailable:
        return EmbeddingUnavailable(model=self.model, reason=reason)


def _reason(error: Exception) -> str:
    reason = next(words for kind, words in REASONS if isinstance(error, kind))
    return reason.format(status=getattr(error, "status_code", ""), kind=type(error).__name__)
