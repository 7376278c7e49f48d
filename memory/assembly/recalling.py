"""The recall, put together."""

from __future__ import annotations

from memory.clock import Clock, local_clock
from memory.counters import Counters
from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.recall.choice.ranking import PRESETS, Ranking
from memory.recall.choice.reranking import Reranker, Reranking
from memory.recall.choice.selection import Choice
from memory.recall.failing_closed import Fingerprint
from memory.recall.retriever import Retriever
from memory.recall.search.legs import Legs
from memory.recall.search.relevance import Calibration, load_calibration
from memory.recall.usage import UsageWriter
from memory.settings import Settings
from memory.store.memories.likeness import Likeness
from memory.store.memories.search import Search
from memory.tokens import TokenCounter


def make_legs(database: Database, embedder: Embedder, settings: Settings) -> Legs:
    return Legs(
        Search(database),
        embedder,
        embedding_timeout=settings.embedding_timeout_seconds,
        search_timeout=settings.recall_timeout_seconds,
    )


def make_retriever(
    database: Database,
    embedder: Embedder,
    counter: TokenCounter,
    settings: Settings,
    fingerprint: Fingerprint,
    *,
    uncached: Embedder,
    usage: UsageWriter | None = None,
    reranking: Reranking | None = None,
    calibration: Calibration | None = None,
    clock: Clock = local_clock,
) -> Retriever:
    """With the calibration of the embedding model, where none is given."""
    return Retriever(
        Search(database),
        make_legs(database, embedder, settings),
        calibration=calibration or load_calibration(embedder.model),
        counter=counter,
        token_budget=settings.token_budget,
        fingerprint=fingerprint,
        choice=_choice(database, settings, reranking),
        usage=usage,
        rrf_k=settings.rrf_k,
        derived=make_legs(database, uncached, settings),
        clock=clock,
    )


def _choice(database: Database, settings: Settings, reranking: Reranking | None) -> Choice:
    return Choice(
        ranking=ranking_of(settings),
        diversity=1 - settings.mmr_lambda,
        likeness=Likeness(database),
        reranking=reranking,
    )


def make_reranking(
    reranker: Reranker | None, counters: Counters, settings: Settings
) -> Reranking | None:
    """None without a reranker, so that a recall spends nothing on it."""
    if reranker is None:
        return None
    return Reranking(
        reranker,
        counters,
        skip_above=settings.rerank_skip_above,
        timeout=settings.rerank_timeout_seconds,
    )


def ranking_of(settings: Settings) -> Ranking:
    """The preset with what the settings name in its place."""
    named = {
        "alpha": settings.relevance_weight,
        "beta": settings.recency_weight,
        "gamma": settings.importance_weight,
        "recency": settings.recency_curve,
        "recency_days": settings.recency_days,
        "usage": settings.usage_rule,
        "importance_half_life_days": settings.importance_half_life_days,
        "usage_half_life_days": settings.usage_half_life_days,
    }
    wanted = {name: value for name, value in named.items() if value is not None}
    return Ranking.model_validate(PRESETS[settings.ranking_preset].model_dump() | wanted)
