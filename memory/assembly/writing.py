"""The write path, put together."""

from __future__ import annotations

from memory.assembly.parts import Parts, uncached
from memory.database import Database
from memory.dates import resolve
from memory.digests import Digester
from memory.service import Writing
from memory.settings import Settings
from memory.settings.digest_key import digest_key
from memory.store.conversations.learning import LearningMarks
from memory.store.upkeep.relearning import Relearnable
from memory.store.vectors.embeddings import Embeddings
from memory.understanding import OfflineReader
from memory.upkeep.backfill import Backfill
from memory.upkeep.capacity import Capacity
from memory.upkeep.keeping import Keeping
from memory.upkeep.marks import Marker
from memory.upkeep.relearning import Relearning
from memory.write.extraction import Extraction
from memory.write.hearing import Hearing
from memory.write.learning import Learner
from memory.write.preparing import Preparer
from memory.write.remember import Remember
from memory.write.rests import Rests
from memory.write.surroundings import Surroundings

# What is left of the time for learning is for all but the model, and for keeping what was found.
_OF_THE_MODEL = 0.75


def make_digester(settings: Settings) -> Digester:
    """With this installation's key."""
    return Digester(digest_key(settings))


def make_extraction(settings: Settings) -> Extraction:
    return Extraction(
        resolve=resolve,
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
        min_chars=settings.learn_min_chars,
        roles=settings.learn_roles,
    )


def make_writing(parts: Parts, database: Database, marker: Marker, capacity: Capacity) -> Writing:
    """What is kept leaves no vector in the cache, where an erasure could not find it: it knows the
    memory's words and the messages', not those of a repeat."""
    remember = make_remember(parts, database, marker)
    return Writing(
        remember,
        Keeping(remember, capacity),
        Backfill(Embeddings(database), uncached(parts.embedder), parts.counters),
        Relearning(Relearnable(database)),
    )


def make_remember(parts: Parts, database: Database, marker: Marker) -> Remember:
    preparer = make_preparer(parts)
    return Remember(
        database,
        preparer,
        marker,
        parts.counters,
        parts.pairs,
        rests=make_rests(preparer),
        tracer=parts.tracer,
    )


def make_rests(preparer: Preparer) -> Rests:
    return Rests(preparer, OfflineReader().gaps)


def make_preparer(parts: Parts) -> Preparer:
    settings = parts.settings
    return Preparer(
        uncached(parts.embedder),
        OfflineReader(),
        embedding_timeout=settings.embedding_timeout_seconds * 2,
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
        clock=parts.clock,
    )


def make_learner(parts: Parts, database: Database, remember: Remember) -> Learner:
    settings = parts.settings
    hearing = Hearing(
        OfflineReader(),
        make_extraction(settings),
        Surroundings(database, make_preparer(parts)),
        parts.counters,
        second_reader=parts.second_reader,
        timeout=settings.learn_timeout_seconds * _OF_THE_MODEL,
        shortcut=settings.learn_shortcut,
    )
    return Learner(LearningMarks(database), hearing, remember)


def make_capacity(parts: Parts, database: Database) -> Capacity:
    return Capacity(
        database,
        parts.counters,
        cap=parts.settings.memory_cap,
        strategy=parts.settings.prune_strategy,
        batch=parts.settings.prune_batch_size,
        clock=parts.clock,
    )
