"""The assistant's tasks as a data set of its own: done, judged and held against its bounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from agents import Model
from rich.progress import Progress

from agent.assembly import make_assistant
from agent.assistant import Assistant
from agent.models.extraction import make_extractor
from agent.models.judging import make_judge
from agent.models.model import opened_model
from agent.models.reranking import make_reranker
from eval.assistant.figures import assistant_figures, by_kind, failures_of, second_figures
from eval.assistant.run import AssistantRun, Done, Judge
from eval.assistant.tasks import FOLDER, load_tasks
from eval.measures import checks
from eval.measures.failures import Failures
from eval.report.report import Report, describe
from eval.system import System
from memory.assembly import make_memory
from memory.cache import Cache
from memory.service import Memory
from memory.settings import Settings

RULES = "rules"
MakeAssistant: TypeAlias = Callable[[Model, Settings, Memory, Cache], Assistant]


class AssistantSet:
    """`make` stands in for the product's own assistant, `second` for the model as a judge."""

    def __init__(
        self,
        folder: Path | None,
        make: MakeAssistant = make_assistant,
        second: Judge | None = None,
    ) -> None:
        self._set = load_tasks(folder or FOLDER)
        self._make = make
        self._second = second

    async def run(self, system: System, progress: Progress) -> Report:
        settings = system.settings
        async with opened_model(settings) as model:
            second = self._second or make_judge(model, settings)
            done = await self._tasks_done(model, second, system, progress)
        metrics = {**assistant_figures(done), **second_figures(done)}
        return Report(
            dataset="assistant",
            settings=describe(
                system,
                model=settings.openai_model if settings.has_model else "offline",
                judge=RULES if second is None else type(second).__name__,
            ),
            metrics=metrics,
            by_category=by_kind(done),
            checks=checks.check(metrics, checks.ASSISTANT),
            failures=Failures.of(failures_of(done)),
        )

    async def _tasks_done(
        self, model: Model, second: Judge | None, system: System, progress: Progress
    ) -> list[Done]:
        memory = _memory(system, model)
        assistant = self._make(model, system.settings, memory, system.cache)
        try:
            run = AssistantRun(assistant, memory, second)
            return await run.run(self._set.tasks, progress)
        finally:
            await assistant.aclose()
            await memory.aclose()


def _memory(system: System, model: Model) -> Memory:
    """The product's, which learns and ranks by the model where one is configured."""
    settings = system.settings
    return make_memory(
        system.database,
        system.embedder,
        system.cache,
        system.counter,
        settings,
        extractor=make_extractor(model, settings),
        reranker=make_reranker(model, settings),
    )
