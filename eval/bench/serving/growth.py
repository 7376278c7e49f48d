"""Whether a server's memory grows: its resident size over a long run. Pure, but for the watch."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from eval.bench.serving.program import Program
from eval.measures.summary import Figures

EVERY_SECONDS = 5.0
# The first part of a run fills caches and pools; the rest is compared in two halves.
WARM_UP_SHARE = 0.3


@dataclass
class Watch:
    """Samples of a program: seconds since the beginning, and MB."""

    program: Program
    samples: list[tuple[float, float]] = field(default_factory=list)

    async def look(self) -> None:
        """Until it is cancelled."""
        began = time.perf_counter()
        while True:
            self.samples.append((time.perf_counter() - began, self.program.resident_mb))
            await asyncio.sleep(EVERY_SECONDS)


def growth_figures(samples: Sequence[tuple[float, float]]) -> Figures:
    """MB after the warm-up and in the end (the means of the first and the last third of what is
    left), what lies between, and MB an hour by the least-squares line."""
    settled = list(samples)[int(len(samples) * WARM_UP_SHARE) :]
    if len(settled) < 3:  # noqa: PLR2004 - a first, a middle and a last third
        return {"resident_mb": None, "growth_mb": None, "growth_mb_an_hour": None}
    third = len(settled) // 3
    first = sum(size for _, size in settled[:third]) / third
    last = sum(size for _, size in settled[-third:]) / third
    return {
        "resident_mb": last,
        "growth_mb": last - first,
        "growth_share": (last - first) / first,
        "growth_mb_an_hour": _slope(settled) * 3600,
    }


def _slope(samples: Sequence[tuple[float, float]]) -> float:
    middle = sum(at for at, _ in samples) / len(samples)
    mean = sum(size for _, size in samples) / len(samples)
    spread = sum((at - middle) ** 2 for at, _ in samples)
    together = sum((at - middle) * (size - mean) for at, size in samples)
    return together / spread if spread else 0.0
