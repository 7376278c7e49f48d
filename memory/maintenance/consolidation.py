"""Putting old memories together, cluster by cluster (003, phase 3; 000, aging)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from memory.errors import MemoryOff
from memory.fingerprints import simhash64
from memory.ingestion.classification import salience
from memory.ingestion.deduplication import Relate, RelationCache
from memory.ingestion.normalisation import normalise
from memory.maintenance.clusters import (
    ROLL_UP_TAG,
    Cluster,
    ClusterRules,
    SpaceVectors,
    centroid,
    find_clusters,
)
from memory.maintenance.summaries import RollUpDraft, SummaryWriter, make_draft
from memory.metrics import MemoryMetrics
from memory.store.lifecycle import RollUp, RollUpSource, RollUpStore
from memory.store.memories import EmbeddedMemory
from memory.types import NewMemory, Origin, StoredMemory

PAGE = 1000
_TAGS = 10
_SHARED = 2
_ORIGIN = Origin("upkeep")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ConsolidationRules:
    """What is old enough, how it is grouped, how many roll-ups of one user a run makes, and the
    cosine that each source has with the centre of its roll-up at least."""

    min_age: timedelta = timedelta(days=7)
    grouping: ClusterRules = field(default_factory=ClusterRules)
    most: int = 50
    found: float = 0.6


class Consolidation:
    """The vector of a roll-up is the centre of its sources' and not that of its words: questions
    are about one of the sources, and the centre is nearer to each (0.85 against 0.75). So nothing
    is embedded at night."""

    def __init__(
        self,
        store: RollUpStore,
        wording: SummaryWriter,
        counters: MemoryMetrics,
        rules: ConsolidationRules,
    ) -> None:
        self._store = store
        self._wording = wording
        self._counters = counters
        self._rules = rules

    async def plan(self, user_id: str, now: datetime) -> list[RollUpDraft]:
        """What a run would put together, in the words that need no model; nothing is changed."""
        around = {
            space: SpaceVectors(vectors)
            for space, vectors in (await self._store.in_recall(user_id, now)).items()
        }
        drafts: list[RollUpDraft] = []
        relate = RelationCache()  # the same memory is compared with many
        async for cluster in self._clusters(user_id, now):
            if len(drafts) == self._rules.most:
                break
            there = around.get(cluster[0].space)
            if there is None:  # a space whose first memory came back just now
                continue
            if draft := await asyncio.to_thread(self._found_by_all, cluster, there, relate):
                there.exchange(draft.removed_sources, centroid(draft.sources))
                drafts.append(draft)
        return drafts

    def _found_by_all(
        self, cluster: Cluster, around: SpaceVectors, relate: Relate
    ) -> RollUpDraft | None:
        """The draft of what of a cluster is still found where it is; see
        `SpaceVectors.together`."""
        least, found = self._rules.grouping.least, self._rules.found
        cluster = around.together(cluster, found)
        while draft := make_draft(cluster, least, relate):
            older = [each for each, _ in draft.replaced]
            told = around.together(draft.sources, found, gone=older)
            if len(told) == len(draft.sources):
                return draft
            cluster = tuple(each for each in cluster if each in told or each in older)
        return None

    async def run(self, user_id: str, now: datetime) -> list[StoredMemory]:
        """The roll-ups that were made. What was changed meanwhile waits for the next run, and so
        does a space whose memory was switched off. Raises DatabaseUnavailable."""
        kept = []
        for draft in await self.plan(user_id, now):
            roll_up = _made(await self._wording.improve(draft))
            try:
                item = await self._store.keep(user_id, roll_up, _ORIGIN, now)
            except MemoryOff:
                continue
            if item is not None:
                kept.append(item)
                self._counters.memories_summarized.inc()
        if kept:
            _log.info("rolled_up", count=len(kept))
        return kept

    async def _clusters(self, user_id: str, now: datetime) -> AsyncIterator[Cluster]:
        """Page by page, the oldest first: what lies together in time comes together."""
        by, before, last = self._rules.grouping, now - self._rules.min_age, None
        borne = await self._store.count_tags(user_id)
        while True:
            page = await self._store.candidates(user_id, before, now, after=last, limit=PAGE)
            for cluster in await asyncio.to_thread(find_clusters, page, by, borne):
                yield cluster
            if len(page) < PAGE:
                return
            last = page[-1]


def _made(draft: RollUpDraft) -> RollUp:
    return RollUp(
        new=make_roll_up_item(draft),
        sources=draft.removed_sources,
        replaced={older.id: newer.id for older, newer in draft.replaced},
    )


def make_roll_up_item(draft: RollUpDraft) -> EmbeddedMemory:
    """The roll-up with what it is found and ranked by: as important and as sure as the weakest of
    its sources, as new as the newest, and tagged with what two of them share. It names its sources,
    and not their messages, since another's message tells of none of what one memory told; when they
    are removed for good, their messages are handed over to it."""
    sources = draft.sources
    first = sources[0]
    item = NewMemory(
        content=draft.content,
        type=first.type,
        space=first.space,
        bank=first.bank,
        role=first.role,
        tags=(ROLL_UP_TAG, *_shared_tags(sources)),
        source_ids=tuple(str(source.id) for source in sources),
        importance=min(source.importance for source in sources),
        created_at=max(source.created_at for source in sources),
        occurred_at=min((at for each in sources if (at := each.occurred_at)), default=None),
    )
    return EmbeddedMemory(
        item,
        centroid(sources),
        first.embedding_model,
        simhash=simhash64(normalise(draft.content)),
        salience=salience(draft.content, first.type, pinned=False),
        metadata_confidence=min(source.metadata_confidence for source in sources),
    )


def _shared_tags(sources: tuple[RollUpSource, ...]) -> list[str]:
    counts = Counter(tag for source in sources for tag in {tag.casefold() for tag in source.tags})
    shared = [tag for tag, count in counts.items() if count >= _SHARED and tag != ROLL_UP_TAG]
    return sorted(shared, key=lambda tag: (-counts[tag], tag))[: _TAGS - 1]
