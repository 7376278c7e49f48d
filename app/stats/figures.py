"""What the sums of the last days say. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memory.store.figures.metric_totals import Counted

PREFIX = "keepsake_"


@dataclass(frozen=True)
class Figures:
    """`days` follow one another, the last one is today; names are given without their prefix and
    without `_total`, labels in any number."""

    days: Sequence[date]
    sums: Mapping[date, Sequence[Counted]]

    def total(self, name: str, **labels: str) -> float:
        """Of all days together."""
        return sum(self.by_day(name, **labels))

    def by_day(self, name: str, **labels: str) -> list[float]:
        """One number for each day, 0 where nothing was counted."""
        named = f"{PREFIX}{name}_total"
        return [sum(each.value for each in self._of(day, named, labels)) for day in self.days]

    def by_label(self, name: str, label: str, **labels: str) -> dict[str, float]:
        """The most first."""
        found: dict[str, float] = {}
        for day in self.days:
            for each in self._of(day, f"{PREFIX}{name}_total", labels):
                key = each.labels.get(label, "")
                found[key] = found.get(key, 0.0) + each.value
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

    def quantile(
        self, name: str, share: float, bounds: Sequence[float], **labels: str
    ) -> float | None:
        """Of a histogram with these bounds, interpolated within its bucket as Prometheus does; None
        where nothing was measured. What lies above the last bound counts as that bound."""
        held = self._buckets(name, labels)
        rank, low, below = share * held.get(math.inf, 0.0), 0.0, 0.0
        if not rank:
            return None
        for high in bounds:
            upto = held.get(high, 0.0)
            if upto >= rank:
                return low + (high - low) * (rank - below) / (upto - below)
            low, below = high, upto
        return low

    def _buckets(self, name: str, labels: Mapping[str, str]) -> dict[float, float]:
        """What lies at or below each bound; one that was never added to is not in it."""
        found: dict[float, float] = {}
        for day in self.days:
            for each in self._of(day, f"{PREFIX}{name}_bucket", labels):
                bound = float(each.labels["le"])
                found[bound] = found.get(bound, 0.0) + each.value
        return found

    def _of(self, day: date, name: str, labels: Mapping[str, str]) -> Iterator[Counted]:
        for each in self.sums.get(day, ()):
            if each.name == name and labels.items() <= each.labels.items():
                yield each
