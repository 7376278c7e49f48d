from __future__ import annotations

from eval.metrics import Bin
from eval.plots import (
    draw_categories,
    draw_latency,
    draw_precision_recall,
    draw_recall_at,
    draw_reliability,
)
from eval.statistics import NOT_MEASURED, Estimate

PNG = b"\x89PNG\r\n"
GOOD = Estimate(0.8, 0.7, 0.9)


def test_every_plot_is_a_png_whatever_is_missing() -> None:
    drawn = [
        draw_recall_at({"golden": [GOOD, GOOD], "beam": [NOT_MEASURED]}),
        draw_precision_recall({"golden": [(0.0, 1.0, 0.2), (0.3, 0.8, 0.9)]}, 0.3),
        draw_reliability({"pairs": ([Bin(10, 0.1, 0.0), Bin(10, 0.8, 0.9)], [0.1]), "g": ([], [])}),
        draw_latency({"golden": [3.0, 1.0, 2.0], "beam": []}),
        draw_categories("recall", {"fact": GOOD, "time": NOT_MEASURED}),
        draw_categories("recall", {}),
    ]
    assert all(png.startswith(PNG) for png in drawn)


def test_what_is_drawn_depends_on_the_figures() -> None:
    worse = Estimate(0.1, 0.0, 0.2)
    assert draw_categories("r", {"fact": GOOD}) != draw_categories("r", {"fact": worse})
    curve = [(0.0, 1.0, 0.2), (0.3, 0.8, 0.9)]
    assert draw_precision_recall({"a": curve}, 0.0) != draw_precision_recall({"a": curve}, 0.3)
