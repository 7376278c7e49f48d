"""`python -m eval sweep`: which weights, limits and cut-offs are best, beyond chance."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from eval.files import make_folder, write_file
from eval.plots import METRIC_LABELS, ParameterCurve, draw_curves
from eval.report import format_value
from eval.statistics import Estimate
from eval.system import open_system
from eval.tuning.grid import CURVES, RecallSetting, all_settings, current_setting, parameter_curve
from eval.tuning.recorder import RecordedQuestion, SearchRecorder
from eval.tuning.replay import RecallReplay, shipped_calibrations
from eval.tuning.sources import TuningSources
from eval.tuning.trials import (
    OBJECTIVE,
    QuestionMetrics,
    Trials,
    log_trials,
    question_metrics,
    run_trials,
)
from memory.config import Settings

BEST_SHOWN = 8
CHANCE_NOTE = (
    "Settings that answer every question alike are told once. “difference” is to the default on "
    "the same questions, with its paired 95 % interval; “beyond chance” says whether it exceeds "
    "what the luckiest of as many equal settings would show. The questions of one conversation "
    "are not independent, so that the intervals of LoCoMo and BEAM are rather too narrow."
)
PARAMETER_TITLES = {
    "alpha": "α, weight of relevance",
    "beta": "β, weight of recency",
    "gamma": "γ, weight of importance",
    "recency_days": "τ, days",
    "rrf_k": "k of the rank fusion",
    "limit": "N, most memories returned",
    "diversity": "λ of MMR (1: off)",
    "min_score": "min_score, the cut-off",
}


def print_best_settings(console: Console, trials: Trials[RecallSetting]) -> None:
    """The default and the settings with the highest F1, each with its intervals."""
    title = f"{trials.group}: best of {len(trials.tried)} settings on {trials.questions} questions"
    table = Table(title=title, title_justify="left")
    table.add_column("setting", overflow="fold")
    for label in (*METRIC_LABELS.values(), "returned", "difference in F1", "beyond chance"):
        table.add_column(label, justify="right")
    beyond = trials.beyond_chance(OBJECTIVE)
    for place in dict.fromkeys([0, *trials.best(BEST_SHOWN)]):
        table.add_row(*_row(trials, place, beyond[place]))
    console.print(table)


def draw_parameter_curves(
    trials: Sequence[Trials[RecallSetting]], default: RecallSetting
) -> dict[str, bytes]:
    """A PNG for each parameter, one panel a set of questions."""
    return {
        name: draw_curves(
            name,
            _title(name, default),
            default.value(name),
            {each.group: _curve(each, name, default) for each in trials},
        )
        for name in CURVES
    }


def describe_difference(setting: RecallSetting, default: RecallSetting) -> str:
    """What a setting has that the default has not."""
    other = [
        f"{name} {value:g}"
        for name, value in setting.parameters().items()
        if value != default.value(name)
    ]
    return ", ".join(other) or "the default"


def _row(trials: Trials[RecallSetting], place: int, beyond: bool) -> list[str]:
    figures = trials.estimates(place)
    difference = trials.differences(place)[OBJECTIVE]
    return [
        describe_difference(trials.tried[place], trials.tried[0]),
        *(format_interval(figures[name]) for name in METRIC_LABELS),
        format_value(figures["returned"].value),
        "" if place == 0 else format_interval(difference, sign="+"),
        "" if place == 0 else "yes" if beyond else "no",
    ]


def _curve(trials: Trials[RecallSetting], parameter: str, default: RecallSetting) -> ParameterCurve:
    settings = parameter_curve(default, parameter)
    places = [trials.tried.index(setting) for setting in settings]
    estimates = [trials.estimates(place) for place in places]
    return ParameterCurve(
        across=[setting.value(parameter) for setting in settings],
        figures={name: [each[name] for each in estimates] for name in METRIC_LABELS},
        standing=trials.figures(0),
    )


def _title(parameter: str, default: RecallSetting) -> str:
    start = parameter_curve(default, parameter)[0]
    others = [
        f"{name} {start.value(name):g}"
        for name in CURVES
        if name != parameter and start.value(name) != default.value(name)
    ]
    return (
        f"{PARAMETER_TITLES[parameter]} (at {', '.join(others)})"
        if others
        else PARAMETER_TITLES[parameter]
    )


def format_interval(estimate: Estimate, sign: str = "") -> str:
    """A figure over its interval; – where it was not measured."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:{sign}.3f}\n[{estimate.low:{sign}.3f}, {estimate.high:{sign}.3f}]"


NAME = "sweep"


async def run_sweep(
    settings: Settings, sources: TuningSources, out: Path, console: Console, progress: Progress
) -> list[Trials[RecallSetting]]:
    """Judges every setting on what was gathered once, prints the best and draws every curve into
    the folder. Raises NothingToTune, RecallIncomplete, VectorsMissing, ReportNotWritten."""
    make_folder(out)
    default = current_setting(settings)
    tried, trials = all_settings(default), list[Trials[RecallSetting]]()
    async with open_system(settings, console.print) as system:
        with progress:
            async for gathered in SearchRecorder(system).groups(sources, progress):
                judging = RecallReplay(shipped_calibrations(system.embedder.model))
                trials.append(await judge_settings(gathered, tried, judging, progress))
    for each in trials:
        print_best_settings(console, each)
    console.print(CHANCE_NOTE)
    for name, drawn in draw_parameter_curves(trials, default).items():
        write_file(plot_path(out, name), drawn)
    console.print(f"the curves are in {out}", soft_wrap=True)
    return trials


async def judge_settings(
    gathered: Sequence[RecordedQuestion],
    tried: Sequence[RecallSetting],
    judging: RecallReplay,
    progress: Progress,
) -> Trials[RecallSetting]:
    """One set of questions, in a thread of its own, since it only computes."""
    task = progress.add_task("judging settings", total=len(tried))

    def judge(asked: RecordedQuestion, setting: RecallSetting) -> QuestionMetrics:
        return question_metrics(
            judging.answer(asked, setting.policy(), setting.limit, setting.rrf_k)
        )

    return await asyncio.to_thread(
        run_trials, gathered, tried, judge, lambda: progress.advance(task)
    )


async def log_sweep(trials: Sequence[Trials[RecallSetting]], out: Path, settings: Settings) -> str:
    """The id of the parent run in MLflow, with the plots. Raises what MLflow does."""
    return await log_trials(
        NAME,
        trials,
        RecallSetting.parameters,
        files=[plot_path(out, name) for name in CURVES],
        tracking_uri=settings.tracking_uri,
        home=settings.keepsake_home,
    )


def plot_path(folder: Path, parameter: str) -> Path:
    return folder / f"{parameter}.png"
