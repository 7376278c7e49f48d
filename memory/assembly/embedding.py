"""Which embedding model is used, and the embedder of it."""

from __future__ import annotations

from functools import partial

import httpx2
from openai import AsyncOpenAI
from opentelemetry.trace import Tracer

from memory.cache import Cache, EmbeddingCache
from memory.counters import Counters
from memory.embedders.cached import CachedEmbedder
from memory.embedders.guarded import GuardedEmbedder
from memory.embedders.local import LocalEmbedder
from memory.embedders.metered import MeteredEmbedder
from memory.embedders.openai import OpenAIEmbedder
from memory.embedders.protocol import Embedder
from memory.errors import InvalidSettings
from memory.guard import Guard
from memory.models import EmbeddingModel
from memory.settings import (
    LOCAL_DIMENSIONS,
    LOCAL_MODEL,
    OPENAI_EMBEDDING_DIMENSIONS,
    OPENAI_EMBEDDING_MODEL,
    OPENAI_URL,
    Settings,
)
from memory.spending import Spending
from memory.tokens import TokenCounter

NO_KEY = "none"


def wanted_model(settings: Settings, stored: EmbeddingModel | None) -> EmbeddingModel:
    """Which embedding model to use.

    What the settings name; else the one that the database was made for, so that
    adding a key later changes the chat model alone; else, for a new database,
    OpenAI's where there is a key, and the local one where there is none. Raises
    InvalidSettings for a length that the local model does not have.
    """
    name = settings.embedding_model
    length = settings.embedding_dimensions
    if name is None and stored is not None and length in (None, stored.dimensions):
        return stored
    if name is None:
        name = OPENAI_EMBEDDING_MODEL if settings.openai_api_key else LOCAL_MODEL
    usual = LOCAL_DIMENSIONS if name == LOCAL_MODEL else OPENAI_EMBEDDING_DIMENSIONS
    if name == LOCAL_MODEL and length not in (None, usual):
        raise InvalidSettings(
            reason=f"EMBEDDING_DIMENSIONS: {LOCAL_MODEL} has {usual}; leave it out, or name "
            "another model in EMBEDDING_MODEL"
        )
    return EmbeddingModel(name, length or usual)


def refuse_keyless(model: EmbeddingModel, settings: Settings) -> None:
    """Raises InvalidSettings where memories would be sent to a server that nobody named."""
    if model.name != LOCAL_MODEL and not settings.has_model:
        raise InvalidSettings(
            reason=f"the embedding model {model.name} needs OPENAI_API_KEY or OPENAI_BASE_URL; "
            "this database was made for it, so set one of them again, or use another KEEPSAKE_HOME "
            "or DATABASE_URL"
        )


def make_embedder(
    model: EmbeddingModel,
    settings: Settings,
    cache: Cache,
    counter: TokenCounter,
    transport: httpx2.AsyncBaseTransport | None = None,
    *,
    guard: Guard | None = None,
    counters: Counters | None = None,
    tracer: Tracer | None = None,
) -> CachedEmbedder:
    """The embedder of a model, measured, behind its guard and the cache. `transport` stands in for
    the network."""
    counters = counters or Counters()
    spending = Spending(counters, settings.prices)
    made = _make_inner(model, settings, counter, transport, spending)
    inner: Embedder = MeteredEmbedder(made, counters, tracer)
    guarded = inner if guard is None else GuardedEmbedder(inner, guard)
    return CachedEmbedder(guarded, EmbeddingCache(cache))


def _make_inner(
    model: EmbeddingModel,
    settings: Settings,
    counter: TokenCounter,
    transport: httpx2.AsyncBaseTransport | None,
    spending: Spending,
) -> Embedder:
    if model.name == LOCAL_MODEL:
        local = LocalEmbedder()
        local.begin_loading()
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
