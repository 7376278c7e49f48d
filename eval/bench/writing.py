"""Writing under load: how many memories are taken in a second, and what learning costs the turn
that somebody waits for."""

from __future__ import annotations

from collections.abc import Mapping

from rich.progress import Progress

from eval.bench.ingestion import Ingestion, distinct_facts, know
from eval.bench.turns import Turns
from eval.measures import checks
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from migrations.scratch import settle

SEED = 20_261_122
USERS = 10
TURNS = 125
# What both users of the turns remember beforehand.
REMEMBERED = 100


class WritingBench:
    """`items` are written three times: for one user, whose store grows to the cap and is trimmed
    from there on; for one whose cap they do not reach; and for ten at once."""

    def __init__(self, items: int = 1_000) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        cases = await self._ingest(system, progress)
        await settle(system.owner_url)
        turns = await self._take_turns(system, progress)
        metrics = {**_worst(cases), **turns}
        return Report(
            dataset="bench-writing",
            settings=describe(
                system,
                items=self._items,
                users=USERS,
                memory_cap=system.settings.memory_cap,
                turns=TURNS,
            ),
            metrics=metrics,
            by_category=dict(cases),
            checks=checks.check(metrics, checks.BENCH_WRITING),
        )

    async def _ingest(self, system: System, progress: Progress) -> dict[str, Figures]:
        contents = distinct_facts(self._items, SEED)
        embedder = await know(system, contents)
        cap = system.settings.memory_cap
        cases = {
            "one_user_to_the_cap": Ingestion(system, embedder, "capped", users=1, cap=cap),
            "one_user": Ingestion(system, embedder, "one", users=1, cap=2 * self._items),
            "ten_users": Ingestion(system, embedder, "ten", users=USERS, cap=cap),
        }
        task = progress.add_task("writing memories", total=len(cases) * self._items)
        return {
            name: await case.measure(contents, lambda count: progress.advance(task, count))
            for name, case in cases.items()
        }

    async def _take_turns(self, system: System, progress: Progress) -> Figures:
        facts = distinct_facts(REMEMBERED + TURNS, SEED + 1)
        turns = Turns(system)
        await turns.prepare(facts[:REMEMBERED])
        return await turns.measure(facts[REMEMBERED:], progress)


def _worst(cases: Mapping[str, Figures]) -> Figures:
    """The slowest case speaks for all of them."""
    slowest = min(cases.values(), key=lambda figures: figures["items_per_second"] or 0.0)
    return {name: slowest[name] for name in ("items_per_second", "plain_per_second", "ratio")}
