"""5,000 memories over two years: what remains of them, what is still found, and what is saved."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import Progress

from eval.bench.years.life import END, Life, Living, Question
from eval.bench.years.nights import NIGHTS_BETWEEN, Years, prepared
from eval.bench.years.remains import remains_of
from eval.measures import checks
from eval.measures.metrics import mean, percentile, share
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from memory.assembly import make_memory
from memory.recalls import MemoryQueryRequest
from memory.service import Memory

SEED = 20_261_101
TOP = 5
KEPT, ROLLED = "bench:kept", "bench:rolled"
# Of neither user anything is trimmed: what is measured is what the roll-ups do.
NO_CAP = 1_000_000


class YearsBench:
    """Two users live the same two years; only one of them has nights in which memories are put
    together. Both are asked the same at the end."""

    def __init__(self, items: int = 5_000) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        life = Living(SEED).life(self._items)
        settings = system.settings.model_copy(update={"memory_cap": NO_CAP})
        memory = make_memory(
            system.database, system.embedder, system.cache, system.counter, settings
        )
        nights = await self._live(system, memory, life, progress)
        asking = progress.track(life.questions, description="asking questions")
        found = [(each, await _asked(memory, each)) for each in asking]
        await memory.aclose()
        remains = {
            "kept": await remains_of(system.database, KEPT),
            "rolled": await remains_of(system.database, ROLLED),
        }
        return self._report(system, found, remains, nights)

    async def _live(
        self, system: System, memory: Memory, life: Life, progress: Progress
    ) -> list[float]:
        embedding = progress.add_task("embedding", total=len(life.said))
        ready = await prepared(system, life.said, lambda done: progress.advance(embedding, done))
        task = progress.add_task("living two years, twice", total=2 * len(life.said))
        nights: list[float] = []
        for user_id in (KEPT, ROLLED):
            years = Years(system, memory, user_id, ready)
            await years.pass_by(
                life.said, lambda done: progress.advance(task, done), upkeep=user_id == ROLLED
            )
            nights += years.night_seconds
        return nights

    def _report(
        self,
        system: System,
        found: Sequence[tuple[Question, tuple[bool, bool]]],
        remains: dict[str, Figures],
        nights: Sequence[float],
    ) -> Report:
        metrics = _metrics(found, remains, nights)
        return Report(
            dataset="bench-years",
            settings=describe(
                system,
                items=self._items,
                questions=len(found),
                nights=len(nights),
                days_between=NIGHTS_BETWEEN,
                strategy=system.settings.roll_up_strategy,
                similarity=system.settings.roll_up_similarity,
            ),
            metrics=metrics,
            by_category={**remains, **_by_kind(found)},
            checks=checks.check(metrics, checks.BENCH_YEARS),
        )


def _metrics(
    found: Sequence[tuple[Question, tuple[bool, bool]]],
    remains: dict[str, Figures],
    nights: Sequence[float],
) -> Figures:
    before, after = (share(hits[place] for _, hits in found) or 0.0 for place in (0, 1))
    return {
        "recall_at_5_before": before,
        "recall_at_5_after": after,
        "points_lost": points_lost([hits for _, hits in found]),
        "rolled_up": remains["rolled"]["rolled_up"],
        "in_recall_share": _ratio(remains, "in_recall"),
        "rows_share": _ratio(remains, "rows"),
        "vectors_share": _ratio(remains, "vectors"),
        "storage_saved": 1 - _ratio(remains, "kilobytes"),
        "night_seconds": mean(nights),
        "night_p95_seconds": percentile(nights, 95),
    }


def points_lost(hits: Sequence[tuple[bool, bool]]) -> float:
    """The share of questions that were answered before and are not now, less those the other way
    round. Counted in whole questions: 0.94 - 0.92 is more than 0.02 to a computer."""
    return sum(was - now for was, now in hits) / len(hits)


async def _asked(memory: Memory, question: Question) -> tuple[bool, bool]:
    """Whether each of the two is told the words of the answer among the first TOP memories."""
    kept, rolled = [await _told(memory, user_id, question) for user_id in (KEPT, ROLLED)]
    return kept, rolled


async def _told(memory: Memory, user_id: str, question: Question) -> bool:
    request = MemoryQueryRequest(user_id=user_id, query=question.text, limit=TOP)
    response = await memory.recall(request, now=END)
    return any(question.answer.item.content in item.content for item in response.items)


def _by_kind(found: Sequence[tuple[Question, tuple[bool, bool]]]) -> dict[str, Figures]:
    kinds = dict.fromkeys(question.kind for question, _ in found)
    return {
        kind: {
            f"recall_at_5_{name}": share(
                hits[place] for question, hits in found if question.kind == kind
            )
            for place, name in enumerate(("before", "after"))
        }
        for kind in kinds
    }


def _ratio(remains: dict[str, Figures], name: str) -> float:
    before, after = remains["kept"][name], remains["rolled"][name]
    return (after or 0.0) / before if before else 0.0
