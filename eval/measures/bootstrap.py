"""How far a figure could be off by chance: bootstrap intervals (Efron 1979) of ratios."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from eval.measures.summary import Figures

RESAMPLES = 2_000
SEED = 20_261_121
COVERED = (2.5, 97.5)

# Of one unit that is drawn whole (an utterance, a thread): what hit, and out of how many.
Count: TypeAlias = tuple[float, float]


def ratio(counts: Sequence[Count]) -> float | None:
    """Σ hits / Σ out of; None where there is nothing to hit."""
    total = sum(of for _, of in counts)
    return sum(hits for hits, _ in counts) / total if total else None


def interval(counts: Sequence[Count]) -> tuple[float, float] | None:
    """The 2.5th and 97.5th percentile of the ratio over RESAMPLES draws of as many units, with
    replacement and always the same ones; draws with nothing to hit are left out."""
    if ratio(counts) is None:
        return None
    hits, of = np.asarray(counts, dtype=np.float64).T
    drawn = np.random.default_rng(SEED).integers(len(hits), size=(RESAMPLES, len(hits)))
    totals = of[drawn].sum(axis=1)
    ratios = hits[drawn].sum(axis=1)[totals > 0] / totals[totals > 0]
    low, high = np.percentile(ratios, COVERED)
    return float(low), float(high)


def with_interval(name: str, counts: Sequence[Count]) -> Figures:
    """The ratio under its name, and where it lies with 95% confidence."""
    low, high = interval(counts) or (None, None)
    return {name: ratio(counts), f"{name}_low": low, f"{name}_high": high}
