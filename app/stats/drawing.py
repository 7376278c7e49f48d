"""Numbers in words and blocks. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

WIDTH = 16
BLOCKS = "▁▂▃▄▅▆▇█"
FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
MINUTE, HOUR, DAY = 60, 3600, 86_400


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """One block for each value, or for as many together as find room in `width`; the greatest is a
    full one, and 0 a space, so that a quiet day is told from a small one."""
    together = max(math.ceil(len(values) / width), 1)
    values = [sum(values[at : at + together]) for at in range(0, len(values), together)]
    most = max(values, default=0.0)
    if most <= 0:
        return ""
    return "".join(
        " " if value <= 0 else BLOCKS[min(int(value / most * len(BLOCKS)), len(BLOCKS) - 1)]
        for value in values
    )


def bar(value: float, most: float, width: int = WIDTH) -> str:
    """`width` characters for the most, in steps of an eighth of one."""
    if most <= 0 or value <= 0:
        return ""
    eighths = max(round(value / most * width * 8), 1)
    return FULL * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def count(value: float) -> str:
    return f"{value:,.0f}"


def share(part: float, whole: float) -> str:
    """In per cent; a dash where there is no whole."""
    return f"{part / whole:.0%}" if whole else "–"


def dollars(value: float) -> str:
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:,.4f}"


def seconds(value: float | None) -> str:
    """In the unit that reads best; a dash where nothing was measured."""
    if value is None:
        return "–"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if value >= unit:
            return f"{value / unit:.1f} {name}"
    return f"{value:.1f} s"
