"""Puts the memory together: the only place where its parts meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from opentelemetry.trace import Tracer

from memory.actions.entries import Entries
from memory.actions.episodes import EpisodeService
from memory.actions.forgetting.cache_invalidation import (
    CachedVectors,
    CacheInvalidator,
    ForgettingListeners,
)
from memory.actions.forgetting.erasure import ConversationRemoval, Erasure, plan_removal
from memory.actions.forgetting.partial import MemoryCutter
from memory.actions.forgetting.proof import ErasureProver, TombstoneDigester
from memory.actions.forgetting.service import ForgettingService, MemoryRestorer, TurnRetraction
from memory.actions.forgetting.transcript_redaction import TranscriptRedactor
from memory.actions.portability import ExportImporter, Portability
from memory.cache import Cache, NullCache, RateLimiter, SessionCache
from memory.clock import Clock, local_clock
from memory.config import Settings
from memory.config.digest_key import load_digest_key
from memory.config.retention_rules import parse_retention_rules
from memory.dates import resolve_dates
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.factory import require_configured
from memory.embeddings.model_switch import ActiveEmbedder, ModelSwitch, OpenModel
from memory.embeddings.protocol import Embedder
from memory.embeddings.resilient import CircuitBreakerEmbedder
from memory.fingerprints import KeyedDigester
from memory.ingestion.classification import salience_of
from memory.ingestion.deduplication import RelationCache
from memory.ingestion.extraction import OfflineExtractor
from memory.ingestion.learner import Learner
from memory.ingestion.preparation import MemoryPreparer
from memory.ingestion.remainders import RemainderFinder
from memory.ingestion.second_reading import SecondReading
from memory.ingestion.writer import MemoryWriter
from memory.maintenance.backfill import FingerprintBackfill, VectorBackfill
from memory.maintenance.capacity import Capacity, CappedWriter
from memory.maintenance.clusters import ClusterRules
from memory.maintenance.consolidation import Consolidation, ConsolidationRules
from memory.maintenance.retention import (
    Cleanup,
    IndexMaintenance,
    IndexTimes,
    RecordExpiry,
    Retention,
    RetentionTimes,
)
from memory.maintenance.service import Maintenance, WorkerQueries
from memory.maintenance.summaries import Summariser, SummaryWriter
from memory.metrics import MemoryMetrics
from memory.retrieval.answers import AnswerReader, ConfidenceBounds
from memory.retrieval.hybrid_search import HybridSearch, MemoryHybridSearch
from memory.retrieval.memory_retriever import MemoryRetriever
from memory.retrieval.message_relevance import MessageCalibration, load_message_calibration
from memory.retrieval.message_retriever import MessageRetriever
from memory.retrieval.ranking import PRESETS, Ranking
from memory.retrieval.relevance import Calibration, load_calibration
from memory.retrieval.reranking import Reranker, Reranking
from memory.retrieval.selection import SelectionOptions
from memory.retrieval.service import Fingerprint, RecallService
from memory.retrieval.usage import UsageWriter
from memory.service import MemoryService, RecallParts, WriteParts
from memory.store.audit import AuditStore
from memory.store.conflicts import ConflictStore
from memory.store.conversations import (
    ConversationStore,
    DatabaseConversations,
    PrivacyFlags,
    RetractionStore,
)
from memory.store.database import Access, Database
from memory.store.episodes import EpisodeRules, EpisodeStore, EpisodeTaskIndex
from memory.store.erasure import ErasureProofStore, ErasureStore, TranscriptStore
from memory.store.forgetting import ForgettingStore, PartialForgettingStore
from memory.store.idempotency import IdempotencyStore
from memory.store.incognito_conversations import IncognitoConversations
from memory.store.jobs import JobQueue
from memory.store.lifecycle import CleanupStore, ExpiryStore, RetentionStore, RollUpStore
from memory.store.memories import MemoryStore, MemoryUsage
from memory.store.memory_entries import MemoryEntryStore
from memory.store.messages import LearningQueue
from memory.store.portability import ImportStore, PortabilityStore
from memory.store.remainders import FindRemainders
from memory.store.search import MemorySearch, MessageScope, MessageSearch, PairSimilarity
from memory.store.spaces import SpaceSettingsStore, UsersWithData
from memory.store.vectors import (
    IndexStore,
    MissingFingerprintStore,
    MissingVectorStore,
    read_embedding_profile,
)
from memory.tokens import TokenCounter
from memory.types import (
    EmbeddingModel,
)
from memory.understanding import OfflineReader, SecondReader


@dataclass(frozen=True)
class MemoryResources:
    """What every memory of a program is made from. `reranker` is asked for a second opinion,
    `summariser` for the words of a roll-up, and `reader` reads messages again, where there is one.
    """

    embedder: Embedder
    counter: TokenCounter
    settings: Settings
    digester: KeyedDigester
    counters: MemoryMetrics
    reranker: Reranker | None = None
    tracer: Tracer | None = None
    summariser: Summariser | None = None
    reader: SecondReader | None = None
    pairs: RelationCache = field(default_factory=RelationCache)
    answers: AnswerReader = field(default_factory=AnswerReader)
    clock: Clock = local_clock


@dataclass(frozen=True)
class MemoryStorage:
    """Where a memory has what it keeps, and under which name a question is noted: an incognito one
    keeps less."""

    database: Database
    cache: Cache
    conversations: ConversationStore
    privacy_marks: PrivacyFlags
    fingerprint: Fingerprint


class NullVectorCache:
    """CachedVectors of an embedder that caches none."""

    async def forget(self, texts: Sequence[str]) -> bool:
        return True


def cached_vectors_of(embedder: Embedder) -> CachedVectors:
    if isinstance(embedder, CachedEmbedder | ActiveEmbedder):
        return embedder
    return NullVectorCache()


def without_cache(embedder: Embedder) -> Embedder:
    if isinstance(embedder, ActiveEmbedder):
        return embedder.seen_as(without_cache)
    return embedder.inner if isinstance(embedder, CachedEmbedder) else embedder


def without_circuit_breaker(embedder: Embedder) -> Embedder:
    """For the worker, which has pauses of its own between its tries and keeps nobody waiting."""
    if isinstance(embedder, ActiveEmbedder):
        return embedder.seen_as(without_circuit_breaker)
    inner = without_cache(embedder)
    return inner.inner if isinstance(inner, CircuitBreakerEmbedder) else inner


def make_hybrid_search(
    database: Database, embedder: Embedder, settings: Settings
) -> MemoryHybridSearch:
    return MemoryHybridSearch(
        MemorySearch(database),
        embedder,
        embedding_timeout=settings.embedding_timeout_seconds,
        search_timeout=settings.recall_timeout_seconds,
    )


def make_retriever(
    database: Database,
    embedder: Embedder,
    counter: TokenCounter,
    settings: Settings,
    *,
    uncached: Embedder,
    usage: UsageWriter | None = None,
    reader: AnswerReader | None = None,
    reranking: Reranking | None = None,
    calibrate: Callable[[str], Calibration] = load_calibration,
    clock: Clock = local_clock,
) -> MemoryRetriever:
    return MemoryRetriever(
        MemorySearch(database),
        make_hybrid_search(database, embedder, settings),
        calibrate=calibrate,
        counter=counter,
        token_budget=settings.token_budget,
        choice=_choice(database, settings, reader, reranking),
        usage=usage,
        rrf_k=settings.rrf_k,
        derived=make_hybrid_search(database, uncached, settings),
        clock=clock,
    )


def _choice(
    database: Database,
    settings: Settings,
    reader: AnswerReader | None,
    reranking: Reranking | None,
) -> SelectionOptions:
    return SelectionOptions(
        ranking=make_ranking(settings),
        diversity=1 - settings.mmr_lambda,
        bounds=ConfidenceBounds(settings.high_confidence, settings.possible_confidence),
        likeness=PairSimilarity(database),
        reader=reader,
        reranking=reranking,
    )


def make_reranking(
    reranker: Reranker | None, counters: MemoryMetrics, settings: Settings
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


def make_ranking(settings: Settings) -> Ranking:
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


def make_message_retriever(
    database: Database,
    embedder: Embedder,
    counter: TokenCounter,
    settings: Settings,
    *,
    calibrate: Callable[[str], MessageCalibration] = load_message_calibration,
) -> MessageRetriever:
    """`embedder` is to be one that caches nothing: what a question is about is not a form in which
    an erasure looks for what was cached of it."""
    search = MessageSearch(database)
    legs = HybridSearch[MessageScope](
        search,
        embedder,
        embedding_timeout=settings.embedding_timeout_seconds,
        search_timeout=settings.recall_timeout_seconds,
    )
    return MessageRetriever(
        search,
        legs,
        ErasureStore(database),
        decide=plan_removal,
        calibrate=calibrate,
        counter=counter,
        token_budget=settings.token_budget,
    )


def make_recalling(parts: MemoryResources, places: MemoryStorage) -> RecallParts:
    """Both behind one limit of recalls a minute."""
    settings, database = parts.settings, places.database
    usage, uncached = UsageWriter(MemoryUsage(database)), without_cache(parts.embedder)
    memories = make_retriever(
        database,
        parts.embedder,
        parts.counter,
        settings,
        uncached=uncached,
        usage=usage,
        reader=parts.answers,
        reranking=make_reranking(parts.reranker, parts.counters, settings),
        clock=parts.clock,
    )
    service = RecallService(
        memories,
        make_message_retriever(database, uncached, parts.counter, settings),
        SpaceSettingsStore(database),
        database.access,
        RateLimiter(places.cache, settings.memory_queries_per_minute),
        fingerprint=places.fingerprint,
        timeout=settings.recall_timeout_seconds,
        counters=parts.counters,
        tracer=parts.tracer,
    )
    return RecallParts(service, parts.answers, usage)


# What is left of the time for learning is for keeping what was found.
_EXTRACTION_SHARE = 0.75


def make_digester(settings: Settings) -> KeyedDigester:
    """With this installation's key."""
    return KeyedDigester(load_digest_key(settings))


