"""The writing set as a data set of its own: run, counted and held against its bounds."""

from __future__ import annotations

from pathlib import Path

from rich.progress import Progress

from agent.models.model import opened_model
from agent.models.model_reader import make_reader
from eval.measures import checks
from eval.measures.failures import Failures
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from eval.writing.figures import by_category, failures_of, writing_figures, writing_speed
from eval.writing.run import WritingRun, Written
from eval.writing.secret_scan import WatchedEmbedder
from eval.writing.turns import FOLDER, load_turns
from memory.assembly import make_memory
from memory.counters import Counters
from memory.service import Memory
from memory.understanding import OfflineReader, SecondReader


class WritingSet:
    """`second_reader` stands in for the product's own: the model where one is configured."""

    def __init__(self, folder: Path | None, second_reader: SecondReader | None = None) -> None:
        self._set = load_turns(folder or FOLDER)
        self._second_reader = second_reader

    async def run(self, system: System, progress: Progress) -> Report:
        threads = self._set.threads
        secrets = [secret for thread in threads for secret in thread.secrets]
        embedder, counters = WatchedEmbedder(system.embedder, secrets), Counters()
        settings = system.settings
        async with opened_model(settings) as model:
            reader = self._second_reader or make_reader(model, settings)
            memory = _memory(system, embedder, reader, counters)
            written = await WritingRun(system, memory, embedder, counters).run(threads, progress)
        metrics = {
            **_figures(written, held_back=None),
            **writing_speed(written.scores),
            "open": _figures(written, held_back=False),
            "held_back": _figures(written, held_back=True),
        }
        return Report(
            dataset="writing",
            settings=describe(system, now=self._set.now.isoformat(), reader=_name(reader)),
            metrics=metrics,
            by_category=by_category(written.scores),
            checks=checks.check(metrics, checks.WRITING),
            failures=Failures.of(failures_of(written.scores, written.secrets)),
        )


def _memory(
    system: System, embedder: WatchedEmbedder, reader: SecondReader | None, counters: Counters
) -> Memory:
    return make_memory(
        system.database,
        embedder,
        system.cache,
        system.counter,
        system.settings,
        second_reader=reader,
        counters=counters,
    )


def _figures(written: Written, held_back: bool | None) -> Figures:
    """Of a part of the threads, or of all of them."""
    scores = [each for each in written.scores if held_back in (None, each.held_back)]
    found = sum(each.id in written.secrets for each in scores)
    return writing_figures(scores) | {"secrets_stored": found if written.redis_read else None}


def _name(reader: SecondReader | None) -> str:
    return (OfflineReader if reader is None else type(reader)).__name__
