"""Asks every question of the golden set as its user, on the day of the set."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from rich.progress import Progress

from eval.golden.cases import NOW, GoldenCase, GoldenMemory, GoldenSet
from eval.measures.results import CaseResult, Returned
from eval.system import System
from memory.recalls import MemoryItem, MemoryQueryRequest, MemoryQueryResponse


@dataclass(frozen=True)
class Tenant:
    """One user of the run and the ids of what was stored for them, by its words."""

    user_id: str
    ids: dict[str, str]


class GoldenRun:
    """A store's cases share one user, since a recall changes nothing; a case with memories of its
    own, or with none, has a user of its own."""

    def __init__(self, system: System, golden: GoldenSet) -> None:
        self._system = system
        self._golden = golden
        self._tenants: dict[str, Tenant] = {}

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

    def tenant_of(self, case: GoldenCase) -> Tenant:
        """The user who asks, whose memories are stored."""
        return self._tenants[_tenant_name(case)]

    async def _prepare(self, case: GoldenCase) -> None:
        name = _tenant_name(case)
        if name not in self._tenants:
            self._tenants[name] = await self._store(name, self._golden.memories_of(case))
        if case.other_user_memories:
            other = _other_name(case)
            self._tenants[other] = await self._store(other, case.other_user_memories)

    async def _store(self, name: str, memories: Sequence[GoldenMemory]) -> Tenant:
        user_id = f"eval:{name}"
        ids = await self._system.store(user_id, [memory.as_new_item() for memory in memories])
        stored = list(zip(memories, ids, strict=True))
        for memory, item_id in stored:
            if memory.deleted:
                await self._system.items.delete(user_id, item_id)
            elif memory.superseded:
                await self._system.items.supersede(user_id, item_id, _successor(stored))
        return Tenant(user_id, {memory.content: str(item_id) for memory, item_id in stored})

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
            request, now=NOW, token_budget=case.token_budget
        )
        return self._result(case, tenant, response, (time.perf_counter() - began) * 1000)

    def _result(
        self, case: GoldenCase, tenant: Tenant, response: MemoryQueryResponse, latency_ms: float
    ) -> CaseResult:
        other = self._tenants.get(_other_name(case), Tenant("", {}))
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


def _tenant_name(case: GoldenCase) -> str:
    return f"case:{case.id}" if case.setup_memories or case.store is None else f"store:{case.store}"


def _other_name(case: GoldenCase) -> str:
    return f"other:{case.id}"


def _successor(stored: Sequence[tuple[GoldenMemory, UUID]]) -> UUID:
    """The set does not say what took a memory's place: any living one will do."""
    return next(item_id for memory, item_id in stored if memory.living)


def _returned(item: MemoryItem) -> Returned:
    return Returned(item.id, item.content, item.relevance_score, frozenset({item.id}))


def _is_foreign(item: Returned, own: set[str], tenant: Tenant, other: Tenant) -> bool:
    """By id; and by words, should an id ever lie."""
    borrowed = item.content in other.ids and item.content not in tenant.ids
    return item.item_id not in own or borrowed
