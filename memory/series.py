"""The series of the metrics, and what they are made of: the bounds of histograms, and the values
that labels are known to take. Each comes from the program; none can hold a word of a user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal, TypeAlias, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

# Seconds; a recall has to be done within 0.2 (001, SC-001).
QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
# Seconds; of what a model does.
SLOW = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
# Seconds; of what waits to be done behind the replies.
PATIENT = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0)


KINDS = ("memories", "messages")
EMBEDDING = ("query", "texts")
WAITING = ("items", "messages")
OPERATIONS = ("answer", "extract", "rerank", "summarise")
DEPENDENCIES = ("model", "embedder", "extraction", "redis")
REFUSALS = ("secret", "forgotten", "memory off")
STRATEGIES = ("lowest_score", "fifo", "least_relevant", "oldest_accessed")
# The values of each label as far as they are known beforehand.
Labels: TypeAlias = Mapping[str, Sequence[str]]
UserAction = Literal[
    "pin",
    "unpin",
    "edit",
    "forget",
    "restore",
    "memory on",
    "memory read-only",
    "memory off",
    "incognito on",
    "incognito off",
]
Metric = TypeVar("Metric", Counter, Gauge, Histogram)


class Series:
    """Metrics of one registry, each named `keepsake_…`. A series whose labels are known beforehand
    begins with 0: one that began with its first event would not have grown."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def counter(self, name: str, about: str, labels: Labels | None = None) -> Counter:
        made = Counter(f"keepsake_{name}", about, labels or (), registry=self._registry)
        return _begun(made, labels)

    def gauge(self, name: str, about: str, labels: Labels | None = None) -> Gauge:
        made = Gauge(f"keepsake_{name}", about, labels or (), registry=self._registry)
        return _begun(made, labels)

    def histogram(
        self, name: str, about: str, buckets: Sequence[float], labels: Labels | None = None
    ) -> Histogram:
        made = Histogram(
            f"keepsake_{name}", about, labels or (), registry=self._registry, buckets=buckets
        )
        return _begun(made, labels)


def _begun(metric: Metric, labels: Labels | None) -> Metric:
    """With a series for all that its labels are known to be."""
    for values in product(*labels.values()) if labels else ():
        metric.labels(*values)
    return metric
