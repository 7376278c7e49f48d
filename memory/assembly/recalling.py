"""The recall, put together."""

from __future__ import annotations

from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.recall.legs import Legs
from memory.recall.relevance import load_calibration
from memory.recall.retriever import Fingerprint, Retriever
from memory.settings import Settings
from memory.store.search import Search
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
) -> Retriever:
    return Retriever(
        Search(database),
        make_legs(database, embedder, settings),
        calibration=load_calibration(embedder.model),
        counter=counter,
        token_budget=settings.token_budget,
        fingerprint=fingerprint,
    )
