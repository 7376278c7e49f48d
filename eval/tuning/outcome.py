"""What a sweep found, on the terminal and as plots."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from eval.report.tables import shown
from eval.tuning.comparing import Estimate
from eval.tuning.plots import LABELS, Curve, draw_curves
from eval.tuning.setting import CURVES, Setting, along
from eval.tuning.trials import OBJECTIVE, Trials

BEST = 8
CHANCE = (
    "Settings that answer every question alike are told once. “difference” is to the default on "
    "the same questions, with its paired 95 % interval; “beyond chance” says whether it exceeds "
    "what the luckiest of as many equal settings would show. The questions of one conversation "
    "are not independent, so that the intervals of LoCoMo and BEAM are rather too narrow."
)
TITLES = {
    "alpha": "α, weight of relevance",
    "beta": "β, weight of recency",
    "gamma": "γ, weight of importance",
    "recency_days": "τ, days",
    "rrf_k": "k of the rank fusion",
    "limit": "N, most memories returned",
    "diversity": "λ of MMR (1: off)",
    "min_score": "min_score, the cut-off",
}


def print_best(console: Console, trials: Trials[Setting]) -> None:
    """The default and the settings with the highest F1, each with its intervals."""
    title = f"{trials.group}: best of {len(trials.tried)} settings on {trials.questions} questions"
    table = Table(title=title, title_justify="left")
    table.add_column("setting", overflow="fold")
    for label in (*LABELS.values(), "returned", "difference in F1", "beyond chance"):
        table.add_column(label, justify="right")
    beyond = trials.beyond_chance(OBJECTIVE)
    for place in dict.fromkeys([0, *trials.best(BEST)]):
        table.add_row(*_row(trials, place, beyond[place]))
    console.print(table)


def draw_all(trials: Sequence[Trials[Setting]], default: Setting) -> dict[str, bytes]:
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


def told(setting: Setting, default: Setting) -> str:
    """What a setting has that the default has not."""
    other = [
        f"{name} {value:g}"
        for name, value in setting.parameters().items()
        if value != default.value(name)
    ]
    return ", ".join(other) or "the default"


def _row(trials: Trials[Setting], place: int, beyond: bool) -> list[str]:
    figures = trials.estimates(place)
    difference = trials.differences(place)[OBJECTIVE]
    return [
        told(trials.tried[place], trials.tried[0]),
        *(within(figures[name]) for name in LABELS),
        shown(figures["returned"].value),
        "" if place == 0 else within(difference, sign="+"),
        "" if place == 0 else "yes" if beyond else "no",
    ]


def _curve(trials: Trials[Setting], parameter: str, default: Setting) -> Curve:
    settings = along(default, parameter)
    places = [trials.tried.index(setting) for setting in settings]
    estimates = [trials.estimates(place) for place in places]
    return Curve(
        across=[setting.value(parameter) for setting in settings],
        figures={name: [each[name] for each in estimates] for name in LABELS},
        standing=trials.figures(0),
    )


def _title(parameter: str, default: Setting) -> str:
    start = along(default, parameter)[0]
    others = [
        f"{name} {start.value(name):g}"
        for name in CURVES
        if name != parameter and start.value(name) != default.value(name)
    ]
    return f"{TITLES[parameter]} (at {', '.join(others)})" if others else TITLES[parameter]


def within(estimate: Estimate, sign: str = "") -> str:
    """A figure over its interval; – where it was not measured."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:{sign}.3f}\n[{estimate.low:{sign}.3f}, {estimate.high:{sign}.3f}]"
