"""What every memory of a program is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from opentelemetry.trace import Tracer

from memory.cache import Cache
from memory.clock import Clock, local_clock
from memory.counters import Counters
from memory.database import Database
from memory.digests import Digester
from memory.embedders.cached import CachedEmbedder
from memory.embedders.current import CurrentEmbedder
from memory.embedders.guarded import GuardedEmbedder
from memory.embedders.protocol import Embedder
from memory.recall.choice.reranking import Reranker
from memory.recall.failing_closed import Fingerprint
from memory.settings import Settings
from memory.store.conversations.conversation_store import ConversationStore
from memory.store.conversations.privacy_marks import PrivacyMarks
from memory.tokens import TokenCounter
from memory.understanding import SecondReader
from memory.upkeep.copies import CachedVectors
from memory.upkeep.rolling_up.summariser import Summariser
from memory.write.pairs import Pairs


@dataclass(frozen=True)
class Parts:
    """`second_reader` reads messages closer, `reranker` is asked for a second opinion, and
    `summariser` for the words of a roll-up, where there is one."""

    embedder: Embedder
    counter: TokenCounter
    settings: Settings
    digester: Digester
    counters: Counters
    second_reader: SecondReader | None = None
    reranker: Reranker | None = None
    tracer: Tracer | None = None
    summariser: Summariser | None = None
    pairs: Pairs = field(default_factory=Pairs)
    clock: Clock = local_clock


@dataclass(frozen=True)
class Places:
    """Where a memory has what it keeps, and under which name a question is noted: an incognito one
    keeps less."""

    database: Database
    cache: Cache
    conversations: ConversationStore
    privacy_marks: PrivacyMarks
    fingerprint: Fingerprint


class NothingCached:
    """CachedVectors of an embedder that caches none."""

    async def forget(self, texts: Sequence[str]) -> bool:
        return True


def cached_vectors(embedder: Embedder) -> CachedVectors:
    if isinstance(embedder, CachedEmbedder | CurrentEmbedder):
        return embedder
    return NothingCached()


def uncached(embedder: Embedder) -> Embedder:
    if isinstance(embedder, CurrentEmbedder):
        return embedder.seen_as(uncached)
    return embedder.inner if isinstance(embedder, CachedEmbedder) else embedder


def unguarded(embedder: Embedder) -> Embedder:
    """For the worker, which has pauses of its own between its tries and keeps nobody waiting."""
    if isinstance(embedder, CurrentEmbedder):
        return embedder.seen_as(unguarded)
    inner = uncached(embedder)
    return inner.inner if isinstance(inner, GuardedEmbedder) else inner
