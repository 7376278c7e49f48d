"""Recall under load: is the vector leg right, how long does a recall take, how many fit into a
second; each beside a plain dense-only query (the ten nearest by vector, nothing else)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack

from rich.progress import Progress

from eval.bench.known_embedder import KnownEmbedder
from eval.bench.load import Asker
from eval.bench.population import LARGE, SMALL, Inhabitant, Population, users
from eval.bench.sentences import Sentences
from eval.bench.timing import AT_ONCE
from eval.bench.truth import compare
from eval.measures import checks
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from memory.embedders.local import LocalEmbedder
from memory.settings import LOCAL_MODEL
from memory.store.memories.search import Search
from migrations.scratch import settle

SEED = 20_261_121
QUESTIONS = 200
NAMES = {LARGE: "large_user", SMALL: "small_user"}


class RecallBench:
    """`items` is the number of memories of the large user. With any model but the local one,
    `with_embedder` is left out: it would measure somebody's network."""

    def __init__(self, items: int = 10_000) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        people = await self._populate(system, progress)
        questions = Sentences(SEED + 1).questions(QUESTIONS)
        known = await KnownEmbedder.of(system.embedder, questions)
        askers = {name: Asker(system, known, user_id) for user_id, name in NAMES.items()}
        async with AsyncExitStack() as stack:
            if system.model.name == LOCAL_MODEL:
                uncached = LocalEmbedder()
                stack.push_async_callback(uncached.aclose)
                askers["with_embedder"] = Asker(system, uncached, LARGE)
            asking = progress.track(askers.items(), description="asking questions")
            speed = {name: await asker.measure(questions) for name, asker in asking}
        search = Search(system.database)
        truth = {
            NAMES[user_id]: await compare(search, person, known, questions)
            for user_id, person in people.items()
        }
        return self._report(system, speed, truth, list(askers.values()))

    async def _populate(self, system: System, progress: Progress) -> dict[str, Inhabitant]:
        rows = sum(count for _, count in users(self._items))
        task = progress.add_task("loading rows", total=rows)
        people = await Population(system, SEED).load(
            self._items, lambda count: progress.advance(task, count)
        )
        await settle(system.owner_url)
        return people

    def _report(
        self,
        system: System,
        speed: Mapping[str, Figures],
        truth: Mapping[str, Figures],
        askers: list[Asker],
    ) -> Report:
        users_figures = {name: {**truth[name], **speed[name]} for name in truth}
        metrics = {
            **_worst(truth),
            **{f"latency_{name}": speed["large_user"][name] for name in ("p50_ms", "p95_ms")},
            **_prefixed("", speed["large_user"], skip=("p50_ms", "p95_ms")),
            **_prefixed("with_embedder_", speed.get("with_embedder", {})),
            "degraded_recalls": sum(asker.degraded for asker in askers),
            "failed_recalls": sum(asker.failed for asker in askers),
        }
        return Report(
            dataset="bench-recall",
            settings=describe(
                system,
                items=self._items,
                table_rows=sum(count for _, count in users(self._items)),
                questions=QUESTIONS,
                at_once=AT_ONCE,
            ),
            metrics=metrics,
            by_category=users_figures,
            checks=checks.check(metrics, checks.BENCH),
        )


def _worst(truth: Mapping[str, Figures]) -> Figures:
    """Of both users: an overlap that holds for one of them only does not hold."""
    names = ("overlap_with_exact", "full_row_counts")
    return {name: min(figures[name] or 0.0 for figures in truth.values()) for name in names}


def _prefixed(prefix: str, figures: Figures, skip: tuple[str, ...] = ()) -> Figures:
    return {f"{prefix}{name}": value for name, value in figures.items() if name not in skip}
