"""Which embedding model is used, and its embedder with what stands around it."""

from __future__ import annotations

from functools import partial

import httpx2
from openai import AsyncOpenAI
from opentelemetry.trace import Tracer

from memory.cache import Cache, EmbeddingCache
from memory.circuit_breaker import CircuitBreaker
from memory.config import (
    LOCAL_DIMENSIONS,
    LOCAL_MODEL,
    OPENAI_EMBEDDING_DIMENSIONS,
    OPENAI_EMBEDDING_MODEL,
    OPENAI_URL,
    RETIRED_MODELS,
    Settings,
)
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.local import LocalEmbedder
from memory.embeddings.openai import OpenAIEmbedder
from memory.embeddings.protocol import Embedder
from memory.embeddings.resilient import CircuitBreakerEmbedder, MeteredEmbedder
from memory.errors import InvalidSettings
from memory.metrics import MemoryMetrics, TokenCosts
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel

REEMBED_COMMAND = f"python -m app reembed --model {LOCAL_MODEL}"


def choose_embedding_model(settings: Settings, stored: EmbeddingModel | None) -> EmbeddingModel:
    """Which embedding model to use.

    What the settings name; else the one that the database was made for, so that
    adding a key later changes the chat model alone; else, for a database that has
    no vector yet, OpenAI's where there is a key and no other server is named, and
    the local one everywhere else: many servers only chat. Raises InvalidSettings
    for a length that the local model does not have.
    """
    name = settings.embedding_model
    length = settings.embedding_dimensions
    if name is None and stored is not None and length in (None, stored.dimensions):
        return stored
    if name is None:
        at_openai = settings.openai_api_key is not None and settings.openai_base_url is None
        name = OPENAI_EMBEDDING_MODEL if at_openai else LOCAL_MODEL
    usual = LOCAL_DIMENSIONS if name == LOCAL_MODEL else OPENAI_EMBEDDING_DIMENSIONS
    if name == LOCAL_MODEL and length not in (None, usual):
        raise InvalidSettings(
            reason=f"EMBEDDING_DIMENSIONS: {LOCAL_MODEL} has {usual}; leave it out, or name "
            "another model in EMBEDDING_MODEL"
        )
    return EmbeddingModel(name, length or usual)


def is_configured(model: EmbeddingModel, settings: Settings) -> bool:
    """Whether it is on this machine, or at a server that the settings name."""
    if model.name in RETIRED_MODELS:
        return False
    return model.name == LOCAL_MODEL or settings.has_model


def require_configured(model: EmbeddingModel, settings: Settings) -> None:
    """Raises InvalidSettings where memories would be sent to a server that nobody named."""
    if is_configured(model, settings):
        return
    if model.name in RETIRED_MODELS:
        raise InvalidSettings(
            reason=f"the vectors are of {model.name}, which this version no longer has. To have "
            "them made anew on this machine, which loses nothing, take EMBEDDING_MODEL out where "
            f"it is set, and run: {REEMBED_COMMAND}"
        )
    if model.name == settings.embedding_model:
        raise InvalidSettings(
            reason=f"EMBEDDING_MODEL names {model.name}, which needs OPENAI_API_KEY or "
            "OPENAI_BASE_URL: set one of them, or take EMBEDDING_MODEL out"
        )
    raise InvalidSettings(
        reason=f"the embedding model {model.name}, which this database was made for, needs "
        "OPENAI_API_KEY or OPENAI_BASE_URL. Set one of them again; or, to have all vectors made "
        f"anew on this machine, which loses nothing, run: {REEMBED_COMMAND}"
    )


NO_KEY = "none"


def make_embedder(
    model: EmbeddingModel,
    settings: Settings,
    cache: Cache,
    counter: TokenCounter,
    transport: httpx2.AsyncBaseTransport | None = None,
    *,
    guard: CircuitBreaker | None = None,
    counters: MemoryMetrics | None = None,
    tracer: Tracer | None = None,
) -> CachedEmbedder:
    """The embedder of a model, measured, behind its circuit breaker and the cache. `transport`
    stands in for the network."""
    counters = counters or MemoryMetrics()
    spending = TokenCosts(counters, settings.prices)
    made = _make_inner(model, settings, counter, transport, spending)
    inner: Embedder = MeteredEmbedder(made, counters, tracer)
    guarded = inner if guard is None else CircuitBreakerEmbedder(inner, guard)
    return CachedEmbedder(guarded, EmbeddingCache(cache))


def _make_inner(
    model: EmbeddingModel,
    settings: Settings,
    counter: TokenCounter,
    transport: httpx2.AsyncBaseTransport | None,
    spending: TokenCosts,
) -> Embedder:
    if model.name == LOCAL_MODEL:
        local = LocalEmbedder()
        local.preload()
        return local
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else NO_KEY
    client = AsyncOpenAI(
        api_key=key,
        base_url=settings.openai_base_url or OPENAI_URL,
        max_retries=2,
        http_client=httpx2.AsyncClient(transport=transport, timeout=10.0),
    )
    return OpenAIEmbedder(
        client,
        counter,
        model=model.name,
        dimensions=model.dimensions,
        on_tokens=partial(spending.note, "embed", model.name),
    )
