"""`python -m eval sweep`: which weights, limits and cut-offs are best, beyond chance."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from eval.page.files import make_folder, write_file
from eval.system import open_system
from eval.tuning.figures import Values, values
from eval.tuning.gathered import Gathered
from eval.tuning.gathering import Gathering
from eval.tuning.judging import Judging, shipped
from eval.tuning.mlflow_trials import keep_trials
from eval.tuning.outcome import CHANCE, draw_all, print_best
from eval.tuning.setting import CURVES, Setting, all_settings, standing
from eval.tuning.sources import Sources
from eval.tuning.trials import Trials, run_trials
from memory.settings import Settings

NAME = "sweep"


async def sweep(
    settings: Settings, sources: Sources, out: Path, console: Console, progress: Progress
) -> list[Trials[Setting]]:
    """Judges every setting on what was gathered once, prints the best and draws every curve into
    the folder. Raises NothingToTune, RecallIncomplete, VectorsMissing, ReportNotWritten."""
    make_folder(out)
    default = standing(settings)
    tried, trials = all_settings(default), list[Trials[Setting]]()
    async with open_system(settings, console.print) as system:
        with progress:
            async for gathered in Gathering(system).groups(sources, progress):
                judging = Judging(shipped(system.embedder.model))
                trials.append(await try_all(gathered, tried, judging, progress))
    for each in trials:
        print_best(console, each)
    console.print(CHANCE)
    for name, drawn in draw_all(trials, default).items():
        write_file(plot_of(out, name), drawn)
    console.print(f"the curves are in {out}", soft_wrap=True)
    return trials


async def try_all(
    gathered: Sequence[Gathered],
    tried: Sequence[Setting],
    judging: Judging,
    progress: Progress,
) -> Trials[Setting]:
    """One set of questions, in a thread of its own, since it only computes."""
    task = progress.add_task("judging settings", total=len(tried))

    def judge(asked: Gathered, setting: Setting) -> Values:
        return values(judging.answer(asked, setting.policy(), setting.limit, setting.rrf_k))

    return await asyncio.to_thread(
        run_trials, gathered, tried, judge, lambda: progress.advance(task)
    )


async def keep_sweep(trials: Sequence[Trials[Setting]], out: Path, settings: Settings) -> str:
    """The id of the parent run in MLflow, with the plots. Raises what MLflow does."""
    return await keep_trials(
        NAME,
        trials,
        Setting.parameters,
        files=[plot_of(out, name) for name in CURVES],
        tracking_uri=settings.tracking_uri,
        home=settings.keepsake_home,
    )


def plot_of(folder: Path, parameter: str) -> Path:
    return folder / f"{parameter}.png"
