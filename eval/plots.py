"""The plots of the page and of a sweep as PNG, drawn without a window, in colours that the
colour-blind can tell apart (Wong 2011)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from eval.metrics import Bin
from eval.statistics import Estimate

BLUE, ORANGE, GREEN, PINK, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, "#E69F00")
INK, FAINT = "#444444", "#bbbbbb"
DOTS_PER_INCH = 130
PANEL = (4.4, 3.2)


def make_panels(count: int, *, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """So many panels beside each other, in `rows` rows that share what lies below."""
    width, height = PANEL
    figure = Figure(figsize=(width * count, height * rows), layout="constrained")
    drawn = figure.subplots(rows, count, squeeze=False)
    return figure, [each for row in drawn for each in row]


def as_png(figure: Figure) -> bytes:
    held = BytesIO()
    figure.savefig(held, format="png", dpi=DOTS_PER_INCH)
    return held.getvalue()


def style_axes(axes: Axes, title: str, across: str, up: str) -> None:
    """Names the axes, and takes away what says nothing."""
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(color=FAINT, alpha=0.4, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def set_share_axis(axes: Axes) -> None:
    """The y axis runs over all that a share can be."""
    axes.set_ylim(-0.02, 1.02)


MOST_SHOWN = 99
CutPoint = tuple[float, float, float]
"""A cut-off with the recall and the precision that it leaves."""


def draw_recall_at(curves: Mapping[str, Sequence[Estimate]]) -> bytes:
    """Recall at 1, 2, 3 … by set, with its 95 % interval."""
    figure, [axes] = make_panels(1)
    for colour, (name, curve) in zip(COLOURS, curves.items(), strict=False):
        known = [(k, e) for k, e in enumerate(curve, start=1) if e.value is not None]
        across = [k for k, _ in known]
        axes.plot(across, [e.value or 0.0 for _, e in known], "o-", ms=3, color=colour, label=name)
        low, high = [e.low or 0.0 for _, e in known], [e.high or 0.0 for _, e in known]
        axes.fill_between(across, low, high, color=colour, alpha=0.15, linewidth=0)
    style_axes(axes, "Recall at k, before the cut-off", "k", "share of the evidence")
    set_share_axis(axes)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(fontsize=8, loc="lower right")
    return as_png(figure)


def draw_precision_recall(curves: Mapping[str, Sequence[CutPoint]], cut: float) -> bytes:
    """One panel a set; the cut-off that ships is marked."""
    figure, drawn = make_panels(len(curves))
    for axes, (name, curve) in zip(drawn, curves.items(), strict=True):
        axes.plot([r for _, r, _ in curve], [p for _, _, p in curve], "-", color=BLUE)
        score, recall, precision = min(curve, key=lambda point: abs(point[0] - cut))
        axes.plot([recall], [precision], "o", color=ORANGE, label=f"cut at {score:g}")
        style_axes(axes, name, "recall of what is returned", "precision")
        axes.set_xlim(-0.02, 1.02)
        set_share_axis(axes)
        axes.legend(fontsize=8, loc="lower left")
    return as_png(figure)


def draw_reliability(told: Mapping[str, tuple[Sequence[Bin], Sequence[float]]]) -> bytes:
    """The share that helped over the probability, with what chance leaves open (1.96 standard
    errors), and below it how many judgements are of which probability."""
    figure, drawn = make_panels(len(told), rows=2)
    above, below = drawn[: len(told)], drawn[len(told) :]
    for axes, counts, (name, (bins, probabilities)) in zip(above, below, told.items(), strict=True):
        p, shared = [each.probability for each in bins], [each.share for each in bins]
        open_ = [1.96 * (each.share * (1 - each.share) / each.count) ** 0.5 for each in bins]
        label = f"{len(bins)} bins of about {bins[0].count}" if bins else "nothing"
        axes.plot([0, 1], [0, 1], ":", color=INK, linewidth=1)
        axes.errorbar(p, shared, yerr=open_, fmt="o-", ms=4, color=BLUE, ecolor=FAINT, label=label)
        style_axes(axes, name, "probability told", "share that helped")
        set_share_axis(axes)
        axes.legend(fontsize=8, loc="upper left")
        counts.hist(probabilities, bins=25, range=(0, 1), color=BLUE, log=len(probabilities) > 0)
        style_axes(counts, "judgements", "probability told", "count")
        for each in (axes, counts):
            each.set_xlim(-0.02, 1.02)
    return as_png(figure)


def draw_latency(latencies: Mapping[str, Sequence[float]]) -> bytes:
    """The share of recalls that took no longer than so many milliseconds."""
    figure, [axes] = make_panels(1)
    for colour, (name, took) in zip(COLOURS, latencies.items(), strict=False):
        ordered = np.sort(np.asarray(took))
        axes.plot(ordered, np.arange(1, len(ordered) + 1) / len(ordered), color=colour, label=name)
    axes.axhline(0.95, color=FAINT, linestyle="--", linewidth=1)
    style_axes(axes, "Latency of a recall (dashed: 95 of 100)", "milliseconds", "share of recalls")
    slow = [float(np.percentile(took, MOST_SHOWN)) for took in latencies.values() if len(took)]
    axes.set_xlim(0, max(slow, default=1.0))
    set_share_axis(axes)
    axes.legend(fontsize=8, loc="lower right")
    return as_png(figure)


def draw_categories(title: str, categories: Mapping[str, Estimate]) -> bytes:
    """A figure by category, with its 95 % interval; what was not measured is left out."""
    known = {name: each for name, each in categories.items() if each.value is not None}
    figure, [axes] = make_panels(1)
    figure.set_figheight(0.9 + 0.28 * max(len(known), 1))
    for place, (name, each) in enumerate(reversed(known.items())):
        axes.plot([each.low or 0.0, each.high or 0.0], [place, place], color=FAINT, linewidth=3)
        axes.plot([each.value or 0.0], [place], "o", color=BLUE, ms=5, label=name)
    axes.set_yticks(range(len(known)), list(reversed(known)), fontsize=8)
    style_axes(axes, title, "", "")
    axes.set_xlim(-0.02, 1.02)
    return as_png(figure)


METRIC_LABELS = {
    "recall_at_5": "recall@5",
    "precision": "precision",
    "no_answer_accuracy": "no-answer accuracy",
    "f1": "F1 with silence",
}
LOGARITHMIC = {"alpha", "recency_days", "rrf_k"}


@dataclass(frozen=True)
class ParameterCurve:
    """Of one set: the values of the parameter, by figure what each is worth, and what the default
    is worth."""

    across: Sequence[float]
    figures: Mapping[str, Sequence[Estimate]]
    standing: Mapping[str, float | None]


def draw_curves(
    parameter: str, title: str, default: float, curves: Mapping[str, ParameterCurve]
) -> bytes:
    """One panel a set; dots are the default's figures, the upright line its value."""
    figure, drawn = make_panels(len(curves))
    for axes, (group, curve) in zip(drawn, curves.items(), strict=True):
        for colour, (name, label) in zip(COLOURS, METRIC_LABELS.items(), strict=False):
            told = curve.figures[name]
            if all(each.value is None for each in told):
                continue
            values = [_number(each.value) for each in told]
            axes.plot(curve.across, values, "o-", ms=3, color=colour, label=label)
            low, high = [_number(e.low) for e in told], [_number(e.high) for e in told]
            axes.fill_between(curve.across, low, high, color=colour, alpha=0.12, linewidth=0)
            axes.plot([default], [_number(curve.standing[name])], "D", ms=6, mfc="none", mec=colour)
        axes.axvline(default, color=INK, linestyle=":", linewidth=1)
        style_axes(axes, group, title, "")
        set_share_axis(axes)
        if parameter in LOGARITHMIC:
            axes.set_xscale("log")
    drawn[0].legend(fontsize=7, loc="best")
    return as_png(figure)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
