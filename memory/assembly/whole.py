"""A memory put together from a database, an embedder and a cache, and what incognito leaves of
it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from opentelemetry.trace import Tracer

from memory.assembly.controlling import (
    make_entries,
    make_episodes,
    make_forgetting,
    make_parting,
    make_portability,
)
from memory.assembly.gates import make_recalling
from memory.assembly.living import make_lifecycle
from memory.assembly.parts import Parts, Places, cached_vectors, uncached, unguarded
from memory.assembly.writing import (
    make_capacity,
    make_digester,
    make_learner,
    make_preparer,
    make_rests,
    make_writing,
)
from memory.cache import Cache, NoCache, SessionCache
from memory.clock import Clock, local_clock
from memory.controls.deleting import Deleting
from memory.controls.restoring import Restoring
from memory.controls.taking_back import TakingBack
from memory.counters import Counters
from memory.database import Access, Database
from memory.digests import Digester
from memory.embedders.protocol import Embedder
from memory.recall.choice.reranking import Reranker
from memory.service import Memory
from memory.settings import Settings
from memory.store.audit import Audit
from memory.store.conversations.conversations import Conversations
from memory.store.conversations.learning import LearningMarks
from memory.store.conversations.privacy_marks import PrivacyMarks
from memory.store.conversations.taking_back import TakingBackStore
from memory.store.conversations.unstored import UnstoredConversations
from memory.store.forgetting.forgetting import ForgettingStore
from memory.store.idempotency import Idempotency
from memory.store.jobs.queue import JobQueue
from memory.store.memories.doubts import Doubts
from memory.store.memories.items import Items
from memory.store.modes import Modes
from memory.store.vectors.embeddings import Embeddings
from memory.tokens import TokenCounter
from memory.understanding import SecondReader
from memory.upkeep.across_users import Everyone
from memory.upkeep.backfill import Backfill
from memory.upkeep.copies import Copies
from memory.upkeep.marks import Marker
from memory.upkeep.rolling_up.summariser import Summariser
from memory.write.pairs import Pairs
from memory.write.salience import salience_of


def make_memory(
    database: Database,
    embedder: Embedder,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    *,
    second_reader: SecondReader | None = None,
    reranker: Reranker | None = None,
    counters: Counters | None = None,
    tracer: Tracer | None = None,
    summariser: Summariser | None = None,
    clock: Clock = local_clock,
) -> Memory:
    """The façade over its parts, with the limits of the settings. `second_reader` reads closer what
    is learned from; `reranker` is asked for a second opinion on every recall, `summariser` for the
    words of roll-ups; `clock` says what day it is."""
    digester, counters = make_digester(settings), counters or Counters()
    parts = Parts(
        embedder, counter, settings, digester, counters, second_reader, reranker, tracer, summariser
    )
    parts = replace(parts, clock=clock)
    marks, fingerprint = PrivacyMarks(database, counters), partial(_fingerprint, digester)
    places = Places(database, cache, Conversations(database), marks, fingerprint)
    memory = _make(parts, places)
    memory.add_private("incognito", _make_private(parts, places, "none"))
    memory.add_private("incognito_read_only", _make_private(parts, places, "read"))
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


def _make_private(parts: Parts, places: Places, access: Access) -> Memory:
    """Without a cache, a log of questions, or a conversation that outlives the process; nothing
    that was read of it is remembered."""
    pairs = Pairs(most=0)
    bare = replace(parts, embedder=uncached(parts.embedder), summariser=None, pairs=pairs)
    unkept = replace(
        places,
        database=places.database.restricted(access),
        cache=NoCache(),
        conversations=UnstoredConversations(),
        fingerprint=_no_fingerprint,
    )
    return _make(bare, unkept)


def _fingerprint(digester: Digester, query: str) -> str:
    return digester.text(query).hex()[:16]


def _no_fingerprint(_query: str) -> None:
    return None


def _make(parts: Parts, places: Places) -> Memory:
    database, marker = places.database, Marker(parts.digester)
    capacity = make_capacity(parts, database)
    writing = make_writing(parts, database, marker, capacity)
    copies = Copies(cached_vectors(parts.embedder), SessionCache(places.cache), places.cache)
    forgetting = make_forgetting(parts, database, copies, marker)
    entries = make_entries(parts, database, marker)
    doubts = Doubts(database, salience_of, make_rests(make_preparer(parts)).of)
    return Memory(
        access=database.access,
        conversations=places.conversations,
        items=Items(database),
        recalling=make_recalling(parts, places),
        writing=writing,
        learner=make_learner(parts, database, writing.remember),
        lifecycle=make_lifecycle(parts, database, capacity),
        entries=entries,
        doubts=doubts,
        forgetting=forgetting,
        parting=make_parting(parts, database, marker),
        restoring=Restoring(forgetting, entries, capacity, doubts),
        modes=Modes(database, parts.counters),
        portability=make_portability(parts, database, writing, marker, copies),
        audit=Audit(database),
        idempotency=Idempotency(database, parts.digester.text),
        taking_back=TakingBack(TakingBackStore(database), forgetting),
        deleting=Deleting(places.conversations, copies),
        privacy_marks=places.privacy_marks,
        episodes=make_episodes(parts, database),
    )
