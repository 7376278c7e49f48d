"""The recall over past messages, put together."""

from __future__ import annotations

from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.recall.failing_closed import Fingerprint
from memory.recall.messages.relevance import MessageCalibration, load_message_calibration
from memory.recall.messages.retriever import MessageRetriever
from memory.recall.search.legs import TwoLegs
from memory.settings import Settings
from memory.store.conversations.message_search import MessageScope, MessageSearch
from memory.store.forgetting.erasing import Erasing
from memory.store.modes import Modes
from memory.tokens import TokenCounter
from memory.upkeep.message_removal import decide


def make_message_retriever(
    database: Database,
    embedder: Embedder,
    counter: TokenCounter,
    settings: Settings,
    fingerprint: Fingerprint,
    *,
    calibration: MessageCalibration | None = None,
) -> MessageRetriever:
    """With the calibration of the embedding model, where none is given. `embedder` is to be one
    that caches nothing: what a question is about is not a form in which an erasure looks for what
    was cached of it."""
    search = MessageSearch(database)
    legs = TwoLegs[MessageScope](
        search,
        embedder,
        embedding_timeout=settings.embedding_timeout_seconds,
        search_timeout=settings.recall_timeout_seconds,
    )
    return MessageRetriever(
        search,
        legs,
        Erasing(database),
        Modes(database),
        decide=decide,
        calibration=calibration or load_message_calibration(embedder.model),
        counter=counter,
        token_budget=settings.token_budget,
        fingerprint=fingerprint,
    )