def make_offline_extractor(settings: Settings) -> OfflineExtractor:
    return OfflineExtractor(
        OfflineReader(),
        resolve=resolve_dates,
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
        min_chars=settings.learn_min_chars,
        roles=settings.learn_roles,
    )


def make_writing(
    parts: MemoryResources, database: Database, marker: TombstoneDigester, capacity: Capacity
) -> WriteParts:
    """What is kept leaves no vector in the cache, where an erasure could not find it: it knows the
    memory's words and the messages', not those of a repeat."""
    remember = make_remember(parts, database, marker)
    return WriteParts(
        remember,
        CappedWriter(remember, capacity),
        VectorBackfill(MissingVectorStore(database), without_cache(parts.embedder), parts.counters),
        FingerprintBackfill(MissingFingerprintStore(database)),
    )


def make_remember(
    parts: MemoryResources, database: Database, marker: TombstoneDigester
) -> MemoryWriter:
    preparer = make_preparer(parts)
    return MemoryWriter(
        database,
        preparer,
        marker,
        parts.counters,
        parts.pairs,
        remainders=make_remainders(preparer),
        tracer=parts.tracer,
    )


def make_remainders(preparer: MemoryPreparer) -> FindRemainders:
    return RemainderFinder(preparer).find


def make_preparer(parts: MemoryResources) -> MemoryPreparer:
    settings = parts.settings
    return MemoryPreparer(
        without_cache(parts.embedder),
        OfflineReader(),
        embedding_timeout=settings.embedding_timeout_seconds * 2,
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
        clock=parts.clock,
    )


