"""The plots of a sweep: every figure over one parameter, the default marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.page.drawing import COLOURS, INK, as_png, panels, plain, shares
from eval.tuning.comparing import Estimate

LABELS = {
    "recall_at_5": "recall@5",
    "precision": "precision",
    "no_answer_accuracy": "no-answer accuracy",
    "f1": "F1 with silence",
}
LOGARITHMIC = {"alpha", "recency_days", "rrf_k"}


@dataclass(frozen=True)
class Curve:
    """Of one set: the values of the parameter, by figure what each is worth, and what the default
    is worth."""

    across: Sequence[float]
    figures: Mapping[str, Sequence[Estimate]]
    standing: Mapping[str, float | None]


def draw_curves(parameter: str, title: str, default: float, curves: Mapping[str, Curve]) -> bytes:
    """One panel a set; dots are the default's figures, the upright line its value."""
    figure, drawn = panels(len(curves))
    for axes, (group, curve) in zip(drawn, curves.items(), strict=True):
        for colour, (name, label) in zip(COLOURS, LABELS.items(), strict=False):
            told = curve.figures[name]
            if all(each.value is None for each in told):
                continue
            values = [_number(each.value) for each in told]
            axes.plot(curve.across, values, "o-", ms=3, color=colour, label=label)
            low, high = [_number(e.low) for e in told], [_number(e.high) for e in told]
            axes.fill_between(curve.across, low, high, color=colour, alpha=0.12, linewidth=0)
            axes.plot([default], [_number(curve.standing[name])], "D", ms=6, mfc="none", mec=colour)
        axes.axvline(default, color=INK, linestyle=":", linewidth=1)
        plain(axes, group, title, "")
        shares(axes)
        if parameter in LOGARITHMIC:
            axes.set_xscale("log")
    drawn[0].legend(fontsize=7, loc="best")
    return as_png(figure)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
