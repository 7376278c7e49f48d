"""The write path, put together."""

from __future__ import annotations

from opentelemetry.trace import Tracer

from memory.counters import Counters
from memory.database import Database
from memory.dates import resolve
from memory.digests import Digester
from memory.embedders.protocol import Embedder
from memory.key_file import load_key
from memory.settings import Settings
from memory.store.learning import LearningMarks
from memory.upkeep.capacity import Capacity
from memory.upkeep.marks import Marker
from memory.write.banks import bank_of
from memory.write.candidates import Extractor
from memory.write.extraction.rules import RuleExtractor
from memory.write.learning import Learner
from memory.write.preparing import Preparer
from memory.write.reader import Reader
from memory.write.remember import Remember

DIGEST_KEY_FILE = "digest.key"
# What is left of the time for learning is for the rules, and for keeping what was found.
_OF_THE_EXTRACTOR = 0.75


def digest_key(settings: Settings) -> bytes:
    """The key of the settings, else the one in the data folder, made when it is missing."""
    if settings.digest_key is not None:
        return settings.digest_key.get_secret_value().encode()
    return load_key(settings.keepsake_home / DIGEST_KEY_FILE)


def make_digester(settings: Settings) -> Digester:
    """With this installation's key."""
    return Digester(digest_key(settings))


def make_extractor(settings: Settings) -> Extractor:
    """The one that needs no model."""
    return RuleExtractor(
        resolve=resolve,
        bank_of=bank_of,
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
        min_chars=settings.learn_min_chars,
        roles=settings.learn_roles,
    )


def make_remember(
    database: Database,
    embedder: Embedder,
    settings: Settings,
    marker: Marker,
    counters: Counters,
    *,
    reader: Reader,
    tracer: Tracer | None = None,
) -> Remember:
    preparer = Preparer(
        embedder,
        embedding_timeout=settings.embedding_timeout_seconds * 2,
        banks=settings.memory_banks,
        default_bank=settings.default_bank,
    )
    return Remember(database, preparer, marker, counters, reader, tracer=tracer)


def make_learner(
    database: Database,
    extractor: Extractor,
    remember: Remember,
    settings: Settings,
    counters: Counters,
) -> Learner:
    return Learner(
        LearningMarks(database),
        extractor,
        make_extractor(settings),
        remember,
        counters,
        extraction_timeout=settings.learn_timeout_seconds * _OF_THE_EXTRACTOR,
        min_chars=settings.learn_min_chars,
        roles=settings.learn_roles,
        shortcut=settings.learn_shortcut,
    )


def make_capacity(database: Database, settings: Settings, counters: Counters) -> Capacity:
    return Capacity(
        database,
        counters,
        cap=settings.memory_cap,
        strategy=settings.prune_strategy,
        batch=settings.prune_batch_size,
    )
