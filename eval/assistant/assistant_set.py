"""The assistant's tasks as a data set of its own: done, judged and held against its bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from rich.progress import Progress

from agent.assembly import make_assistant
from agent.assistant import Assistant
from agent.models.judging import make_judge
from agent.models.model import opened_model
from agent.models.model_reader import make_reader
from agent.models.reranking import make_reranker
from eval.assistant.figures import assistant_figures, by_kind, failures_of, second_figures
from eval.assistant.run import AssistantRun, Judge
from eval.assistant.tasks import FOLDER, load_tasks
from eval.measures import checks
from eval.measures.failures import Failures
from eval.report.report import Report, describe
from eval.system import System
from memory.assembly import make_memory
from memory.cache import Cache
from memory.recall.choice.reranking import Reranker
from memory.service import Memory
from memory.settings import Settings
from memory.understanding import SecondReader

RULES = "rules"
MakeAssistant: TypeAlias = Callable[[Settings, Memory, Cache], Assistant]


class AssistantSet:
    """`make` stands in for the product's own assistant, `second` for the model as a judge."""

    def __init__(
        self,
        folder: Path | None,
        make: MakeAssistant | None = None,
        second: Judge | None = None,
    ) -> None:
        self._set = load_tasks(folder or FOLDER)
        self._make = make
        self._second = second

    async def run(self, system: System, progress: Progress) -> Report:
        settings = system.settings
        async with opened_model(settings) as model:
            second = self._second or make_judge(model, settings)
            reader, reranker = make_reader(model, settings), make_reranker(model, settings)
            memory = _memory(system, reader, reranker)
            make = self._make or partial(make_assistant, model)
            assistant = make(settings, memory, system.cache)
            try:
                run = AssistantRun(assistant, memory, second)
                done = await run.run(self._set.tasks, progress)
            finally:
                await assistant.aclose()
                await memory.aclose()
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


def _memory(system: System, reader: SecondReader | None, reranker: Reranker | None) -> Memory:
    """The product's, which learns and ranks by the model where one is configured."""
    return make_memory(
        system.database,
        system.embedder,
        system.cache,
        system.counter,
        system.settings,
        second_reader=reader,
        reranker=reranker,
    )
