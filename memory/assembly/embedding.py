"""The embedder of a model, with what stands around it."""

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
from memory.guard import Guard
from memory.models import EmbeddingModel
from memory.settings import LOCAL_MODEL, OPENAI_URL, Settings
from memory.spending import Spending
from memory.tokens import TokenCounter

NO_KEY = "none"


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
