"""The benchmark of the backfill: workers that are killed, and an embedding model that fails, hangs
and is away, with recalls beside each."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from rich.progress import Progress

from eval.bench.backfill.asking import Asking, asking
from eval.bench.backfill.embedding_server import DIMENSIONS, MODEL, EmbeddingServer, Mood
from eval.bench.backfill.rows import Rows
from eval.bench.backfill.workers import Workers
from eval.bench.sentences import Sentences
from eval.measures import checks
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from memory.database import Database
from memory.models import EmbeddingModel
from migrations.runner import migrate
from migrations.scratch import scratch_database

SEED = 20_261_126
USERS = 100
ASKER = "bench-asker"
ASKERS_ITEMS = 500
WORKERS = 2
KILLS = 3
EMBED_SECONDS = 0.8
# What stands in the queue while the embedding model is in a bad mood, and how long it is.
BAD_ITEMS = 2_000
BAD_SECONDS: dict[Mood, float] = {"failing": 0.0, "hanging": 20.0, "away": 60.0}
PATIENCE = 240.0


@dataclass(frozen=True)
class Stage:
    """What every phase works on."""

    system: System
    database: Database
    rows: Rows
    workers: Workers
    server: EmbeddingServer
    url: str
    questions: Iterator[str]

    def asking(self, phase: str) -> AbstractAsyncContextManager[Asking]:
        model = EmbeddingModel(MODEL, DIMENSIONS)
        return asking(
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
        phases: dict[str, Figures] = {}
        async with _stage(system) as stage:
            sentences = Sentences(SEED)
            await stage.rows.queue([ASKER], sentences.memories(ASKERS_ITEMS))
            await stage.workers.start(WORKERS)
            await stage.rows.until_done(PATIENCE)
            task = progress.add_task("rows embedded", total=self._items)
            phases["killed"] = await _killed(stage, sentences.memories(self._items))
            progress.advance(task, self._items)
            for mood in progress.track(BAD_SECONDS, description="bad moods"):
                phases[mood] = await _bad(stage, mood, sentences.memories(BAD_ITEMS))
            given = await stage.rows.given()
            ended_badly = await stage.workers.stop()
        metrics: Figures = {
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
            settings=describe(system, items=self._items, users=USERS, kills=KILLS, seed=SEED),
            metrics=metrics,
            by_category=phases,
            checks=checks.check(metrics, checks.BENCH_BACKFILL),
        )


@asynccontextmanager
async def _stage(system: System) -> AsyncIterator[Stage]:
    """A database of its own, since its vectors have another length."""
    async with AsyncExitStack() as stack:
        database_url = await stack.enter_async_context(scratch_database(system.owner_url))
        await migrate(database_url, EmbeddingModel(MODEL, DIMENSIONS))
        database = await Database.open(database_url)
        stack.push_async_callback(database.close)
        server = EmbeddingServer(EMBED_SECONDS, SEED)
        url = await stack.enter_async_context(server.listening())
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        log = Path(folder) / "workers.log"
        workers = Workers(system.settings, database_url, url, log)
        stack.push_async_callback(workers.stop)
        rows = Rows(database)
        await rows.count_vectors()
        questions = _questions()
        yield Stage(system, database, rows, workers, server, url, questions)


async def _plain(stage: Stage, phase: str) -> Figures:
    """Nothing waits: what recalls take by themselves, right before a phase."""
    async with stage.asking(f"before-{phase}") as asked:
        pass
    figures = asked.figures()
    return {f"plain_{name}": figures[name] for name in ("recall_p50_ms", "recall_p95_ms")}


async def _killed(stage: Stage, texts: list[str]) -> Figures:
    """A worker is killed somewhere in the first, the second and the last third."""
    chance = random.Random(SEED)  # noqa: S311 - nobody's secret hangs on it
    users = [f"bench-{number}" for number in range(USERS)]
    plain = await _plain(stage, "killed")
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


async def _bad(stage: Stage, mood: Mood, texts: list[str]) -> Figures:
    """The seconds to drain are counted from the end of the mood, where it ends by itself."""
    users = [f"{mood}-{number}" for number in range(USERS)]
    plain = await _plain(stage, mood)
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


def _ratio(phase: Figures) -> float:
    """The 95th percentile of a phase as a multiple of what it was right before."""
    return float(phase["recall_p95_ms"] or 0.0) / float(phase["plain_recall_p95_ms"] or 1.0)
