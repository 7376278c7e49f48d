"""A memory put together from a database, an embedder and a cache, and what incognito leaves of
it."""

from __future__ import annotations

from opentelemetry.trace import Tracer

from memory.assembly.controlling import make_entries, make_episodes, make_forgetting
from memory.assembly.living import make_lifecycle
from memory.assembly.parts import Parts, cached_vectors, uncached, unguarded
from memory.assembly.recalling import make_reranking, make_retriever
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
from memory.controls.portability import Portability
from memory.controls.taking_back import TakingBack
from memory.counters import Counters
from memory.database import Access, Database
from memory.embedders.protocol import Embedder
from memory.recall.choice.reranking import Reranker
from memory.recall.failing_closed import Fingerprint
from memory.recall.gate import Gate
from memory.recall.metered import MeteredGate
from memory.recall.per_model import PerModel
from memory.recall.retriever import Retriever
from memory.recall.usage import UsageWriter
from memory.recalls import MemoryQueryResponse, MessageQueryResponse
from memory.service import Memory
from memory.settings import Settings
from memory.store.audit import Audit
from memory.store.conversation_store import ConversationStore
from memory.store.conversations import Conversations
from memory.store.doubts import Doubts
from memory.store.embeddings import Embeddings
from memory.store.forgetting import ForgettingStore
from memory.store.idempotency import Idempotency
from memory.store.items import Items
from memory.store.job_queue import JobQueue
from memory.store.learning import LearningMarks
from memory.store.modes import Modes
from memory.store.portability import PortabilityStore
from memory.store.privacy_marks import PrivacyMarks
from memory.store.relearning import Relearnable
from memory.store.taking_back import TakingBackStore
from memory.store.unstored import UnstoredConversations
from memory.store.usage import Usage
from memory.tokens import TokenCounter
from memory.upkeep.backfill import Backfill
from memory.upkeep.copies import Copies
from memory.upkeep.everyone import Everyone
from memory.upkeep.keeping import Keeping
from memory.upkeep.marks import Marker
from memory.upkeep.relearning import Relearning
from memory.upkeep.rolling_up.summariser import Summariser
from memory.write.candidates import Extractor
from memory.write.reader import MOST_READ, Reader
from memory.write.salience import salience_of


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
    tracer: Tracer | None = None,
    summariser: Summariser | None = None,
) -> Memory:
    """The façade over its parts, with the limits of the settings. `extractor` takes the place of
    the rules; `reranker` is asked for a second opinion on every recall, `summariser` for the words
    of roll-ups."""
    digester = make_digester(settings)
    extractor = extractor or make_extractor(settings)
    counters = counters or Counters()
    parts = Parts(
        embedder,
        counter,
        settings,
        digester,
        extractor,
        counters,
        Reader(MOST_READ),
        PrivacyMarks(database, counters),
        reranker,
        tracer,
        summariser,
    )

    def fingerprint(query: str) -> str:
        return digester.text(query).hex()[:16]

    memory = _make(parts, database, cache, Conversations(database), fingerprint)
    memory.add_private("incognito", _make_private(parts, database, "none"))
    memory.add_private("incognito_read_only", _make_private(parts, database, "read"))
    return memory


def make_everyone(
    database: Database, embedder: Embedder, settings: Settings, counters: Counters | None = None
) -> Everyone:
    """What the worker needs besides; `database` acts as the worker."""
    digester = make_digester(settings)
    backfill = Backfill(Embeddings(database), unguarded(embedder), counters)
    return Everyone(
        JobQueue(database),
        backfill,
        ForgettingStore(database, Marker(digester)),
        LearningMarks(database),
        Idempotency(database, digester.text),
    )


def _make_private(parts: Parts, database: Database, access: Access) -> Memory:
    """Without a cache, a log of questions, or a conversation that outlives the process; nothing
    that was read of it is remembered."""
    bare = Parts(
        uncached(parts.embedder),
        parts.counter,
        parts.settings,
        parts.digester,
        parts.extractor,
        parts.counters,
        Reader(0),
        parts.privacy_marks,
        parts.reranker,
        parts.tracer,
    )
    conversations = UnstoredConversations()
    return _make(bare, database.restricted(access), NoCache(), conversations, _no_fingerprint)


def _no_fingerprint(_query: str) -> None:
    return None


def _make(
    parts: Parts,
    database: Database,
    cache: Cache,
    conversations: ConversationStore,
    fingerprint: Fingerprint,
) -> Memory:
    settings, counters = parts.settings, parts.counters
    marker = Marker(parts.digester)
    # What is kept, named in a command or refused leaves no vector in the cache, where an erasure
    # could not find it: it knows the memory's words and the messages', not those of a repeat.
    embedder = uncached(parts.embedder)
    remember = make_remember(
        database, embedder, settings, marker, counters, reader=parts.reader, tracer=parts.tracer
    )
    capacity = make_capacity(database, settings, counters)
    usage = UsageWriter(Usage(database))
    limiter = RateLimiter(cache, settings.memory_queries_per_minute)
    copies = Copies(cached_vectors(parts.embedder), SessionCache(cache), cache)
    forgetting = make_forgetting(parts, database, copies, marker)
    return Memory(
        access=database.access,
        conversations=conversations,
        items=Items(database),
        memories=MeteredGate(
            Gate(
                PerModel(embedder, lambda: _make_retriever(parts, database, fingerprint, usage)),
                database.access,
                limiter,
                MemoryQueryResponse,
            ),
            "memories",
            counters,
            parts.tracer,
        ),
        usage=usage,
        messages=MeteredGate(
            Gate(
                PerModel(
                    embedder,
                    lambda: make_message_retriever(
                        database, embedder, parts.counter, settings, fingerprint
                    ),
                ),
                database.access,
                limiter,
                MessageQueryResponse,
            ),
            "messages",
            counters,
            parts.tracer,
        ),
        remember=remember,
        learner=make_learner(database, parts.extractor, remember, settings, counters),
        doubts=Doubts(database, salience_of),
        capacity=capacity,
        lifecycle=make_lifecycle(parts, database, capacity),
        backfill=Backfill(Embeddings(database), embedder, counters),
        relearning=Relearning(Relearnable(database)),
        entries=make_entries(parts, database, marker),
        forgetting=forgetting,
        modes=Modes(database, counters),
        portability=Portability(
            PortabilityStore(database), Keeping(remember, capacity), copies, parts.reader
        ),
        audit=Audit(database),
        idempotency=Idempotency(database, parts.digester.text),
        taking_back=TakingBack(TakingBackStore(database), forgetting),
        deleting=Deleting(conversations, copies),
        privacy_marks=parts.privacy_marks,
        episodes=make_episodes(parts, database),
    )


def _make_retriever(
    parts: Parts, database: Database, fingerprint: Fingerprint, usage: UsageWriter
) -> Retriever:
    return make_retriever(
        database,
        parts.embedder,
        parts.counter,
        parts.settings,
        fingerprint,
        uncached=uncached(parts.embedder),
        usage=usage,
        reranking=make_reranking(parts.reranker, parts.counters, parts.settings),
    )
