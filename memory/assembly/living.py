"""What happens to memories after they were kept, put together."""

from __future__ import annotations

from datetime import timedelta

from memory.assembly.parts import Parts
from memory.database import Database
from memory.settings import Settings
from memory.settings.retention_rules import read_rules
from memory.store.upkeep.cleanup import CleanupStore
from memory.store.upkeep.expiry import ExpiryStore
from memory.store.upkeep.residents import Residents
from memory.store.upkeep.retention import RetentionStore
from memory.store.upkeep.roll_ups import RollUpStore
from memory.store.vectors.indexes import IndexStore
from memory.upkeep.capacity import Capacity
from memory.upkeep.cleanup import Cleanup
from memory.upkeep.expiry import Expiry
from memory.upkeep.indexes import Indexes, IndexTimes
from memory.upkeep.lifecycle import Lifecycle
from memory.upkeep.retention import Retention, RetentionTimes
from memory.upkeep.rolling_up.clustering import Grouping
from memory.upkeep.rolling_up.drafting import Wording
from memory.upkeep.rolling_up.rolling_up import RollingUp, RollUpRules


def make_lifecycle(parts: Parts, database: Database, capacity: Capacity) -> Lifecycle:
    settings = parts.settings
    return Lifecycle(
        rolling_up=_make_rolling_up(parts, database),
        retention=Retention(RetentionStore(database), retention_times(settings)),
        cleanup=Cleanup(CleanupStore(database)),
        indexes=Indexes(IndexStore(database), index_times(settings)),
        expiry=Expiry(
            ExpiryStore(database),
            audit=timedelta(days=settings.audit_days),
            tombstones=timedelta(days=settings.tombstone_days),
        ),
        capacity=capacity,
        residents=Residents(database),
    )


def roll_up_rules(settings: Settings) -> RollUpRules:
    grouping = Grouping(
        settings.roll_up_strategy,
        settings.roll_up_similarity,
        settings.roll_up_min_size,
        settings.roll_up_max_size,
    )
    age = timedelta(days=settings.roll_up_min_age_days)
    return RollUpRules(age, grouping, settings.roll_ups_a_night, settings.roll_up_found)


def retention_times(settings: Settings) -> RetentionTimes:
    return RetentionTimes(
        timedelta(days=settings.retention_days),
        timedelta(days=settings.retention_undo_days),
        read_rules(settings.retention_rules or ""),
    )


def index_times(settings: Settings) -> IndexTimes:
    return IndexTimes(
        timedelta(days=settings.vector_age_days),
        timedelta(days=settings.replaced_vector_age_days),
        settings.keyword_level,
        timedelta(days=settings.keyword_age_days),
    )


def _make_rolling_up(parts: Parts, database: Database) -> RollingUp:
    settings = parts.settings
    return RollingUp(
        RollUpStore(database),
        Wording(parts.summariser, timeout=settings.openai_timeout_seconds),
        parts.counters,
        roll_up_rules(settings),
    )
