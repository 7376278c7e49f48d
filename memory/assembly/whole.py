"""A memory put together from a database, an embedder and a cache, and what incognito leaves of
it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.assembly.recalling import make_legs, make_reranking, make_retriever
from memory.assembly.recalling_messages import make_message_retriever
from memory.assembly.writing import (
    make_capacity,
    make_digester,
    make_extractor,
    make_learner,
    make_remember,
)
from memory.cache import Cache, NoCache, RateLimiter, SessionCache
from memory.controls.deleting import Deleting
from memory.controls.entries import Entries
from memory.controls.forgetting import Forgetting
from memory.controls.portability import Portability
from memory.controls.proof import Prover
from memory.controls.said import Said
from memory.controls.taking_back import TakingBack
from memory.counters import Counters
from memory.database import Access, Database
from memory.digests import Digester
from memory.embedders.cached import CachedEmbedder
from memory.embedders.protocol import Embedder
from memory.recall.reranking import Reranker
from memory.recall.retriever import Fingerprint, Retriever
from memory.recall.usage import UsageWriter
from memory.service import Memory
from memory.settings import Settings
from memory.store.audit import Audit
from memory.store.conversation_store import ConversationStore
from memory.store.conversations import Conversations
from memory.store.doubts import Doubts
from memory.store.embeddings import Embeddings
from memory.store.entries import EntryStore
from memory.store.erasing import Erasing
from memory.store.forgetting import ForgettingStore
from memory.store.idempotency import Idempotency
from memory.store.items import Items
from memory.store.learning import LearningMarks
from memory.store.modes import Modes
from memory.store.portability import PortabilityStore
from memory.store.proof import ProofStore
from memory.store.relearning import Relearnable
from memory.store.said import SaidStore
from memory.store.taking_back import TakingBackStore
from memory.store.unstored import UnstoredConversations
from memory.store.usage import Usage
from memory.tokens import TokenCounter
from memory.upkeep.backfill import Backfill
from memory.upkeep.erasure import CachedVectors, Erasure
from memory.upkeep.everyone import Everyone
from memory.upkeep.keeping import Keeping
from memory.upkeep.marks import Marker
from memory.upkeep.relearning import Relearning
from memory.write.candidates import Extractor
from memory.write.reader import MOST_READ, Reader
from memory.write.salience import salience_of


@dataclass(frozen=True)
class _Parts:
    """What every memory of a program is made from."""

    embedder: Embedder
    counter: TokenCounter
    settings: Settings
    digester: Digester
    extractor: Extractor
    counters: Counters
    reader: Reader
    reranker: Reranker | None = None


class NothingCached:
    """CachedVectors of an embedder that caches none."""

    async def forget(self, texts: Sequence[str]) -> bool:
        return True


def make_memory(
    database: Database,
    embedder: Embedder,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    *,
    extractor: Extractor | None = None,
    reranker: Reranker | None = None,
    counters: Counters | None = None,
) -> Memory:
    """The façade over its parts, with the limits of the settings. `extractor` takes the place of
    the rules; `reranker` is asked for a second opinion on every recall."""
    digester = make_digester(settings)
    extractor = extractor or make_extractor(settings)
    counters = counters or Counters()
    parts = _Parts(
        embedder, counter, settings, digester, extractor, counters, Reader(MOST_READ), reranker
    )

    def fingerprint(query: str) -> str:
        return digester.text(query).hex()[:16]

    memory = _make(parts, database, cache, Conversations(database), fingerprint)
    memory.add_private("incognito", _make_private(parts, database, "none"))
    memory.add_private("incognito_read_only", _make_private(parts, database, "read"))
    return memory


def make_everyone(database: Database, embedder: Embedder, settings: Settings) -> Everyone:
    """What the worker needs besides; `database` acts as the worker."""
    marker = Marker(make_digester(settings))
    backfill = Backfill(Embeddings(database), _uncached(embedder))
    return Everyone(backfill, ForgettingStore(database, marker), LearningMarks(database))


def _make_private(parts: _Parts, database: Database, access: Access) -> Memory:
    """Without a cache, a log of questions, or a conversation that outlives the process; nothing
    that was read of it is remembered."""
    bare = _Parts(
        _uncached(parts.embedder),
        parts.counter,
        parts.settings,
        parts.digester,
        parts.extractor,
        parts.counters,
        Reader(0),
        parts.reranker,
    )
    conversations = UnstoredConversations()
    return _make(bare, database.restricted(access), NoCache(), conversations, _no_fingerprint)


def _no_fingerprint(_query: str) -> None:
    return None


def _make(
    parts: _Parts,
    database: Database,
    cache: Cache,
    conversations: ConversationStore,
    fingerprint: Fingerprint,
) -> Memory:
    settings, counters = parts.settings, parts.counters
    marker = Marker(parts.digester)
    # What is kept, named in a command or refused leaves no vector in the cache, where an erasure
    # could not find it: it knows the memory's words and the messages', not those of a repeat.
    uncached = _uncached(parts.embedder)
    remember = make_remember(database, uncached, settings, marker, counters, reader=parts.reader)
    capacity = make_capacity(database, settings, counters)
    usage = UsageWriter(Usage(database))
    forgetting = _make_forgetting(parts, database, cache, marker)
    copies = (_vectors(parts.embedder), SessionCache(cache), cache)
    return Memory(
        access=database.access,
        conversations=conversations,
        items=Items(database),
        retriever=_make_retriever(parts, database, fingerprint, usage),
        usage=usage,
        message_retriever=make_message_retriever(
            database, uncached, parts.counter, settings, fingerprint
        ),
        remember=remember,
        learner=make_learner(database, parts.extractor, remember, settings, counters),
        doubts=Doubts(database, salience_of),
        capacity=capacity,
        backfill=Backfill(Embeddings(database), uncached),
        relearning=Relearning(Relearnable(database)),
        rate_limiter=RateLimiter(cache, settings.memory_queries_per_minute),
        entries=_make_entries(parts, database, marker),
        forgetting=forgetting,
        modes=Modes(database),
        portability=_make_portability(parts, database, cache, Keeping(remember, capacity)),
        audit=Audit(database),
        idempotency=Idempotency(database, parts.digester.text),
        taking_back=TakingBack(TakingBackStore(database), forgetting),
        deleting=Deleting(conversations, *copies),
    )


def _make_retriever(
    parts: _Parts, database: Database, fingerprint: Fingerprint, usage: UsageWriter
) -> Retriever:
    return make_retriever(
        database,
        parts.embedder,
        parts.counter,
        parts.settings,
        fingerprint,
        uncached=_uncached(parts.embedder),
        usage=usage,
        reranking=make_reranking(parts.reranker, parts.counters, parts.settings),
    )


def _make_entries(parts: _Parts, database: Database, marker: Marker) -> Entries:
    return Entries(
        EntryStore(database),
        _uncached(parts.embedder),
        marker,
        embedding_timeout=parts.settings.embedding_timeout_seconds,
        banks=parts.settings.memory_banks,
    )


def _make_portability(
    parts: _Parts, database: Database, cache: Cache, keeping: Keeping
) -> Portability:
    return Portability(
        PortabilityStore(database),
        keeping,
        _vectors(parts.embedder),
        SessionCache(cache),
        cache_file=cache,
        reader=parts.reader,
    )


def _make_forgetting(parts: _Parts, database: Database, cache: Cache, marker: Marker) -> Forgetting:
    legs = make_legs(database, _uncached(parts.embedder), parts.settings)
    vectors, sessions = _vectors(parts.embedder), SessionCache(cache)
    return Forgetting(
        ForgettingStore(database, marker),
        Erasure(Erasing(database), vectors, sessions, cache),
        Prover(ProofStore(database), legs, parts.digester),
        parts.reader,
        Said(SaidStore(database), vectors, sessions, cache, parts.reader),
    )


def _vectors(embedder: Embedder) -> CachedVectors:
    return embedder if isinstance(embedder, CachedEmbedder) else NothingCached()


def _uncached(embedder: Embedder) -> Embedder:
    return embedder.inner if isinstance(embedder, CachedEmbedder) else embedder
