"""The plots of the page: ranking, cut-off, calibration, latency, categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import MaxNLocator

from eval.measures.metrics import Bin
from eval.page.drawing import (
    BLUE,
    COLOURS,
    FAINT,
    INK,
    ORANGE,
    as_png,
    panels,
    plain,
    shares,
)
from eval.tuning.comparing import Estimate

MOST_SHOWN = 99
Point = tuple[float, float, float]
"""A cut-off with the recall and the precision that it leaves."""


def draw_recall_at(curves: Mapping[str, Sequence[Estimate]]) -> bytes:
    """Recall at 1, 2, 3 … by set, with its 95 % interval."""
    figure, [axes] = panels(1)
    for colour, (name, curve) in zip(COLOURS, curves.items(), strict=False):
        known = [(k, e) for k, e in enumerate(curve, start=1) if e.value is not None]
        across = [k for k, _ in known]
        axes.plot(across, [e.value or 0.0 for _, e in known], "o-", ms=3, color=colour, label=name)
        low, high = [e.low or 0.0 for _, e in known], [e.high or 0.0 for _, e in known]
        axes.fill_between(across, low, high, color=colour, alpha=0.15, linewidth=0)
    plain(axes, "Recall at k, before the cut-off", "k", "share of the evidence")
    shares(axes)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(fontsize=8, loc="lower right")
    return as_png(figure)


def draw_precision_recall(curves: Mapping[str, Sequence[Point]], cut: float) -> bytes:
    """One panel a set; the cut-off that ships is marked."""
    figure, drawn = panels(len(curves))
    for axes, (name, curve) in zip(drawn, curves.items(), strict=True):
        axes.plot([r for _, r, _ in curve], [p for _, _, p in curve], "-", color=BLUE)
        score, recall, precision = min(curve, key=lambda point: abs(point[0] - cut))
        axes.plot([recall], [precision], "o", color=ORANGE, label=f"cut at {score:g}")
        plain(axes, name, "recall of what is returned", "precision")
        axes.set_xlim(-0.02, 1.02)
        shares(axes)
        axes.legend(fontsize=8, loc="lower left")
    return as_png(figure)


def draw_reliability(told: Mapping[str, tuple[Sequence[Bin], Sequence[float]]]) -> bytes:
    """The share that helped over the probability, with what chance leaves open (1.96 standard
    errors), and below it how many judgements are of which probability."""
    figure, drawn = panels(len(told), rows=2)
    above, below = drawn[: len(told)], drawn[len(told) :]
    for axes, counts, (name, (bins, probabilities)) in zip(above, below, told.items(), strict=True):
        p, shared = [each.probability for each in bins], [each.share for each in bins]
        open_ = [1.96 * (each.share * (1 - each.share) / each.count) ** 0.5 for each in bins]
        label = f"{len(bins)} bins of about {bins[0].count}" if bins else "nothing"
        axes.plot([0, 1], [0, 1], ":", color=INK, linewidth=1)
        axes.errorbar(p, shared, yerr=open_, fmt="o-", ms=4, color=BLUE, ecolor=FAINT, label=label)
        plain(axes, name, "probability told", "share that helped")
        shares(axes)
        axes.legend(fontsize=8, loc="upper left")
        counts.hist(probabilities, bins=25, range=(0, 1), color=BLUE, log=len(probabilities) > 0)
        plain(counts, "judgements", "probability told", "count")
        for each in (axes, counts):
            each.set_xlim(-0.02, 1.02)
    return as_png(figure)


def draw_latency(latencies: Mapping[str, Sequence[float]]) -> bytes:
    """The share of recalls that took no longer than so many milliseconds."""
    figure, [axes] = panels(1)
    for colour, (name, took) in zip(COLOURS, latencies.items(), strict=False):
        ordered = np.sort(np.asarray(took))
        axes.plot(ordered, np.arange(1, len(ordered) + 1) / len(ordered), color=colour, label=name)
    axes.axhline(0.95, color=FAINT, linestyle="--", linewidth=1)
    plain(axes, "Latency of a recall (dashed: 95 of 100)", "milliseconds", "share of recalls")
    slow = [float(np.percentile(took, MOST_SHOWN)) for took in latencies.values() if len(took)]
    axes.set_xlim(0, max(slow, default=1.0))
    shares(axes)
    axes.legend(fontsize=8, loc="lower right")
    return as_png(figure)


def draw_categories(title: str, categories: Mapping[str, Estimate]) -> bytes:
    """A figure by category, with its 95 % interval; what was not measured is left out."""
    known = {name: each for name, each in categories.items() if each.value is not None}
    figure, [axes] = panels(1)
    figure.set_figheight(0.9 + 0.28 * max(len(known), 1))
    for place, (name, each) in enumerate(reversed(known.items())):
        axes.plot([each.low or 0.0, each.high or 0.0], [place, place], color=FAINT, linewidth=3)
        axes.plot([each.value or 0.0], [place], "o", color=BLUE, ms=5, label=name)
    axes.set_yticks(range(len(known)), list(reversed(known)), fontsize=8)
    plain(axes, title, "", "")
    axes.set_xlim(-0.02, 1.02)
    return as_png(figure)
