"""The outages of specification 000: parts of the product that are away, and what each of them
leaves of the recall."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

from rich.progress import Progress

from eval import checks
from eval.datasets.golden import (
    GOLDEN_FOLDER,
    GOLDEN_NOW,
    GoldenCase,
    GoldenRun,
    GoldenSet,
    load_golden,
)
from eval.metrics import Metrics, mean, percentile, precision_at, proportion, recall_at
from eval.report import Report, nested_and_flat, run_settings
from eval.results import Failure, Failures
from eval.statistics import with_interval
from eval.system import System
from memory.cache import Cache, EmbeddingCache, NullCache
from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import DatabaseUnavailable, EmbeddingUnavailable
from memory.factory import make_memory
from memory.retrieval.query import prepare_query
from memory.service import MemoryService
from memory.store.database import Connection, Database, load_queries
from memory.types import MemoryQueryRequest, MemoryQueryResponse, SearchMethod

_SQL = load_queries("search")


def _beginning(statement: str) -> str:
    """What a statement is known by: its text up to the first place that is filled in later."""
    return _SQL[statement].partition("{")[0]


class _FailingConnection:
    """A connection on which some statements fail as if the server had gone; the others pass."""

    def __init__(self, connection: Connection, refused: tuple[str, ...]) -> None:
        self._connection = connection
        self._refused = refused

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def fetch(self, query: str, *arguments: Any) -> Any:
        if query.startswith(self._refused):
            raise DatabaseUnavailable(reason="this search is away for the evaluation")
        return await self._connection.fetch(query, *arguments)


class FailingDatabase(Database):
    """The real database, on which the statements that begin with one of `refused` fail."""

    refused: ClassVar[tuple[str, ...]] = ()

    @asynccontextmanager
    async def as_user(self, user_id: str) -> AsyncIterator[Connection]:
        async with super().as_user(user_id) as connection:
            yield cast("Connection", _FailingConnection(connection, self.refused))


class WithoutVectorSearch(FailingDatabase):
    refused = (_beginning("search_by_vector"),)


class WithoutKeywordSearch(FailingDatabase):
    refused = (_beginning("search_by_keyword"),)


class WithoutBothSearches(FailingDatabase):
    refused = WithoutVectorSearch.refused + WithoutKeywordSearch.refused


class UnavailableEmbedder:
    """Refuses at once whatever it is given."""

    def __init__(self, inner: Embedder) -> None:
        self.model = inner.model
        self.dimensions = inner.dimensions

    async def embed_query(self, text: str) -> Embedding:
        raise EmbeddingUnavailable(model=self.model, reason="away for the evaluation")

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise EmbeddingUnavailable(model=self.model, reason="away for the evaluation")

    async def aclose(self) -> None:
        """The inner one belongs to whoever made it."""


class HangingEmbedder(UnavailableEmbedder):
    """Never answers; whoever waits has to give up."""

    async def embed_query(self, text: str) -> Embedding:
        return await _never()

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return [await _never() for _ in texts]


async def _never() -> Embedding:
    answer: asyncio.Future[Embedding] = asyncio.get_running_loop().create_future()
    return await answer


# Instead of the seconds of the product, so that a run with an embedder that never answers ends.
LATE_SECONDS = 0.25
# Nothing listens there.
NOWHERE = "unix:///nonexistent/redis.sock"


@dataclass(frozen=True)
class Outage:
    """What is away, and the legs that an answer has to name as `degraded` then: with both of them
    it is empty and says that it is an error."""

    name: str
    degraded: tuple[SearchMethod, ...] = ()
    database: type[Database] = Database
    embedder: Callable[[Embedder], Embedder] | None = None
    redis: bool = True
    embedding_seconds: float | None = None

    @property
    def error(self) -> bool:
        return len(self.degraded) == 2  # noqa: PLR2004 - both legs

    @asynccontextmanager
    async def open_memory(self, system: System) -> AsyncIterator[MemoryService]:
        """The product's memory over the system's data, without what is away.

        No vector of a question is cached, so that none can stand in for an embedder that is away,
        and no recall is faster than the one it is compared with.
        """
        settings = system.settings
        if self.embedding_seconds is not None:
            late = {"embedding_timeout_seconds": self.embedding_seconds}
            settings = settings.model_copy(update=late)
        async with AsyncExitStack() as stack:
            database = await self.database.open(system.owner_url)
            stack.push_async_callback(database.close)
            lost = Cache(NOWHERE)
            stack.push_async_callback(lost.aclose)
            memory = make_memory(
                database,
                CachedEmbedder(self._embedder(system), EmbeddingCache(self._vectors(lost))),
                system.cache if self.redis else lost,
                system.counter,
                settings,
            )
            stack.push_async_callback(memory.aclose)
            yield memory

    def _vectors(self, lost: Cache) -> Cache:
        return NullCache() if self.redis else lost

    def _embedder(self, system: System) -> Embedder:
        given = system.embedder
        inner = given.inner if isinstance(given, CachedEmbedder) else given
        return inner if self.embedder is None else self.embedder(inner)


WHOLE = Outage("whole")
OUTAGES = (
    Outage("vector", ("vector",), database=WithoutVectorSearch),
    Outage("keyword", ("keyword",), database=WithoutKeywordSearch),
    Outage("embedder", ("vector",), embedder=UnavailableEmbedder),
    Outage("late_embedder", ("vector",), embedder=HangingEmbedder, embedding_seconds=LATE_SECONDS),
    Outage("redis", redis=False),
    Outage("both", ("keyword", "vector"), database=WithoutBothSearches),
)


RELEVANCE_DIGITS = 6


@dataclass(frozen=True)
class OutageAnswer:
    """What came back for one question, None where the recall raised. `wanted` are the ids of the
    memories that answer it."""

    case: GoldenCase
    wanted: frozenset[str]
    response: MemoryQueryResponse | None
    latency_ms: float

    @property
    def covered(self) -> list[frozenset[str]]:
        """By rank, best first, what each returned memory holds of what is wanted."""
        items = self.response.items if self.response is not None else []
        return [frozenset({item.id}) & self.wanted for item in items]

    @property
    def told(self) -> tuple[tuple[str, float], ...]:
        """The memories and their relevance, in order: what two answers are compared by."""
        items = self.response.items if self.response is not None else []
        return tuple((item.id, round(item.relevance_score, RELEVANCE_DIGITS)) for item in items)

    def flags_right(self, outage: Outage) -> bool:
        """Whether it names the legs that are away and no other, and is an error only without both.
        A question of nothing is never searched, and so never degraded."""
        if self.response is None:
            return False
        searched = bool(prepare_query(self.case.query))
        legs, error = (outage.degraded, outage.error) if searched else ((), False)
        right = self.response.degraded == legs and self.response.error == error
        return right and not (error and self.response.items)


class OutageRun:
    def __init__(self, system: System, golden: GoldenSet) -> None:
        self._system = system
        self._cases = [case for case in golden.cases if not case.held_back]
        opened = golden.model_copy(update={"cases": tuple(self._cases)})
        self._stored = GoldenRun(system, opened)

    async def run(self, progress: Progress) -> dict[str, list[OutageAnswer]]:
        """The answers by the name of the outage, those of the whole system first. Raises
        VectorsMissing."""
        await self._stored.store(progress)
        return {outage.name: await self._under(outage, progress) for outage in (WHOLE, *OUTAGES)}

    async def _under(self, outage: Outage, progress: Progress) -> list[OutageAnswer]:
        async with outage.open_memory(self._system) as memory:
            # One recall that is not counted: it loads the model and fills the pool.
            await memory.recall(MemoryQueryRequest(user_id="eval:warm-up", query="hello"))
            asking = progress.track(self._cases, description=f"asking: {outage.name}")
            return [await self._ask(memory, case) for case in asking]

    async def _ask(self, memory: MemoryService, case: GoldenCase) -> OutageAnswer:
        settings, tenant = self._system.settings, self._stored.tenant_of(case)
        request = MemoryQueryRequest(
            user_id=tenant.user_id,
            query=case.query,
            limit=case.limit or settings.max_results,
            types=None if case.types is None else list(case.types),
            min_score=settings.min_relevance,
        )
        wanted = frozenset(tenant.ids[content] for content in case.expected_retrievals)
        began = time.perf_counter()
        response = await _recall(memory, request, case.token_budget)
        return OutageAnswer(case, wanted, response, (time.perf_counter() - began) * 1000)


async def _recall(
    memory: MemoryService, request: MemoryQueryRequest, budget: int | None
) -> MemoryQueryResponse | None:
    try:
        return await memory.recall(request, now=GOLDEN_NOW, token_budget=budget)
    except Exception:  # that it raised at all is what is measured
        return None


def count_changed(answers: Sequence[OutageAnswer], whole: Sequence[OutageAnswer]) -> int:
    """How many questions are answered otherwise than by the whole system."""
    return sum(each.told != before.told for each, before in zip(answers, whole, strict=True))


CUT = 5


def outage_metrics(
    answers: Sequence[OutageAnswer], whole: Sequence[OutageAnswer], outage: Outage
) -> Metrics:
    """`answered` is the share of the recalls that neither raised nor were an error, `empty` of
    those that returned nothing; `of_whole_recall` is recall at 5 over the whole system's."""
    recalls = [recall_at(CUT, each.covered, each.wanted) for each in answers]
    whole_recall = mean(recall_at(CUT, each.covered, each.wanted) for each in whole)
    return {
        "recalls": len(answers),
        "raised": sum(each.response is None for each in answers),
        "answered": proportion(
            each.response is not None and not each.response.error for each in answers
        ),
        "empty": proportion(not each.covered for each in answers),
        "flags_right": proportion(each.flags_right(outage) for each in answers),
        **with_interval("recall_at_5", [(each, 1.0) for each in recalls if each is not None]),
        "of_whole_recall": _of(mean(recalls), whole_recall),
        "precision_at_5": mean(precision_at(CUT, each.covered) for each in answers if each.wanted),
        "no_answer_accuracy": proportion(not each.covered for each in answers if not each.wanted),
        "changed": count_changed(answers, whole),
        "latency_p95_ms": percentile([each.latency_ms for each in answers], 95),
    }