def make_learner(parts: MemoryResources, database: Database, remember: MemoryWriter) -> Learner:
    settings, reader = parts.settings, parts.reader
    return Learner(
        LearningQueue(database),
        make_offline_extractor(settings),
        remember,
        parts.counters,
        second=SecondReading(reader, database, make_preparer(parts)) if reader else None,
        extraction_timeout=settings.learn_timeout_seconds * _EXTRACTION_SHARE,
        shortcut=settings.learn_shortcut,
    )


def make_capacity(parts: MemoryResources, database: Database) -> Capacity:
    return Capacity(
        database,
        parts.counters,
        cap=parts.settings.memory_cap,
        strategy=parts.settings.prune_strategy,
        batch=parts.settings.prune_batch_size,
        clock=parts.clock,
    )


def make_entries(parts: MemoryResources, database: Database, marker: TombstoneDigester) -> Entries:
    return Entries(
        MemoryEntryStore(database),
        without_cache(parts.embedder),
        marker,
        embedding_timeout=parts.settings.embedding_timeout_seconds,
        banks=parts.settings.memory_banks,
        counters=parts.counters,
        relate=parts.pairs,
    )


def make_parting(
    parts: MemoryResources, database: Database, marker: TombstoneDigester
) -> MemoryCutter:
    return MemoryCutter(
        PartialForgettingStore(database),
        without_cache(parts.embedder),
        marker,
        embedding_timeout=parts.settings.embedding_timeout_seconds,
    )


