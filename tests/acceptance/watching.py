"""What Prometheus would make of a program's metrics: the real numbers, the real alert rules."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from tests.docker.evaluating import Labels
from tests.docker.firing import firing, read_rules

MINUTE = 60.0
_RULES = read_rules()
Scraped = dict[tuple[str, Labels], float]


def scrape(registry: CollectorRegistry) -> Scraped:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in registry.collect()
        for sample in family.samples
    }


def fires(alert: str, before: Scraped, after: Scraped) -> bool:
    """Whether the alert fires half an hour after the numbers became what they are `after`; they
    had been what they were `before` for half an hour."""
    series = {
        key: [(step * MINUTE, (before if step < 30 else after).get(key, 0.0)) for step in range(61)]
        for key in after
    }
    return bool(firing(_RULES[alert], series, 60 * MINUTE, MINUTE))
