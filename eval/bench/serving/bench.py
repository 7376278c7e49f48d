"""The two benchmarks of the HTTP server: a minute under load, and ten minutes of it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from rich.progress import Progress

from eval.bench.ingestion import distinct_facts
from eval.bench.sentences import Sentences
from eval.bench.serving.crowd import Crowd, faults_of, turn_figures
from eval.bench.serving.growth import Watch, growth_figures
from eval.bench.serving.program import Program, running
from eval.bench.serving.scripted_server import Pace, ScriptedServer
from eval.bench.serving.starving import starving_figures
from eval.measures import checks
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from memory.models import NewItem

SEED = 20_261_123
PEOPLE = 50
READERS = 200
QUESTIONS = 100
LOAD_SECONDS = 60.0
SOAK_SECONDS = 600.0
# People read what they got and type what comes next; a throng does not, and shows where it ends.
READING_SECONDS = 10.0
THRONG_SECONDS = 20.0
ASKING = "bench-0"
# An answer of 60 kB over a minute, of which a slow reader has read a third by then.
STORY = Pace(first=0.2, between=0.5, pieces=120, characters=500)


class ServingBench:
    """50 chats at once for a minute, each with `items` memories, whose people read for ten seconds
    between two turns; the same without reading, for the most turns a second that there can be;
    then recalls beside 200 clients that hardly read."""

    def __init__(self, items: int = 100) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        await remember(system, self._items, progress)
        turns, faults = await self._load(system, progress)
        async with serving(system, STORY) as (program, _):
            questions = Sentences(SEED + 1).questions(QUESTIONS)
            progress.add_task(f"recalls beside {READERS} slow readers", total=None)
            starving = await starving_figures(program.url, ASKING, questions, READERS)
        metrics = {**turns, **starving}
        return Report(
            dataset="bench-serving",
            settings=describe(
                system, items=self._items, people=PEOPLE, readers=READERS, seconds=LOAD_SECONDS
            ),
            metrics=metrics,
            by_category={"faults": dict(faults)},
            checks=checks.check(metrics, checks.BENCH_SERVING),
        )

    async def _load(self, system: System, progress: Progress) -> tuple[Figures, dict[str, int]]:
        async with serving(system, Pace()) as (program, model):
            await Crowd(program.url, people=4).chat_for(3.0)
            crowd = Crowd(program.url, PEOPLE, reading=READING_SECONDS)
            before, began = program.busy_seconds, time.perf_counter()
            with _bar(progress, f"{PEOPLE} chats at once", LOAD_SECONDS):
                await crowd.chat_for(LOAD_SECONDS)
            seconds, busy = time.perf_counter() - began, program.busy_seconds - before
            throng = Crowd(program.url, PEOPLE)
            with _bar(progress, f"{PEOPLE} chats without a pause", THRONG_SECONDS):
                await throng.chat_for(THRONG_SECONDS)
        figures = turn_figures(crowd.taken, model.busy)
        figures["turns_per_second"] = len(crowd.taken) / seconds
        figures["server_cpu_share"] = busy / seconds
        figures["cpu_ms_per_turn"] = busy * 1000 / len(crowd.taken)
        figures["throng_turns_per_second"] = len(throng.taken) / THRONG_SECONDS
        figures["throng_errors"] = sum(each.fault is not None for each in throng.taken)
        return figures, faults_of([*crowd.taken, *throng.taken])


class SoakBench:
    """50 chats for ten minutes, `items` memories each: does the server's memory grow?"""

    def __init__(self, items: int = 100) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        await remember(system, self._items, progress)
        async with serving(system, Pace()) as (program, model):
            crowd, watch = Crowd(program.url, PEOPLE, reading=READING_SECONDS), Watch(program)
            watching = asyncio.create_task(watch.look())
            with _bar(progress, "soaking", SOAK_SECONDS):
                await crowd.chat_for(SOAK_SECONDS)
            watching.cancel()
            metrics = {**turn_figures(crowd.taken, model.busy), **growth_figures(watch.samples)}
        return Report(
            dataset="bench-soak",
            settings=describe(system, items=self._items, people=PEOPLE, seconds=SOAK_SECONDS),
            metrics=metrics,
            by_category={"faults": dict(faults_of(crowd.taken))},
            checks=checks.check(metrics, checks.BENCH_SOAK),
        )


@asynccontextmanager
async def serving(system: System, pace: Pace) -> AsyncIterator[tuple[Program, ScriptedServer]]:
    """The server over a model of that pace; its log goes with the bench."""
    model = ScriptedServer(pace)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "serve.log"
        async with model.listening() as model_url, running(system, model_url, log) as program:
            yield program, model


async def remember(system: System, items: int, progress: Progress) -> None:
    """The same memories for everybody who will chat."""
    facts = distinct_facts(items, SEED)
    people = [f"bench-{number}" for number in range(PEOPLE)]
    for user_id in progress.track(people, description="remembering"):
        await system.store(user_id, [NewItem(content=each) for each in facts])


@contextmanager
def _bar(progress: Progress, words: str, seconds: float) -> Iterator[None]:
    """A bar that fills while the clients are at it."""
    task = progress.add_task(words, total=seconds)

    async def tick() -> None:
        while True:
            await asyncio.sleep(1)
            progress.advance(task, 1)

    ticking = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticking.cancel()
