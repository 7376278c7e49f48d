"""How long recalls take while something else goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from pydantic import SecretStr

from eval.bench.timing import milliseconds
from eval.measures.metrics import percentile
from eval.measures.summary import Figures
from eval.system import System
from memory.assembly import make_embedder, make_guards, make_memory
from memory.counters import Counters
from memory.database import Database
from memory.models import EmbeddingModel
from memory.recalls import MemoryQueryRequest
from memory.service import Memory

# A quick reader's; between two questions.
PAUSE = 0.1
FEWEST = 100


@dataclass
class Asking:
    """Questions of one user one after the other, each asked once. The memory asks the same
    embedding model as the workers do, with the error guard that the product has; the guard of a
    phase begins closed."""

    memory: Memory
    user_id: str
    questions: Iterator[str]
    took: list[float] = field(default_factory=list)
    degraded: int = 0
    failed: int = 0

    async def ask_on(self) -> None:
        while True:
            await self.ask()
            await asyncio.sleep(PAUSE)

    async def ask(self) -> None:
        self.took.append(await milliseconds(self._recall, next(self.questions)))

    async def _recall(self, question: str) -> None:
        answer = await self.memory.recall(MemoryQueryRequest(user_id=self.user_id, query=question))
        self.degraded += bool(answer.degraded)
        self.failed += answer.error

    def figures(self) -> Figures:
        """Milliseconds; what was answered by keywords alone; what was not answered."""
        return {
            "recalls": len(self.took),
            "recall_p50_ms": percentile(self.took, 50),
            "recall_p95_ms": percentile(self.took, 95),
            "recall_max_ms": max(self.took, default=None),
            "degraded": self.degraded,
            "failed": self.failed,
        }


@asynccontextmanager
async def asking(
    system: System,
    database: Database,
    model: EmbeddingModel,
    url: str,
    *,
    phase: str,
    user_id: str,
    questions: Iterator[str],
) -> AsyncIterator[Asking]:
    """Asks while the block runs, and FEWEST times at least."""
    update = {"openai_base_url": url, "openai_api_key": SecretStr(f"{phase}-of-the-benchmark")}
    settings = system.settings.model_copy(update=update)
    guards = make_guards(settings, model, system.cache, Counters())
    embedder = make_embedder(
        model, settings, system.cache, system.counter, guard=guards.of("embedder")
    )
    memory = make_memory(database, embedder, system.cache, system.counter, settings)
    asked = Asking(memory, user_id, questions)
    task = asyncio.create_task(asked.ask_on())
    try:
        yield asked
        while len(asked.took) < FEWEST and not task.done():  # noqa: ASYNC110 - at its own pace
            await asyncio.sleep(PAUSE)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await memory.aclose()
        await embedder.aclose()