def metrics_by_outage(
    answers: Mapping[str, Sequence[OutageAnswer]], outages: Sequence[Outage]
) -> dict[str, Metrics]:
    whole = answers[WHOLE.name]
    return {
        outage.name: outage_metrics(answers[outage.name], whole, outage)
        for outage in (WHOLE, *outages)
    }


def outage_failures(
    answers: Mapping[str, Sequence[OutageAnswer]], outages: Sequence[Outage]
) -> list[Failure]:
    """The recalls that raised, and those whose flags are not those of the outage."""
    return [
        Failure(each.case.id, outage.name, _fault(each))
        for outage in (WHOLE, *outages)
        for each in answers[outage.name]
        if not each.flags_right(outage)
    ]


def _fault(each: OutageAnswer) -> str:
    if each.response is None:
        return "raised"
    told = " and ".join(each.response.degraded) or "no leg"
    return f"degraded: {told}; error: {'yes' if each.response.error else 'no'}"


def _of(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


class OutageDataset:
    """The open cases of the golden set under each outage; what is held back stays so."""

    def __init__(self, folder: Path | None) -> None:
        self._golden = load_golden(folder or GOLDEN_FOLDER)

    async def run(self, system: System, progress: Progress) -> Report:
        answers = await OutageRun(system, self._golden).run(progress)
        figures = metrics_by_outage(answers, OUTAGES)
        metrics: dict[str, Any] = nested_and_flat(figures)
        return Report(
            dataset="outage",
            settings=run_settings(
                system,
                now=GOLDEN_NOW.isoformat(),
                version=self._golden.version,
                late_embedder_seconds=LATE_SECONDS,
            ),
            metrics=metrics,
            by_category=dict(figures),
            checks=checks.check_bounds(metrics, checks.OUTAGE),
            failures=Failures.of(outage_failures(answers, OUTAGES)),
        )
