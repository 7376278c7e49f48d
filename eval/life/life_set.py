"""Everyday conversations as a data set of its own: lived through, counted and held against what is
aimed at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from rich.progress import Progress

from agent.assembly import make_assistant
from agent.models.model import opened_model
from agent.models.model_reader import make_reader
from agent.models.reranking import make_reranker
from eval.life.clock import simulated_clock
from eval.life.dataset import FOLDER, load_conversations
from eval.life.figures import by_kind_and_language, life_figures
from eval.life.play import Lives
from eval.life.report import rows_of
from eval.measures import checks
from eval.report.report import Report, describe
from eval.system import System
from memory.assembly import make_memory
from memory.database import Database
from memory.store.conversations.learning import LearningMarks


class LifeSet:
    def __init__(self, folder: Path | None, limit: int | None = None) -> None:
        self._conversations = load_conversations(folder or FOLDER, limit)

    async def run(self, system: System, progress: Progress) -> Report:
        """From the first day on the database of the system keeps the time of the conversations."""
        async with _opened(system) as lives:
            played, asked = await lives.play(self._conversations, progress)
        metrics = life_figures(played, asked)
        return Report(
            dataset="life",
            settings=describe(
                system,
                people=len(self._conversations),
                model=system.settings.openai_model if system.settings.has_model else "offline",
            ),
            metrics=metrics,
            by_category=by_kind_and_language(played, asked),
            checks=checks.check(metrics, checks.LIFE),
            rows=rows_of(played, asked),
        )


@asynccontextmanager
async def _opened(system: System) -> AsyncIterator[Lives]:
    """The product's own assistant over a memory of its own, both by the simulated clock."""
    settings = system.settings
    async with simulated_clock(system.owner_url) as clock, opened_model(settings) as model:
        database = await Database.open(system.owner_url)
        memory = make_memory(
            database,
            system.embedder,
            system.cache,
            system.counter,
            settings,
            second_reader=make_reader(model, settings),
            reranker=make_reranker(model, settings),
            clock=clock.now,
        )
        assistant = make_assistant(model, settings, memory, system.cache)
        try:
            yield Lives(assistant, memory, LearningMarks(database), clock, settings)
        finally:
            await assistant.aclose()
            await memory.aclose()
            await database.close()