def make_episodes(parts: MemoryResources, database: Database) -> EpisodeService:
    """Whose vectors are cached nowhere, so that what is removed leaves none behind."""
    settings = parts.settings
    rules = EpisodeRules(
        settings.episode_midpoint, settings.episode_value_threshold, settings.episode_cap
    )
    return EpisodeService(
        EpisodeStore(database, rules),
        EpisodeTaskIndex(database),
        ErasureStore(database),
        without_cache(parts.embedder),
        embedding_timeout=settings.embedding_timeout_seconds,
        enabled=settings.episodes_enabled,
    )


def make_forgetting(
    parts: MemoryResources, database: Database, copies: CacheInvalidator, marker: TombstoneDigester
) -> ForgettingService:
    legs = make_hybrid_search(database, without_cache(parts.embedder), parts.settings)
    hearers = ForgettingListeners()
    return ForgettingService(
        ForgettingStore(database, marker),
        Erasure(ErasureStore(database), copies),
        ErasureProver(ErasureProofStore(database), legs, parts.digester),
        parts.pairs,
        TranscriptRedactor(TranscriptStore(database), copies, parts.pairs, hearers),
        hearers=hearers,
        counters=parts.counters,
        clock=parts.clock,
    )


def make_portability(
    parts: MemoryResources,
    database: Database,
    writing: WriteParts,
    marker: TombstoneDigester,
    copies: CacheInvalidator,
) -> Portability:
    importing = ExportImporter(ImportStore(database), marker, make_preparer(parts))
    store = PortabilityStore(database)
    return Portability(store, writing.keeping, importing, copies, parts.pairs)


def make_lifecycle_jobs(
    parts: MemoryResources, database: Database, capacity: Capacity
) -> Maintenance:
    settings = parts.settings
    return Maintenance(
        rolling_up=_make_rolling_up(parts, database),
        retention=Retention(RetentionStore(database), retention_times(settings)),
        cleanup=Cleanup(CleanupStore(database)),
        indexes=IndexMaintenance(IndexStore(database), index_times(settings)),
        expiry=RecordExpiry(
            ExpiryStore(database),
            audit=timedelta(days=settings.audit_days),
            tombstones=timedelta(days=settings.tombstone_days),
        ),
        capacity=capacity,
        residents=UsersWithData(database),
    )


def roll_up_rules(settings: Settings) -> ConsolidationRules:
    grouping = ClusterRules(
        settings.roll_up_strategy,
        settings.roll_up_similarity,
        settings.roll_up_min_size,
        settings.roll_up_max_size,
    )
    age = timedelta(days=settings.roll_up_min_age_days)
    return ConsolidationRules(age, grouping, settings.roll_ups_a_night, settings.roll_up_found)


def retention_times(settings: Settings) -> RetentionTimes:
    return RetentionTimes(
        timedelta(days=settings.retention_days),
        timedelta(days=settings.retention_undo_days),
        parse_retention_rules(settings.retention_rules or ""),
    )


def index_times(settings: Settings) -> IndexTimes:
    return IndexTimes(
        timedelta(days=settings.vector_age_days),
        timedelta(days=settings.replaced_vector_age_days),
        settings.keyword_level,
        timedelta(days=settings.keyword_age_days),
    )


def _make_rolling_up(parts: MemoryResources, database: Database) -> Consolidation:
    settings = parts.settings
    return Consolidation(
        RollUpStore(database),
        SummaryWriter(parts.summariser, timeout=settings.openai_timeout_seconds),
        parts.counters,
        roll_up_rules(settings),
    )


def make_succession(
    first: EmbeddingModel, open_model: OpenModel, database: Database, settings: Settings
) -> ModelSwitch:
    """Begins with the embedder of `first`; what the settings do not suffice for is not opened."""

    def open_usable(model: EmbeddingModel) -> Embedder:
        require_configured(model, settings)
        return open_model(model)

    return ModelSwitch(open_model(first), open_usable, partial(read_embedding_profile, database))


