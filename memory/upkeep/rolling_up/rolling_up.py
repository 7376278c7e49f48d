"""Putting old memories together, cluster by cluster (003, phase 3; 000, aging)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from memory.counters import Counters
from memory.embedders.protocol import Embedder, Embedding
from memory.errors import MemoryOff
from memory.first_person import as_first_person
from memory.models import KeptItem, NewItem, Origin
from memory.simhash import simhash64
from memory.store.items import EmbeddedItem
from memory.store.roll_ups import RollUp, RollUpStore, Source
from memory.upkeep.rolling_up.clustering import TAG, Cluster, Grouping, clusters_of
from memory.upkeep.rolling_up.drafting import Draft, Wording, draft_of
from memory.write.normalise import normalise
from memory.write.salience import salience
from memory.write.slots import keys_of

PAGE = 1000
_TAGS = 10
_SHARED = 2
_ORIGIN = Origin("upkeep")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RollUpRules:
    """What is old enough, how it is grouped, how many roll-ups of one user a run makes, and the
    cosine that each source has with its roll-up at least: below it a question about the one does
    not find the other."""

    min_age: timedelta = timedelta(days=7)
    grouping: Grouping = field(default_factory=Grouping)
    most: int = 50
    found: float = 0.6


class RollingUp:
    def __init__(
        self,
        store: RollUpStore,
        embedder: Embedder,
        wording: Wording,
        counters: Counters,
        rules: RollUpRules,
        *,
        embedding_timeout: float,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._wording = wording
        self._counters = counters
        self._rules = rules
        self._embedding_timeout = embedding_timeout

    async def plan(self, user_id: str, now: datetime) -> list[Draft]:
        """What a run would put together, in the words that need no model; nothing is changed."""
        drafts: list[Draft] = []
        async for cluster in self._clusters(user_id, now):
            if len(drafts) == self._rules.most:
                break
            if draft := await self._found_by_all(cluster):
                drafts.append(draft)
        return drafts

    async def _found_by_all(self, cluster: Cluster) -> Draft | None:
        """The draft of what of a cluster is still found where it is: each source has with the
        vector of the whole a cosine of `found`. The furthest goes first."""
        least = self._rules.grouping.least
        while draft := await asyncio.to_thread(draft_of, cluster, least):
            furthest, cosine = await self._furthest(draft)
            if cosine >= self._rules.found:
                return draft
            cluster = tuple(source for source in draft.sources if source is not furthest)
        return None

    async def _furthest(self, draft: Draft) -> tuple[Source, float]:
        """The source that is furthest from the whole, and its cosine; 1 where none can be had."""
        vector = await self._embed(draft.content)
        if vector is None:
            return draft.sources[0], 1.0
        cosines = {source.id: float(source.embedding @ vector) for source in draft.sources}
        furthest = min(draft.sources, key=lambda source: cosines[source.id])
        return furthest, cosines[furthest.id]

    async def run(self, user_id: str, now: datetime) -> list[KeptItem]:
        """The roll-ups that were made. What was changed meanwhile waits for the next run, and so
        does a space whose memory was switched off. Raises DatabaseUnavailable."""
        kept = []
        for draft in await self.plan(user_id, now):
            improved = await self._wording.improve(draft)
            _, cosine = await self._furthest(improved)
            roll_up = await self._made(improved if cosine >= self._rules.found else draft)
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

    async def _made(self, draft: Draft) -> RollUp:
        model = self._embedder.model  # before the vector: see `CurrentEmbedder`
        vector = await self._embed(draft.content)
        return RollUp(
            new=described(draft, vector, None if vector is None else model),
            sources=(*draft.sources, *(older for older, _ in draft.replaced)),
            replaced={older.id: newer.id for older, newer in draft.replaced},
        )

    async def _embed(self, content: str) -> Embedding | None:
        try:
            async with asyncio.timeout(self._embedding_timeout):
                [vector] = await self._embedder.embed_texts([as_first_person(content)])
        except Exception as error:  # whatever an embedder raises, the backfill comes for it
            _log.warning("rolled_up_without_vector", reason=type(error).__name__)
            return None
        return vector


def described(draft: Draft, embedding: Embedding | None, model: str | None) -> EmbeddedItem:
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
        embedding,
        model,
        simhash=simhash64(normalise(draft.content)),
        slots=keys_of(draft.content)[:1] if _one_slot(sources) else (),
        salience=salience(draft.content, first.type, pinned=False),
        metadata_confidence=min(source.metadata_confidence for source in sources),
    )


def _shared_tags(sources: tuple[Source, ...]) -> list[str]:
    counts = Counter(tag for source in sources for tag in {tag.casefold() for tag in source.tags})
    shared = [tag for tag, count in counts.items() if count >= _SHARED and tag != TAG]
    return sorted(shared, key=lambda tag: (-counts[tag], tag))[: _TAGS - 1]


def _one_slot(sources: tuple[Source, ...]) -> bool:
    """Whether all of them are about the same thing; a roll-up of several is about none."""
    return len({source.slot for source in sources}) == 1
