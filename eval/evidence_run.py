"""Asks the questions of a corpus and keeps the whole ranking, uncut by score or budget."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.progress import Progress

from eval.corpus import Corpus, Question
from eval.results import CaseResult, Returned
from eval.storing import StoredCorpus, store_corpus
from eval.system import System
from memory.models import MemoryQueryRequest

# These sets measure the ranking; what the cut-off leaves of it is taken from the same ranking.
NO_CUT_OFF = 0.0
AMPLE_TOKENS = 100_000
LEAST_LIMIT = 10


class EvidenceRun:
    """Each corpus has a user of its own, named after the view and the conversation."""

    def __init__(self, system: System, view: str, corpora: Sequence[Corpus]) -> None:
        self._system = system
        self._view = view
        self._corpora = corpora
        self.limit = max(LEAST_LIMIT, system.settings.max_results)

    async def run(self, progress: Progress) -> list[CaseResult]:
        asked = [question for corpus in self._corpora for question in corpus.questions]
        await self._system.forget_vectors([question.text for question in asked])
        storing = progress.add_task(f"storing {self._view}", total=len(self._corpora))
        asking = progress.add_task(f"asking about {self._view}", total=len(asked))
        results = []
        for corpus in self._corpora:
            stored = await store_corpus(self._system, self._view, corpus)
            progress.advance(storing)
            for question in corpus.questions:
                results.append(await self._ask(corpus, question, stored))
                progress.advance(asking)
        return results

    async def _ask(self, corpus: Corpus, question: Question, stored: StoredCorpus) -> CaseResult:
        request = MemoryQueryRequest(
            user_id=stored.user_id,
            query=question.text,
            limit=self.limit,
            min_score=NO_CUT_OFF,
        )
        began = time.perf_counter()
        response = await self._system.memory.recall(
            request, now=corpus.now, token_budget=AMPLE_TOKENS
        )
        latency_ms = (time.perf_counter() - began) * 1000
        covers, reachable = stored.covers, stored.reachable
        return CaseResult(
            id=f"{self._view}/{question.id}",
            category=question.category,
            query=question.text,
            wanted=question.evidence & reachable,
            unreachable=len(question.evidence - reachable),
            returned=tuple(
                Returned(
                    item.id,
                    item.content,
                    item.relevance_score,
                    covers.get(item.id, frozenset()),
                )
                for item in response.items
            ),
            latency_ms=latency_ms,
            degraded=bool(response.degraded),
            failed=response.error,
            foreign=sum(item.id not in covers for item in response.items),
        )