def make_memory(
    database: Database,
    embedder: Embedder,
    cache: Cache,
    counter: TokenCounter,
    settings: Settings,
    *,
    reader: SecondReader | None = None,
    reranker: Reranker | None = None,
    counters: MemoryMetrics | None = None,
    tracer: Tracer | None = None,
    summariser: Summariser | None = None,
    clock: Clock = local_clock,
) -> MemoryService:
    """The service over its parts, with the limits of the settings. `reader` reads again what the
    offline reader has read; `reranker` is asked for a second opinion on every recall, `summariser`
    for the words of roll-ups; `clock` says what day it is."""
    digester, counters = make_digester(settings), counters or MemoryMetrics()
    parts = MemoryResources(
        embedder, counter, settings, digester, counters, reranker, tracer, summariser, reader
    )
    parts = replace(parts, clock=clock)
    parts.answers.preload()
    marks, fingerprint = PrivacyFlags(database, counters), partial(_fingerprint, digester)
    places = MemoryStorage(database, cache, DatabaseConversations(database), marks, fingerprint)
    memory = _make_service(parts, places)
    memory.add_private("incognito", _make_incognito_service(parts, places, "none"))
    memory.add_private("incognito_read_only", _make_incognito_service(parts, places, "read"))
    return memory


def make_worker_queries(
    database: Database,
    embedder: Embedder,
    settings: Settings,
    counters: MemoryMetrics | None = None,
) -> WorkerQueries:
    """What the worker needs besides; `database` acts as the worker."""
    digester = make_digester(settings)
    backfill = VectorBackfill(
        MissingVectorStore(database), without_circuit_breaker(embedder), counters
    )
    return WorkerQueries(
        JobQueue(database),
        backfill,
        ForgettingStore(database, TombstoneDigester(digester)),
        LearningQueue(database),
        IdempotencyStore(database, digester.text),
    )


def _make_incognito_service(
    parts: MemoryResources, places: MemoryStorage, access: Access
) -> MemoryService:
    """Without a cache, a log of questions, or a conversation that outlives the process; nothing
    that was read of it is remembered."""
    pairs = RelationCache(most=0)
    bare = replace(parts, embedder=without_cache(parts.embedder), summariser=None, pairs=pairs)
    unkept = replace(
        places,
        database=places.database.with_access(access),
        cache=NullCache(),
        conversations=IncognitoConversations(),
        fingerprint=_no_fingerprint,
    )
    return _make_service(bare, unkept)


def _fingerprint(digester: KeyedDigester, query: str) -> str:
    return digester.text(query).hex()[:16]


def _no_fingerprint(_query: str) -> None:
    return None


def _make_service(parts: MemoryResources, places: MemoryStorage) -> MemoryService:
    database, marker = places.database, TombstoneDigester(parts.digester)
    capacity = make_capacity(parts, database)
    writing = make_writing(parts, database, marker, capacity)
    copies = CacheInvalidator(
        cached_vectors_of(parts.embedder), SessionCache(places.cache), places.cache
    )
    forgetting = make_forgetting(parts, database, copies, marker)
    entries = make_entries(parts, database, marker)
    doubts = ConflictStore(database, salience_of, make_remainders(make_preparer(parts)))
    return MemoryService(
        access=database.access,
        conversations=places.conversations,
        items=MemoryStore(database),
        recalling=make_recalling(parts, places),
        writing=writing,
        learner=make_learner(parts, database, writing.remember),
        lifecycle=make_lifecycle_jobs(parts, database, capacity),
        entries=entries,
        doubts=doubts,
        forgetting=forgetting,
        parting=make_parting(parts, database, marker),
        restoring=MemoryRestorer(forgetting, entries, capacity, doubts),
        modes=SpaceSettingsStore(database, parts.counters),
        portability=make_portability(parts, database, writing, marker, copies),
        audit=AuditStore(database),
        idempotency=IdempotencyStore(database, parts.digester.text),
        taking_back=TurnRetraction(RetractionStore(database), forgetting),
        deleting=ConversationRemoval(places.conversations, copies),
        privacy_marks=places.privacy_marks,
        episodes=make_episodes(parts, database),
    )
