"""Recall under load: is the vector leg right, how long does a recall take, how many fit into a
second; each beside a plain dense-only query (the ten nearest by vector, nothing else)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

import numpy as np
import numpy.typing as npt
from rich.progress import Progress

from eval import checks
from eval.bench.workload import (
    AT_ONCE,
    PrecomputedEmbedder,
    Sentences,
    measure_throughput,
    time_in_turn,
)
from eval.bulk_load import PreparedMemory, load_memories, vacuum_analyze
from eval.metrics import Metrics, mean, percentile, proportion
from eval.report import Report, run_settings
from eval.system import System
from memory.config import LOCAL_MODEL
from memory.embeddings.local import LocalEmbedder
from memory.embeddings.protocol import Embedder, Embedding, unit_rows
from memory.factory import make_memory
from memory.retrieval.hybrid_search import POOL
from memory.store.search import MemorySearch, SearchScope, VectorHit
from memory.types import MemoryQueryRequest, MemoryQueryResponse

TABLE_ROWS = 100_000
SMALL_ITEMS = 200
OTHER_ITEMS = 1_000
LARGE, SMALL = "bench:large", "bench:small"
# Texts that are embedded; every row's vector is one of theirs with noise of this length, which
# leaves a cosine of about 0.94 to it.
DISTINCT_TEXTS = 2_000
NOISE = 0.35
BATCH = 1_000

VectorMatrix = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BenchUser:
    """A user's rows as the table holds them: `vectors` (rows, dimensions) rounded to half
    precision."""

    user_id: str
    ids: list[UUID]
    vectors: VectorMatrix


class Population:
    """Fills the table with the same texts and vectors for the same seed."""

    def __init__(self, system: System, seed: int) -> None:
        self._system = system
        self._sentences = Sentences(seed)
        self._rng = np.random.default_rng(seed)

    async def load(self, large_items: int, advance: Callable[[int], None]) -> dict[str, BenchUser]:
        """The large and the small user; `advance` is told of every batch of rows."""
        texts = self._sentences.memories(DISTINCT_TEXTS)
        vectors = np.stack(await self._system.embedder.embed_texts(texts))
        tails = self._sentences.tails()
        kept = {}
        for user_id, count in bench_users(large_items):
            picks = self._rng.integers(len(texts), size=count)
            contents = [f"{texts[pick]} {next(tails)}" for pick in picks]
            inhabitant = await self._fill(user_id, contents, vectors[picks], advance)
            if user_id in (LARGE, SMALL):
                kept[user_id] = inhabitant
        return kept

    async def _fill(
        self,
        user_id: str,
        contents: list[str],
        vectors: VectorMatrix,
        advance: Callable[[int], None],
    ) -> BenchUser:
        noisy = self._perturb(vectors)
        ids = [uuid4() for _ in contents]
        for start in range(0, len(contents), BATCH):
            end = min(start + BATCH, len(contents))
            rows = [PreparedMemory(ids[at], contents[at], noisy[at]) for at in range(start, end)]
            model = self._system.embedder.model
            await load_memories(self._system.database, user_id, rows, model)
            advance(len(rows))
        return BenchUser(user_id, ids, noisy.astype(np.float16).astype(np.float32))

    def _perturb(self, vectors: VectorMatrix) -> VectorMatrix:
        noise = unit_rows(self._rng.standard_normal(vectors.shape).astype(np.float32))
        return unit_rows(vectors + NOISE * noise)


def bench_users(large_items: int) -> Iterator[tuple[str, int]]:
    """Each user and how many memories they have; at least TABLE_ROWS in all. The two that are
    measured come in the middle, so that their rows do not lie at the end of the table."""
    left = max(TABLE_ROWS - large_items - SMALL_ITEMS, 0)
    others = [
        (f"bench:other:{at}", min(OTHER_ITEMS, left - at)) for at in range(0, left, OTHER_ITEMS)
    ]
    half = len(others) // 2
    yield from others[:half]
    yield from ((LARGE, large_items), (SMALL, SMALL_ITEMS))
    yield from others[half:]


TOP = 10
# Two sums of the same 384 products in another order differ by so much.
TIE = 1e-5


async def measure_overlap(
    search: MemorySearch, person: BenchUser, known: PrecomputedEmbedder, questions: Sequence[str]
) -> Metrics:
    """The mean share of the true ten among the first ten returned, and the share of questions
    for which the leg filled its pool."""
    scope = SearchScope(person.user_id, datetime.now(UTC))
    pool = min(POOL, len(person.ids))
    overlaps, full = [], []
    for question in questions:
        query = await known.embed_query(question)
        hits = await search.search_by_vector(scope, query, POOL)
        overlaps.append(overlap_with_exact(hits[:TOP], person, query))
        full.append(len(hits) == pool)
    return {"overlap_with_exact": mean(overlaps), "full_row_counts": proportion(full)}


def overlap_with_exact(hits: Sequence[VectorHit], person: BenchUser, query: Embedding) -> float:
    """A returned memory counts where its exact cosine reaches that of the true tenth."""
    cosines = exact_cosines(person.vectors, query)
    count = min(TOP, len(cosines))
    tenth = np.sort(cosines)[-count]
    place: dict[UUID, int] = {item_id: at for at, item_id in enumerate(person.ids)}
    found = {hit.id for hit in hits if hit.id in place}
    return sum(bool(cosines[place[item_id]] >= tenth - TIE) for item_id in found) / count


def exact_cosines(vectors: VectorMatrix, query: Embedding) -> VectorMatrix:
    """Of every row, over the half-precision numbers that the database holds."""
    halved = query.astype(np.float16).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(halved)
    return np.asarray(vectors @ halved / lengths, dtype=np.float32)


DENSE_LIMIT = 10
WARM_UP = 20


class RecallClient:
    """The recalls of one user with one embedder, and the dense-only queries with the same one."""

    def __init__(self, system: System, embedder: Embedder, user_id: str) -> None:
        self._user_id = user_id
        self._settings = system.settings
        self._embedder = embedder
        self._search = MemorySearch(system.database)
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
        scope = SearchScope(self._user_id, datetime.now(UTC))
        await self._search.search_by_vector(scope, query, DENSE_LIMIT)

    async def measure(self, questions: Sequence[str]) -> Metrics:
        """Milliseconds at the median and the 95th percentile, answers a second, the same of
        dense-only, and the ratios recall / dense-only."""
        await time_in_turn([self.recall, self.dense], questions[:WARM_UP])
        recall, dense = await time_in_turn([self.recall, self.dense], questions)
        told = {
            "p50_ms": percentile(recall, 50),
            "p95_ms": percentile(recall, 95),
            "per_second": await measure_throughput(self.recall, questions),
            "dense_p50_ms": percentile(dense, 50),
            "dense_p95_ms": percentile(dense, 95),
            "dense_per_second": await measure_throughput(self.dense, questions),
        }
        ratios = {
            f"{name}_ratio": _ratio(told, name) for name in ("p50_ms", "p95_ms", "per_second")
        }
        return {**told, **ratios}


def _ratio(told: Metrics, name: str) -> float | None:
    recall, dense = told[name], told[f"dense_{name}"]
    return recall / dense if recall is not None and dense else None


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
        known = await PrecomputedEmbedder.of(system.embedder, questions)
        askers = {name: RecallClient(system, known, user_id) for user_id, name in NAMES.items()}
        async with AsyncExitStack() as stack:
            if system.model.name == LOCAL_MODEL:
                uncached = LocalEmbedder()
                stack.push_async_callback(uncached.aclose)
                askers["with_embedder"] = RecallClient(system, uncached, LARGE)
            asking = progress.track(askers.items(), description="asking questions")
            speed = {name: await asker.measure(questions) for name, asker in asking}
        search = MemorySearch(system.database)
        truth = {
            NAMES[user_id]: await measure_overlap(search, person, known, questions)
            for user_id, person in people.items()
        }
        return self._report(system, speed, truth, list(askers.values()))

    async def _populate(self, system: System, progress: Progress) -> dict[str, BenchUser]:
        rows = sum(count for _, count in bench_users(self._items))
        task = progress.add_task("loading rows", total=rows)
        people = await Population(system, SEED).load(
            self._items, lambda count: progress.advance(task, count)
        )
        await vacuum_analyze(system.owner_url)
        return people

    def _report(
        self,
        system: System,
        speed: Mapping[str, Metrics],
        truth: Mapping[str, Metrics],
        askers: list[RecallClient],
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
            settings=run_settings(
                system,
                items=self._items,
                table_rows=sum(count for _, count in bench_users(self._items)),
                questions=QUESTIONS,
                at_once=AT_ONCE,
            ),
            metrics=metrics,
            by_category=users_figures,
            checks=checks.check_bounds(metrics, checks.BENCH),
        )


def _worst(truth: Mapping[str, Metrics]) -> Metrics:
    """Of both users: an overlap that holds for one of them only does not hold."""
    names = ("overlap_with_exact", "full_row_counts")
    return {name: min(figures[name] or 0.0 for figures in truth.values()) for name in names}


def _prefixed(prefix: str, figures: Metrics, skip: tuple[str, ...] = ()) -> Metrics:
    return {f"{prefix}{name}": value for name, value in figures.items() if name not in skip}
