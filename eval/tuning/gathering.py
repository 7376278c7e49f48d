"""Runs the product's search once for each question, so that settings can be judged without the
database. What is held back is never asked here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias, TypedDict
from uuid import UUID

from rich.progress import Progress

from eval.errors import NothingToTune
from eval.evidence.corpus import Corpus, Question
from eval.evidence.storing import StoredCorpus, store_conversation, store_corpus
from eval.golden.cases import NOW, GoldenCase, GoldenSet
from eval.golden.run import GoldenRun
from eval.system import System
from eval.tuning.gathered import (
    WHOLE,
    Cosines,
    Gathered,
    GatheredMemories,
    GatheredMessages,
    Seen,
    View,
)
from eval.tuning.searching import MemorySearches, MessageSearches
from eval.tuning.sources import Sources
from memory.embedders.protocol import Embedding
from memory.first_person import as_first_person
from memory.store.conversations.message_search import MessageScope
from memory.store.memories.search import Scope
from migrations.scratch import settle

GOLDEN = "golden"
PATIENCE = 60.0
Store: TypeAlias = Callable[[System, str, Corpus], Awaitable[StoredCorpus]]


class Common(TypedDict):
    """What a question has, whatever it is asked of."""

    group: str
    fold: str
    id: str
    category: str
    query: str
    now: datetime
    wanted: frozenset[str]
    covers: Mapping[str, frozenset[str]]


class Gathering:
    """Each corpus and each golden store has a user of its own in the system's database."""

    def __init__(self, system: System, views: Sequence[View] = (WHOLE,)) -> None:
        self._system = patient = _patient(system)
        self._memories = MemorySearches(patient, views)
        self._messages = MessageSearches(patient, views)
        self._vectors: dict[str, Embedding] = {}

    async def groups(
        self, sources: Sources, progress: Progress
    ) -> AsyncIterator[Sequence[Gathered]]:
        """The golden set, then every set that was named, one at a time: a large one fills a
        gigabyte. Raises NothingToTune, RecallIncomplete, VectorsMissing."""
        yield await self.golden(sources.golden, progress)
        for group, corpora in sources.memories.items():
            yield await self.memories(group, corpora, progress)
        for group, corpora in sources.messages.items():
            yield await self.messages(group, corpora, progress)

    async def golden(self, golden: GoldenSet, progress: Progress) -> list[Gathered]:
        """The cases that may be seen. Raises NothingToTune where there are none."""
        seen = without_held_back(golden)
        run = GoldenRun(self._system, seen)
        await run.store(progress)
        await settle(self._system.owner_url)
        asking = progress.track(seen.cases, description="gathering golden")
        return [await self._of_case(run, case) for case in asking]

    async def memories(
        self, group: str, corpora: Sequence[Corpus], progress: Progress
    ) -> list[Gathered]:
        """The questions of corpora that are kept as memories."""
        stored = await self._store(group, corpora, store_corpus, progress)
        asked = [(corpus, question) for corpus in corpora for question in corpus.questions]
        return [
            await self._of_memories(group, corpus, question, stored[corpus.name])
            for corpus, question in progress.track(asked, description=f"gathering {group}")
        ]

    async def messages(
        self, group: str, corpora: Sequence[Corpus], progress: Progress
    ) -> list[Gathered]:
        """The questions of corpora that are kept as the messages of a conversation."""
        stored = await self._store(group, corpora, store_conversation, progress)
        asked = [(corpus, question) for corpus in corpora for question in corpus.questions]
        return [
            await self._of_messages(group, corpus, question, stored[corpus.name])
            for corpus, question in progress.track(asked, description=f"gathering {group}")
        ]

    async def _store(
        self, group: str, corpora: Sequence[Corpus], store: Store, progress: Progress
    ) -> dict[str, StoredCorpus]:
        """By name; with statistics that know of the rows, without which a search may take long."""
        stored = {
            corpus.name: await store(self._system, f"tuning {group}", corpus)
            for corpus in progress.track(corpora, description=f"storing {group}")
        }
        await settle(self._system.owner_url)
        return stored

    async def _of_case(self, run: GoldenRun, case: GoldenCase) -> GatheredMemories:
        tenant = run.tenant_of(case)
        views = await self._memories.run(Scope(tenant.user_id, NOW, types=case.types), case.query)
        return GatheredMemories(
            group=GOLDEN,
            fold=tenant.user_id,
            id=case.id,
            category=case.category,
            query=case.query,
            now=NOW,
            wanted=frozenset(tenant.ids[content] for content in case.expected_retrievals),
            covers={item_id: frozenset({item_id}) for item_id in tenant.ids.values()},
            limit=case.limit,
            views=views,
            cosines=await self._cosines(views),
        )

    async def _of_memories(
        self, group: str, corpus: Corpus, question: Question, stored: StoredCorpus
    ) -> GatheredMemories:
        views = await self._memories.run(Scope(stored.user_id, corpus.now), question.text)
        return GatheredMemories(
            **_common(group, corpus, question, stored),
            views=views,
            cosines=await self._cosines(views),
        )

    async def _of_messages(
        self, group: str, corpus: Corpus, question: Question, stored: StoredCorpus
    ) -> GatheredMessages:
        scope = MessageScope(stored.user_id, until=corpus.now)
        views = await self._messages.run(scope, question.text)
        return GatheredMessages(**_common(group, corpus, question, stored), views=views)

    async def _cosines(self, views: Mapping[View, Seen]) -> Cosines:
        """The store keeps its vectors to itself: they are made again, each text once."""
        texts: dict[UUID, str] = {
            row.id: as_first_person(row.content)
            for seen in views.values()
            for row, _ in seen.weighed
        }
        fresh = [text for text in dict.fromkeys(texts.values()) if text not in self._vectors]
        if fresh:
            async with asyncio.timeout(PATIENCE):
                made = await self._system.embedder.embed_texts(fresh)
            self._vectors |= dict(zip(fresh, made, strict=True))
        return Cosines({key: self._vectors[text] for key, text in texts.items()})


def without_held_back(golden: GoldenSet) -> GoldenSet:
    """The cases that may be seen while tuning. Raises NothingToTune where there are none."""
    seen = tuple(case for case in golden.cases if not case.held_back)
    if not seen:
        raise NothingToTune
    return golden.model_copy(update={"cases": seen})


def _patient(system: System) -> System:
    """A leg that is late would be missing in every setting alike: nothing is late here."""
    late = {"embedding_timeout_seconds": PATIENCE, "recall_timeout_seconds": PATIENCE}
    return replace(system, settings=system.settings.model_copy(update=late))


def _common(group: str, corpus: Corpus, question: Question, stored: StoredCorpus) -> Common:
    return Common(
        group=group,
        fold=corpus.name,
        id=question.id,
        category=question.category,
        query=question.text,
        now=corpus.now,
        wanted=question.evidence & stored.reachable,
        covers=stored.covers,
    )
