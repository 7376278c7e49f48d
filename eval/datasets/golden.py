"""The golden set: invented people, their memories, and what a question must bring back; asked and
counted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AwareDatetime, Field, model_validator
from rich.progress import Progress

from eval import checks
from eval.files import StrictModel, duplicates, read_json_file
from eval.metrics import (
    Metrics,
    answer_metrics,
    count_faulty,
    latency_metrics,
    metrics_by_category,
    precision_at,
    proportion,
    recall_at,
)
from eval.report import Report, nested_and_flat, run_settings
from eval.results import CaseResult, Returned
from eval.statistics import Count, bootstrap_interval, ratio_of_sums
from eval.system import System
from memory.types import (
    MAX_MEMORY_CHARS,
    MemoryItem,
    MemoryQueryRequest,
    MemoryQueryResponse,
    MemoryType,
    NewMemory,
)

GOLDEN_FILE = "memory.json"
GOLDEN_FOLDER = Path(__file__).parent
# The day on which the set's people ask; what expires or lies in the past is measured from it.
GOLDEN_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
# The category that asks for what was true before, and so for what was superseded.
PAST = "past"


class GoldenMemory(StrictModel):
    """A memory as it lies in the store when the question is asked."""

    content: Annotated[str, Field(min_length=1, max_length=MAX_MEMORY_CHARS)]
    type: MemoryType
    created_at: AwareDatetime | None = None
    occurred_at: AwareDatetime | None = None
    expires_at: AwareDatetime | None = None
    deleted: bool = False
    superseded: bool = False

    @property
    def living(self) -> bool:
        expired = self.expires_at is not None and self.expires_at <= GOLDEN_NOW
        return not (self.deleted or self.superseded or expired)

    def as_new_item(self) -> NewMemory:
        return NewMemory(
            content=self.content,
            type=self.type,
            created_at=self.created_at,
            occurred_at=self.occurred_at,
            expires_at=self.expires_at,
        )


class GoldenStore(StrictModel):
    memories: tuple[GoldenMemory, ...]


class GoldenCase(StrictModel):
    """`held_back` cases are not read while developing: a run tells only their totals."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    category: Annotated[str, Field(min_length=1)]
    store: str | None = None
    setup_memories: tuple[GoldenMemory, ...] = ()
    other_user_memories: tuple[GoldenMemory, ...] = ()
    query: str
    types: tuple[MemoryType, ...] | None = None
    token_budget: Annotated[int, Field(ge=1)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    expected_retrievals: tuple[str, ...]
    forbidden_retrievals: tuple[str, ...] = ()
    rubric: str = ""
    held_back: bool = False


class GoldenSet(StrictModel):
    """Cases over named stores. A case sees its store and its own set-up, no two of whose memories
    have the same words, since it names what it expects by its words."""

    version: str = ""
    description: str = ""
    stores: dict[str, GoldenStore] = Field(default_factory=dict)
    cases: Annotated[tuple[GoldenCase, ...], Field(min_length=1)]

    def memories_of(self, case: GoldenCase) -> tuple[GoldenMemory, ...]:
        shared = self.stores[case.store].memories if case.store is not None else ()
        return shared + case.setup_memories

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if repeated := duplicates([case.id for case in self.cases]):
            raise ValueError(f"these case ids appear twice: {', '.join(repeated)}")
        for case in self.cases:
            if fault := self._fault(case):
                raise ValueError(f"case {case.id}: {fault}")
        return self

    def _fault(self, case: GoldenCase) -> str | None:
        if case.store is not None and case.store not in self.stores:
            return f"there is no store {case.store}"
        memories = self.memories_of(case)
        contents = [memory.content for memory in memories]
        living = {memory.content for memory in memories if memory.living}
        past = {memory.content for memory in memories if memory.superseded and not memory.deleted}
        expectable = living | past if case.category == PAST else living
        others = {memory.content for memory in case.other_user_memories}
        if len(set(contents)) < len(contents):
            return "two of its memories have the same words"
        if unknown := set(case.expected_retrievals) - expectable:
            return f"expects what no living memory of it says: {min(unknown)!r}"
        if unknown := set(case.forbidden_retrievals) - set(contents) - others:
            return f"forbids what no memory says: {min(unknown)!r}"
        if not living and any(memory.superseded for memory in memories):
            return "a memory is superseded, and there is none that took its place"
        return None


def load_golden(folder: Path = GOLDEN_FOLDER) -> GoldenSet:
    """Reads `memory.json` in the folder. Raises DatasetUnreadable with the first fault."""
    return read_json_file(folder / GOLDEN_FILE, GoldenSet)


@dataclass(frozen=True)
class GoldenUser:
    """One user of the run and the ids of what was stored for them, by its words."""

    user_id: str
    ids: dict[str, str]


class GoldenRun:
    """A store's cases share one user, since a recall changes nothing; a case with memories of its
    own, or with none, has a user of its own."""

    def __init__(self, system: System, golden: GoldenSet) -> None:
        self._system = system
        self._golden = golden
        self._tenants: dict[str, GoldenUser] = {}

    async def run(self, progress: Progress) -> list[CaseResult]:
        cases = self._golden.cases
        await self.store(progress)
        await self._system.forget_vectors([case.query for case in cases])
        await self._warm_up()
        asking = progress.track(cases, description="asking questions")
        return [await self._ask(case) for case in asking]

    async def store(self, progress: Progress) -> None:
        """Keeps the memories of every case. Raises VectorsMissing."""
        for case in progress.track(self._golden.cases, description="storing memories"):
            await self._prepare(case)

    def tenant_of(self, case: GoldenCase) -> GoldenUser:
        """The user who asks, whose memories are stored."""
        return self._tenants[_user_name(case)]

    async def _prepare(self, case: GoldenCase) -> None:
        name = _user_name(case)
        if name not in self._tenants:
            self._tenants[name] = await self._store(name, self._golden.memories_of(case))
        if case.other_user_memories:
            other = _other_name(case)
            self._tenants[other] = await self._store(other, case.other_user_memories)

    async def _store(self, name: str, memories: Sequence[GoldenMemory]) -> GoldenUser:
        user_id = f"eval:{name}"
        ids = await self._system.store(user_id, [memory.as_new_item() for memory in memories])
        stored = list(zip(memories, ids, strict=True))
        for memory, item_id in stored:
            if memory.deleted:
                await self._system.items.delete(user_id, item_id)
            elif memory.superseded:
                await self._system.items.supersede(user_id, item_id, _successor(stored))
        return GoldenUser(user_id, {memory.content: str(item_id) for memory, item_id in stored})

    async def _warm_up(self) -> None:
        """One recall that is not counted: it loads the model and fills the pool."""
        await self._system.memory.recall(MemoryQueryRequest(user_id="eval:warm-up", query="hello"))

    async def _ask(self, case: GoldenCase) -> CaseResult:
        settings = self._system.settings
        tenant = self.tenant_of(case)
        request = MemoryQueryRequest(
            user_id=tenant.user_id,
            query=case.query,
            limit=case.limit or settings.max_results,
            types=None if case.types is None else list(case.types),
            min_score=settings.min_relevance,
        )
        began = time.perf_counter()
        response = await self._system.memory.recall(
            request, now=GOLDEN_NOW, token_budget=case.token_budget
        )
        return self._result(case, tenant, response, (time.perf_counter() - began) * 1000)

    def _result(
        self, case: GoldenCase, tenant: GoldenUser, response: MemoryQueryResponse, latency_ms: float
    ) -> CaseResult:
        other = self._tenants.get(_other_name(case), GoldenUser("", {}))
        wanted = {content: tenant.ids[content] for content in case.expected_retrievals}
        # The words may be the user's own and another user's; then the own copy is forbidden.
        forbidden = {
            tenant.ids.get(content) or other.ids[content] for content in case.forbidden_retrievals
        }
        returned = tuple(_returned(item) for item in response.items)
        found = {item.item_id for item in returned}
        own = set(tenant.ids.values())
        return CaseResult(
            id=case.id,
            category=case.category,
            query=case.query,
            wanted=frozenset(wanted.values()),
            returned=returned,
            latency_ms=latency_ms,
            degraded=bool(response.degraded),
            failed=response.error,
            within_budget=self._within_budget(case, response),
            forbidden=len(found & forbidden),
            foreign=sum(_is_foreign(item, own, tenant, other) for item in returned),
            missing=tuple(content for content, key in wanted.items() if key not in found),
            held_back=case.held_back,
        )

    def _within_budget(self, case: GoldenCase, response: MemoryQueryResponse) -> bool:
        """Counted again from the contents, whatever the response says of itself."""
        count = self._system.counter.count
        tokens = sum(count(item.content) for item in response.items)
        budget = case.token_budget or self._system.settings.token_budget
        return max(tokens, response.token_count) <= budget


def _user_name(case: GoldenCase) -> str:
    return f"case:{case.id}" if case.setup_memories or case.store is None else f"store:{case.store}"


def _other_name(case: GoldenCase) -> str:
    return f"other:{case.id}"


def _successor(stored: Sequence[tuple[GoldenMemory, UUID]]) -> UUID:
    """The set does not say what took a memory's place: any living one will do."""
    return next(item_id for memory, item_id in stored if memory.living)


def _returned(item: MemoryItem) -> Returned:
    return Returned(item.id, item.content, item.relevance_score, frozenset({item.id}))


def _is_foreign(item: Returned, own: set[str], tenant: GoldenUser, other: GoldenUser) -> bool:
    """By id; and by words, should an id ever lie."""
    borrowed = item.content in other.ids and item.content not in tenant.ids
    return item.item_id not in own or borrowed


CUT = 5


def golden_metrics(results: Sequence[CaseResult]) -> Metrics:
    """The figures of specification 001 and of the golden set."""
    hostile = [case for case in results if case.category == "hostile"]
    harmless = [case for case in results if case.category != "hostile"]
    return {
        **answer_metrics(results),
        "token_compliance": proportion(case.within_budget for case in results),
        "cross_user_safety": proportion(case.foreign == 0 for case in results),
        "forbidden_retrievals": sum(case.forbidden for case in harmless),
        "hostile_retrievals": sum(case.forbidden for case in hostile),
        **latency_metrics(results),
    }


def answer_intervals(results: Sequence[CaseResult]) -> Metrics:
    """`answer_metrics`, and 95 % intervals over questions for those that decide; `precision` is of
    all that is returned."""
    counts = {
        "recall_at_5": _each(recall_at(CUT, case.covered, case.wanted) for case in results),
        "precision": _each(
            precision_at(len(case.returned), case.covered) for case in results if case.wanted
        ),
        "precision_at_5": _each(precision_at(CUT, case.covered) for case in results if case.wanted),
        "no_answer_accuracy": _each(not case.returned for case in results if not case.wanted),
    }
    figures = {**answer_metrics(results), "precision": ratio_of_sums(counts["precision"])}
    for name, each in counts.items():
        low, high = bootstrap_interval(each) or (None, None)
        figures |= {f"{name}_low": low, f"{name}_high": high}
    return figures


def _each(values: Iterable[float | None]) -> list[Count]:
    """One unit a question, without those that the figure is not taken of."""
    return [(float(value), 1.0) for value in values if value is not None]


class GoldenDataset:
    """The golden set, cut as shipped, against the thresholds of specification 001."""

    def __init__(self, folder: Path | None) -> None:
        self._golden = load_golden(folder or GOLDEN_FOLDER)

    async def run(self, system: System, progress: Progress) -> Report:
        results = await GoldenRun(system, self._golden).run(progress)
        parted = {
            "open": [case for case in results if not case.held_back],
            "held_back": [case for case in results if case.held_back],
        }
        held_back = checks.GOLDEN_HELD_BACK if parted["held_back"] else ()
        bounds = (*checks.GOLDEN, *held_back)
        metrics: dict[str, Any] = {
            **golden_metrics(results),
            **nested_and_flat({part: answer_intervals(cases) for part, cases in parted.items()}),
        }
        return Report(
            dataset="memory",
            settings=run_settings(system, now=GOLDEN_NOW.isoformat(), version=self._golden.version),
            metrics=metrics,
            by_category=metrics_by_category(results, answer_metrics),
            checks=checks.check_bounds(metrics, bounds),
            cases=parted["open"],
            held_back=count_faulty(parted["held_back"]),
        )
