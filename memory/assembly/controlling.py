"""What users do with their memory, put together."""

from __future__ import annotations

from memory.assembly.parts import Parts, uncached
from memory.assembly.recalling import make_legs
from memory.assembly.writing import make_preparer
from memory.controls.entries import Entries
from memory.controls.episodes import Episodes
from memory.controls.forgetting import Forgetting
from memory.controls.hearers import Hearers
from memory.controls.importing import Importing
from memory.controls.parting import Parting
from memory.controls.portability import Portability
from memory.controls.proof import Prover
from memory.controls.said import Said
from memory.database import Database
from memory.service import Writing
from memory.store.episodes.episodes import EpisodeRules, EpisodeStore
from memory.store.episodes.tasks import EpisodeTasks
from memory.store.forgetting.erasing import Erasing
from memory.store.forgetting.forgetting import ForgettingStore
from memory.store.forgetting.parts import PartStore
from memory.store.forgetting.proof import ProofStore
from memory.store.forgetting.said import SaidStore
from memory.store.memories.entries import EntryStore
from memory.store.memories.imported import ImportedMemories
from memory.store.portability import PortabilityStore
from memory.upkeep.copies import Copies
from memory.upkeep.erasure import Erasure
from memory.upkeep.marks import Marker


def make_entries(parts: Parts, database: Database, marker: Marker) -> Entries:
    return Entries(
        EntryStore(database),
        uncached(parts.embedder),
        marker,
        embedding_timeout=parts.settings.embedding_timeout_seconds,
        banks=parts.settings.memory_banks,
        counters=parts.counters,
    )


def make_parting(parts: Parts, database: Database, marker: Marker) -> Parting:
    return Parting(
        EntryStore(database),
        PartStore(database),
        uncached(parts.embedder),
        marker,
        embedding_timeout=parts.settings.embedding_timeout_seconds,
    )


def make_episodes(parts: Parts, database: Database) -> Episodes:
    """Whose vectors are cached nowhere, so that what is removed leaves none behind."""
    settings = parts.settings
    rules = EpisodeRules(
        settings.episode_midpoint, settings.episode_value_threshold, settings.episode_cap
    )
    return Episodes(
        EpisodeStore(database, rules),
        EpisodeTasks(database),
        Erasing(database),
        uncached(parts.embedder),
        embedding_timeout=settings.embedding_timeout_seconds,
        enabled=settings.episodes_enabled,
    )


def make_forgetting(parts: Parts, database: Database, copies: Copies, marker: Marker) -> Forgetting:
    legs = make_legs(database, uncached(parts.embedder), parts.settings)
    hearers = Hearers()
    return Forgetting(
        ForgettingStore(database, marker),
        Erasure(Erasing(database), copies),
        Prover(ProofStore(database), legs, parts.digester),
        parts.pairs,
        Said(SaidStore(database), copies, parts.pairs, hearers),
        hearers=hearers,
        counters=parts.counters,
        clock=parts.clock,
    )


def make_portability(
    parts: Parts, database: Database, writing: Writing, marker: Marker, copies: Copies
) -> Portability:
    importing = Importing(ImportedMemories(database), marker, make_preparer(parts))
    store = PortabilityStore(database)
    return Portability(store, writing.keeping, importing, copies, parts.pairs)
