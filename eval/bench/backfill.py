"""The benchmark of the backfill: workers that are killed, and an embedding model that fails, hangs
and is away, with recalls beside each."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from pydantic import SecretStr
from rich.progress import Progress

from eval import checks
from eval.bench.fake_models import (
    EMBEDDING_DIMENSIONS,
    EMBEDDING_MODEL,
    ScriptedEmbeddingServer,
    ServerMood,
)
from eval.bench.processes import WorkerProcesses
from eval.bench.workload import Sentences, time_call
from eval.metrics import Metrics, percentile
from eval.report import Report, run_settings
from eval.system import System
from memory.circuit_breaker import make_circuit_breakers
from memory.embeddings.factory import make_embedder
from memory.factory import make_memory
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.memories import EmbeddedMemory, MemoryStore
from memory.types import EmbeddingModel, MemoryQueryRequest, NewMemory
from migrations.runner import migrate
from migrations.scratch import scratch_database

DATABASE_OWNER = "none"  # whichever login it is
POLL_PAUSE = 0.25
_COUNTING = """
CREATE TABLE vectors_given (item_id uuid NOT NULL);
GRANT INSERT ON vectors_given TO keepsake_worker, keepsake_app;
CREATE FUNCTION count_vector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO vectors_given VALUES (NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER vector_given AFTER UPDATE OF embedding ON memory_items
    FOR EACH ROW WHEN (NEW.embedding IS NOT NULL) EXECUTE FUNCTION count_vector();
"""
_WAITING = "SELECT count(*) FROM memory_items WHERE needs_embedding"
_GIVEN = """
SELECT count(*) AS writes, count(DISTINCT item_id) AS rows,
       (SELECT count(*) FROM memory_items WHERE embedding IS NULL OR needs_embedding) AS lost
FROM vectors_given
"""
# The job of a row comes half a minute after it, which the program that wrote it has to fill it
# itself; here nobody does, and a bad model is not waited for until it is well again.
_BEGIN = "UPDATE pgqueuer SET execute_after = now() WHERE status = 'queued'"
_JOBS = "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'memory_embed_backfill'"


@dataclass(frozen=True)
class VectorCounts:
    """How many vectors were written, into how many rows, and how many rows have none."""

    writes: int
    rows: int
    lost: int


class BackfillRows:
    """Rows that wait for their vector, on a database that counts every vector it is given."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = database.as_role(DATABASE_OWNER)

    async def count_vectors(self) -> None:
        async with self._owner.as_user("-") as connection:
            await connection.execute(_COUNTING)

    async def queue(self, users: Sequence[str], texts: Sequence[str]) -> None:
        """Each user has as many memories that wait, stored as the product stores them where the
        embedding model gave no vector; their jobs may begin."""
        items = MemoryStore(self._database)
        share = len(texts) // len(users)
        for number, user_id in enumerate(users):
            mine = texts[number * share : (number + 1) * share]
            bare = [EmbeddedMemory(NewMemory(content=text), None, None) for text in mine]
            await items.save_all(user_id, bare)
        async with self._owner.as_user("-") as connection:
            await connection.execute(_BEGIN)

    async def waiting(self) -> int:
        return await self._count(_WAITING)

    async def jobs(self) -> int:
        """Of the backfill, in whatever state."""
        return await self._count(_JOBS)

    async def given(self) -> VectorCounts:
        async with self._owner.as_user("-") as connection:
            row = await connection.fetchrow(_GIVEN)
        assert row is not None
        return VectorCounts(**row)

    async def until_waiting(self, at_most: int, seconds: float) -> None:
        """Raises TimeoutError where more still wait after so many seconds."""
        async with asyncio.timeout(seconds):
            while await self.waiting() > at_most:  # noqa: ASYNC110 - others fill them
                await asyncio.sleep(POLL_PAUSE)

    async def until_done(self, seconds: float) -> None:
        """Until no row waits and no job is left."""
        await self.until_waiting(0, seconds)
        async with asyncio.timeout(seconds):
            while await self.jobs() > 0:  # noqa: ASYNC110 - others do them
                await asyncio.sleep(POLL_PAUSE)

    async def _count(self, query: str) -> int:
        async with self._owner.as_user("-") as connection:
            return int(await connection.fetchval(query))


# A quick reader's; between two questions.
RECALL_PAUSE = 0.1
FEWEST_RECALLS = 100


@dataclass
class RecallLoop:
    """Questions of one user one after the other, each asked once. The memory asks the same
    embedding model as the workers do, with the circuit breakers that the product has; those of
    a phase begin closed."""

    memory: MemoryService
    user_id: str
    questions: Iterator[str]
    took: list[float] = field(default_factory=list)
    degraded: int = 0
    failed: int = 0

    async def ask_forever(self) -> None:
        while True:
            await self.ask()
            await asyncio.sleep(RECALL_PAUSE)

    async def ask(self) -> None:
        self.took.append(await time_call(self._recall, next(self.questions)))

    async def _recall(self, question: str) -> None:
        answer = await self.memory.recall(MemoryQueryRequest(user_id=self.user_id, query=question))
        self.degraded += bool(answer.degraded)
        self.failed += answer.error

    def figures(self) -> Metrics:
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
async def recalls_in_background(
    system: System,
    database: Database,
    model: EmbeddingModel,
    url: str,
    *,
    phase: str,
    user_id: str,
    questions: Iterator[str],
) -> AsyncIterator[RecallLoop]:
    """Asks while the block runs, and FEWEST_RECALLS times at least."""
    update = {"openai_base_url": url, "openai_api_key": SecretStr(f"{phase}-of-the-benchmark")}
    settings = system.settings.model_copy(update=update)
    guards = make_circuit_breakers(settings, model, system.cache, MemoryMetrics())
    embedder = make_embedder(
        model, settings, system.cache, system.counter, guard=guards.of("embedder")
    )
    memory = make_memory(database, embedder, system.cache, system.counter, settings)
    asked = RecallLoop(memory, user_id, questions)
    task = asyncio.create_task(asked.ask_forever())
    try:
        yield asked
        while len(asked.took) < FEWEST_RECALLS and not task.done():  # noqa: ASYNC110 - at its own pace
            await asyncio.sleep(RECALL_PAUSE)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await memory.aclose()
        await embedder.aclose()


SEED = 20_261_126
USERS = 100
ASKER = "bench-asker"
ASKERS_ITEMS = 500
WORKERS = 2
KILLS = 3
EMBED_SECONDS = 0.8
# What stands in the queue while the embedding model is in a bad mood, and how long it is.
BAD_ITEMS = 2_000
BAD_SECONDS: dict[ServerMood, float] = {"failing": 0.0, "hanging": 20.0, "away": 60.0}
PATIENCE = 240.0


@dataclass(frozen=True)
class BackfillStage:
    """What every phase works on."""

    system: System
    database: Database
    rows: BackfillRows
    workers: WorkerProcesses
    server: ScriptedEmbeddingServer
    url: str
    questions: Iterator[str]

    def asking(self, phase: str) -> AbstractAsyncContextManager[RecallLoop]:
        model = EmbeddingModel(EMBEDDING_MODEL, EMBEDDING_DIMENSIONS)
        return recalls_in_background(
            self.system,
            self.database,
            model,
            self.url,
            phase=phase,
            user_id=ASKER,
            questions=self.questions,
        )


class BackfillBench:
    """`items` rows of 100 users wait; three times one of two workers is killed with -9 at random.
    Then 2,000 rows wait for a model that fails three calls in ten, one that hangs for 20 seconds,
    and one that is away for a minute."""

    def __init__(self, items: int = 10_000) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        phases: dict[str, Metrics] = {}
        async with _open_stage(system) as stage:
            sentences = Sentences(SEED)
            await stage.rows.queue([ASKER], sentences.memories(ASKERS_ITEMS))
            await stage.workers.start(WORKERS)
            await stage.rows.until_done(PATIENCE)
            task = progress.add_task("rows embedded", total=self._items)
            phases["killed"] = await _killed(stage, sentences.memories(self._items))
            progress.advance(task, self._items)
            for mood in progress.track(BAD_SECONDS, description="bad moods"):
                phases[mood] = await _bad_model(stage, mood, sentences.memories(BAD_ITEMS))
            given = await stage.rows.given()
            ended_badly = await stage.workers.stop()
        metrics: Metrics = {
            "rows": given.rows,
            "lost": given.lost,
            "written_twice": given.writes - given.rows,
            "workers_ended_badly": ended_badly,
            "recalls_failed": sum(int(each["failed"] or 0) for each in phases.values()),
            "recall_ratio_killed": _ratio(phases["killed"]),
            "recall_ratio_bad_model": max(_ratio(phases[mood]) for mood in BAD_SECONDS),
        }
        return Report(
            dataset="bench-backfill",
            settings=run_settings(system, items=self._items, users=USERS, kills=KILLS, seed=SEED),
            metrics=metrics,
            by_category=phases,
            checks=checks.check_bounds(metrics, checks.BENCH_BACKFILL),
        )


@asynccontextmanager
async def _open_stage(system: System) -> AsyncIterator[BackfillStage]:
    """A database of its own, since its vectors have another length."""
    async with AsyncExitStack() as stack:
        database_url = await stack.enter_async_context(scratch_database(system.owner_url))
        await migrate(database_url, EmbeddingModel(EMBEDDING_MODEL, EMBEDDING_DIMENSIONS))
        database = await Database.open(database_url)
        stack.push_async_callback(database.close)
        server = ScriptedEmbeddingServer(EMBED_SECONDS, SEED)
        url = await stack.enter_async_context(server.listening())
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        log = Path(folder) / "workers.log"
        workers = WorkerProcesses(system.settings, database_url, url, log)
        stack.push_async_callback(workers.stop)
        rows = BackfillRows(database)
        await rows.count_vectors()
        questions = _questions()
        yield BackfillStage(system, database, rows, workers, server, url, questions)


async def _undisturbed(stage: BackfillStage, phase: str) -> Metrics:
    """Nothing waits: what recalls take by themselves, right before a phase."""
    async with stage.asking(f"before-{phase}") as asked:
        pass
    figures = asked.figures()
    return {f"plain_{name}": figures[name] for name in ("recall_p50_ms", "recall_p95_ms")}


async def _killed(stage: BackfillStage, texts: list[str]) -> Metrics:
    """A worker is killed somewhere in the first, the second and the last third."""
    chance = random.Random(SEED)  # noqa: S311 - nobody's secret hangs on it
    users = [f"bench-{number}" for number in range(USERS)]
    plain = await _undisturbed(stage, "killed")
    began = time.perf_counter()
    async with stage.asking("killed") as asked:
        await stage.rows.queue(users, texts)
        for third in range(KILLS):
            done = (third + chance.uniform(0.15, 0.85)) / KILLS
            await stage.rows.until_waiting(round(len(texts) * (1 - done)), PATIENCE)
            await stage.workers.kill_one(chance)
        await stage.rows.until_done(PATIENCE)
        seconds = time.perf_counter() - began
    return {"seconds_to_drain": seconds, **plain, **asked.figures()}


async def _bad_model(stage: BackfillStage, mood: ServerMood, texts: list[str]) -> Metrics:
    """The seconds to drain are counted from the end of the mood, where it ends by itself."""
    users = [f"{mood}-{number}" for number in range(USERS)]
    plain = await _undisturbed(stage, mood)
    stage.server.be(mood)
    async with stage.asking(mood) as asked:
        await stage.rows.queue(users, texts)
        lasting = BAD_SECONDS[mood]
        await asyncio.sleep(lasting)
        waited = await stage.rows.waiting()
        if lasting:
            stage.server.be("well")
        began = time.perf_counter()
        await stage.rows.until_done(PATIENCE)
        seconds = time.perf_counter() - began
    stage.server.be("well")
    waits = {"waiting_at_the_end_of_it": waited, "seconds_to_drain": seconds}
    return {**waits, **plain, **asked.figures()}


def _questions() -> Iterator[str]:
    """No two alike, so that no vector comes from the cache."""
    sentences = Sentences(SEED + 1)
    for number in count():
        [question] = sentences.questions(1)
        yield f"{question} ({number})"


def _ratio(phase: Metrics) -> float:
    """The 95th percentile of a phase as a multiple of what it was right before."""
    return float(phase["recall_p95_ms"] or 0.0) / float(phase["plain_recall_p95_ms"] or 1.0)
