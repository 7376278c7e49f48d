"""Putting old memories together, cluster by cluster (003, phase 3; 000, aging)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from memory.counters import Counters
from memory.errors import MemoryOff
from memory.models import KeptItem, NewItem, Origin
from memory.simhash import simhash64
from memory.store.memories.items import EmbeddedItem
from memory.store.upkeep.roll_ups import RollUp, RollUpStore, Source
from memory.upkeep.rolling_up.clustering import TAG, Cluster, Grouping, clusters_of
from memory.upkeep.rolling_up.drafting import Draft, Wording, draft_of
from memory.upkeep.rolling_up.finding import Around, centre_of
from memory.write.normalise import normalise
from memory.write.novelty import Relate
from memory.write.pairs import Pairs
from memory.write.salience import salience

PAGE = 1000
_TAGS = 10
_SHARED = 2
_ORIGIN = Origin("upkeep")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RollUpRules:
    """What is old enough, how it is grouped, how many roll-ups of one user a run makes, and the
    cosine that each source has with the centre of its roll-up at least."""

    min_age: timedelta = timedelta(days=7)
    grouping: Grouping = field(default_factory=Grouping)
    most: int = 50
    found: float = 0.6


class RollingUp:
    """The vector of a roll-up is the centre of its sources' and not that of its words: questions
    are about one of the sources, and the centre is nearer to each (0.85 against 0.75). So nothing
    is embedded at night."""

    def __init__(
        self, store: RollUpStore, wording: Wording, counters: Counters, rules: RollUpRules
    ) -> None:
        self._store = store
        self._wording = wording
        self._counters = counters
        self._rules = rules

    async def plan(self, user_id: str, now: datetime) -> list[Draft]:
        """What a run would put together, in the words that need no model; nothing is changed."""
        around = {
            space: Around(vectors)
            for space, vectors in (await self._store.in_recall(user_id, now)).items()
        }
        drafts: list[Draft] = []
        relate = Pairs()  # the same memory is compared with many
        async for cluster in self._clusters(user_id, now):
            if len(drafts) == self._rules.most:
                break
            there = around.get(cluster[0].space)
            if there is None:  # a space whose first memory came back just now
                continue
            if draft := await asyncio.to_thread(self._found_by_all, cluster, there, relate):
                there.exchange(draft.taken_out, centre_of(draft.sources))
                drafts.append(draft)
        return drafts

    def _found_by_all(self, cluster: Cluster, around: Around, relate: Relate) -> Draft | None:
        """The draft of what of a cluster is still found where it is; see `Around.together`."""
        least, found = self._rules.grouping.least, self._rules.found
        cluster = around.together(cluster, found)
        while draft := draft_of(cluster, least, relate):
            older = [each for each, _ in draft.replaced]
            told = around.together(draft.sources, found, gone=older)
            if len(told) == len(draft.sources):
                return draft
            cluster = tuple(each for each in cluster if each in told or each in older)
        return None

    async def run(self, user_id: str, now: datetime) -> list[KeptItem]:
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
        borne = await self._store.tags_borne(user_id)
        while True:
            page = await self._store.candidates(user_id, before, now, after=last, limit=PAGE)
            for cluster in await asyncio.to_thread(clusters_of, page, by, borne):
                yield cluster
            if len(page) < PAGE:
                return
            last = page[-1]


def _made(draft: Draft) -> RollUp:
    return RollUp(
        new=described(draft),
        sources=draft.taken_out,
        replaced={older.id: newer.id for older, newer in draft.replaced},
    )


def described(draft: Draft) -> EmbeddedItem:
    """The roll-up with what it is found and ranked by: as important and as sure as the weakest of
    its sources, as new as the newest, and tagged with what two of them share. It names its sources,
    and not their messages, since another's message tells of none of what one memory told; when they
    are removed for good, their messages are handed over to it."""
    sources = draft.sources
    first = sources[0]
    item = NewItem(
        content=draft.content,
        type=first.type,
        space=first.space,
        bank=first.bank,
        role=first.role,
        tags=(TAG, *_shared_tags(sources)),
        source_ids=tuple(str(source.id) for source in sources),
        importance=min(source.importance for source in sources),
        created_at=max(source.created_at for source in sources),
        occurred_at=min((at for each in sources if (at := each.occurred_at)), default=None),
    )
    return EmbeddedItem(
        item,
        centre_of(sources),
        first.embedding_model,
        simhash=simhash64(normalise(draft.content)),
        salience=salience(draft.content, first.type, pinned=False),
        metadata_confidence=min(source.metadata_confidence for source in sources),
    )


def _shared_tags(sources: tuple[Source, ...]) -> list[str]:
    counts = Counter(tag for source in sources for tag in {tag.casefold() for tag in source.tags})
    shared = [tag for tag, count in counts.items() if count >= _SHARED and tag != TAG]
    return sorted(shared, key=lambda tag: (-counts[tag], tag))[: _TAGS - 1]
