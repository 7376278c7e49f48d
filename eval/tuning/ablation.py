"""`python -m eval ablation`: what each part of the recall is worth, one switched off at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from eval.calibration.message_training import MessageGatherer
from eval.calibration.training import Gatherer
from eval.report.tables import shown
from eval.system import System, open_system
from eval.tuning.comparing import Estimate
from eval.tuning.figures import Values, values
from eval.tuning.gathered import Gathered, GatheredMessages
from eval.tuning.gathering import Gathering
from eval.tuning.judging import Judging, shipped
from eval.tuning.mlflow_trials import keep_trials
from eval.tuning.outcome import within
from eval.tuning.parts import VIEWS, Part, memory_parts, message_parts
from eval.tuning.plots import LABELS
from eval.tuning.setting import standing
from eval.tuning.sources import Sources
from eval.tuning.trials import Trials, run_trials
from memory.settings import Settings

NAME = "ablation"
SHOWN = {**LABELS, "uncut_recall_at_5": "recall@5, uncut"}
READ = (
    "Each line has one part less, or one more where it is off by default; below a figure its "
    "difference to the whole on the same questions with the paired 95 % interval, = where it is "
    "none at all, * where the interval excludes 0. “refitted” has the relevance model fitted anew "
    "on the own pairs; without some features it is compared with the refit that has them all. All "
    "figures but the last column's are of what the cut-off leaves: a refit also moves the "
    "probabilities, the last column tells the order alone."
)


@dataclass(frozen=True)
class Learned:
    """What is tried on memories and what on past messages."""

    memories: Sequence[Part]
    messages: Sequence[Part]


async def ablation(
    settings: Settings, sources: Sources, console: Console, progress: Progress
) -> list[Trials[Part]]:
    """Judges the recall whole and without each part, and prints a table for each set. Raises
    NothingToTune, RecallIncomplete, VectorsMissing, DatasetUnreadable."""
    trials = list[Trials[Part]]()
    async with open_system(settings, console.print) as system:
        with progress:
            learned = await learn(system, sources, progress)
            async for gathered in Gathering(system, VIEWS).groups(sources, progress):
                trials.append(await judge_parts(system, gathered, learned, progress))
    for each in trials:
        console.print(_table(each))
    console.print(READ)
    return trials


async def learn(system: System, sources: Sources, progress: Progress) -> Learned:
    """The parts of both recalls, refitted on the pairs that the product's own coefficients come
    from. Raises RecallIncomplete."""
    default, by = standing(system.settings), shipped(system.embedder.model)
    pairs = await Gatherer(system).gather(sources.pairs, progress)
    of_messages: list[Part] = []
    if sources.messages:
        dialogues = await MessageGatherer(system).gather(sources.dialogues, progress)
        of_messages = message_parts(default, by, dialogues)
    return Learned(memory_parts(default, by, pairs), of_messages)


async def judge_parts(
    system: System, gathered: Sequence[Gathered], learned: Learned, progress: Progress
) -> Trials[Part]:
    """One set of questions, by the parts of the recall that answers them; in a thread of its own,
    since it only computes."""
    default = standing(system.settings)
    of_messages = any(isinstance(each, GatheredMessages) for each in gathered)
    tried = learned.messages if of_messages else learned.memories
    task = progress.add_task("judging parts", total=len(tried))
    # Those with the same coefficients and view share their judgements.
    judges = {part.judged_by: Judging(*part.judged_by) for part in tried}

    def judge(asked: Gathered, part: Part) -> Values:
        by, uncut = judges[part.judged_by], replace(part.policy, min_score=0.0)
        return values(
            by.answer(asked, part.policy, default.limit, default.rrf_k),
            by.answer(asked, uncut, default.limit, default.rrf_k),
        )

    return await asyncio.to_thread(
        run_trials, gathered, tried, judge, lambda: progress.advance(task)
    )


async def keep_ablation(trials: Sequence[Trials[Part]], settings: Settings) -> str:
    """The id of the parent run in MLflow. Raises what MLflow does."""
    return await keep_trials(
        NAME,
        trials,
        lambda part: {"part": part.name},
        files=(),
        tracking_uri=settings.tracking_uri,
        home=settings.keepsake_home,
    )


def _table(trials: Trials[Part]) -> Table:
    title = f"{trials.group}: {trials.questions} questions"
    table = Table(title=title, title_justify="left", show_lines=True)
    table.add_column("part", overflow="fold")
    for label in SHOWN.values():
        table.add_column(label, justify="right")
    for place, part in enumerate(trials.tried):
        figures, told = trials.figures(place), trials.differences(place, part.against)
        table.add_row(part.name, *(_cell(figures[name], told[name], place) for name in SHOWN))
    return table


def _cell(value: float | None, difference: Estimate, place: int) -> str:
    """The figure, and below it the difference with its interval; = where there is none at all."""
    if place == 0 or value is None:
        return shown(value)
    if difference.value == difference.low == difference.high == 0.0:
        return f"{shown(value)}\n="
    star = "*" if difference.excludes_zero else ""
    return f"{shown(value)}\n{within(difference, sign='+')}{star}"
