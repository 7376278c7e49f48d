"""Asks the open questions of the golden set once with everything there, and under each outage."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.progress import Progress

from eval.golden.cases import NOW, GoldenCase, GoldenSet
from eval.golden.run import GoldenRun
from eval.outage.outages import OUTAGES, WHOLE, Outage
from eval.system import System
from memory.recall.question import as_searched
from memory.recalls import MemoryQueryRequest, MemoryQueryResponse
from memory.service import Memory

RELEVANCE_DIGITS = 6


@dataclass(frozen=True)
class Answered:
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
        searched = bool(as_searched(self.case.query))
        legs, error = (outage.degraded, outage.error) if searched else ((), False)
        right = self.response.degraded == legs and self.response.error == error
        return right and not (error and self.response.items)


class OutageRun:
    def __init__(self, system: System, golden: GoldenSet) -> None:
        self._system = system
        self._cases = [case for case in golden.cases if not case.held_back]
        opened = golden.model_copy(update={"cases": tuple(self._cases)})
        self._stored = GoldenRun(system, opened)

    async def run(self, progress: Progress) -> dict[str, list[Answered]]:
        """The answers by the name of the outage, those of the whole system first. Raises
        VectorsMissing."""
        await self._stored.store(progress)
        return {outage.name: await self._under(outage, progress) for outage in (WHOLE, *OUTAGES)}

    async def _under(self, outage: Outage, progress: Progress) -> list[Answered]:
        async with outage.open_memory(self._system) as memory:
            # One recall that is not counted: it loads the model and fills the pool.
            await memory.recall(MemoryQueryRequest(user_id="eval:warm-up", query="hello"))
            asking = progress.track(self._cases, description=f"asking: {outage.name}")
            return [await self._ask(memory, case) for case in asking]

    async def _ask(self, memory: Memory, case: GoldenCase) -> Answered:
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
        return Answered(case, wanted, response, (time.perf_counter() - began) * 1000)


async def _recall(
    memory: Memory, request: MemoryQueryRequest, budget: int | None
) -> MemoryQueryResponse | None:
    try:
        return await memory.recall(request, now=NOW, token_budget=budget)
    except Exception:  # that it raised at all is what is measured
        return None


def changed(answers: Sequence[Answered], whole: Sequence[Answered]) -> int:
    """How many questions are answered otherwise than by the whole system."""
    return sum(each.told != before.told for each, before in zip(answers, whole, strict=True))
