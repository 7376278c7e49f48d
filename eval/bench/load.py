"""One way to ask, one at a time and many at once, beside the plain dense-only query."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from eval.bench.timing import in_turn, per_second
from eval.measures.metrics import percentile
from eval.measures.summary import Figures
from eval.system import System
from memory.assembly import make_memory
from memory.embedders.protocol import Embedder
from memory.recalls import MemoryQueryRequest, MemoryQueryResponse
from memory.store.memories.search import Scope, Search

DENSE_LIMIT = 10
WARM_UP = 20


class Asker:
    """The recalls of one user with one embedder, and the dense-only queries with the same one."""

    def __init__(self, system: System, embedder: Embedder, user_id: str) -> None:
        self._user_id = user_id
        self._settings = system.settings
        self._embedder = embedder
        self._search = Search(system.database)
        self._memory = make_memory(
            system.database, embedder, system.cache, system.counter, system.settings
        )
        self.degraded = 0
        self.failed = 0

    async def recall(self, question: str) -> MemoryQueryResponse:
        response = await self._memory.recall(
            MemoryQueryRequest(
                user_id=self._user_id,
                query=question,
                limit=self._settings.max_results,
                min_score=self._settings.min_relevance,
            )
        )
        self.degraded += bool(response.degraded)
        self.failed += response.error
        return response

    async def dense(self, question: str) -> None:
        query = await self._embedder.embed_query(question)
        scope = Scope(self._user_id, datetime.now(UTC))
        await self._search.search_by_vector(scope, query, DENSE_LIMIT)

    async def measure(self, questions: Sequence[str]) -> Figures:
        """Milliseconds at the median and the 95th percentile, answers a second, the same of
        dense-only, and the ratios recall / dense-only."""
        await in_turn([self.recall, self.dense], questions[:WARM_UP])
        recall, dense = await in_turn([self.recall, self.dense], questions)
        told = {
            "p50_ms": percentile(recall, 50),
            "p95_ms": percentile(recall, 95),
            "per_second": await per_second(self.recall, questions),
            "dense_p50_ms": percentile(dense, 50),
            "dense_p95_ms": percentile(dense, 95),
            "dense_per_second": await per_second(self.dense, questions),
        }
        ratios = {
            f"{name}_ratio": _ratio(told, name) for name in ("p50_ms", "p95_ms", "per_second")
        }
        return {**told, **ratios}


def _ratio(told: Figures, name: str) -> float | None:
    recall, dense = told[name], told[f"dense_{name}"]
    return recall / dense if recall is not None and dense else None
