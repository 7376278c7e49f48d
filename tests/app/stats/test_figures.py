from __future__ import annotations

from datetime import date

import pytest
from prometheus_client import CollectorRegistry, Histogram

from app.ops.stats import MetricFigures
from app.telemetry.metrics import summable
from memory.store.statistics import MetricSample

MONDAY, TUESDAY, WEDNESDAY = (date(2026, 11, day) for day in (16, 17, 18))
BOUNDS = (0.1, 0.2, 0.5, 1.0)
TURNS = "keepsake_turns_total"


def figures(**days: list[MetricSample]) -> MetricFigures:
    named = {"monday": MONDAY, "tuesday": TUESDAY, "wednesday": WEDNESDAY}
    sums = {named[day]: counted for day, counted in days.items()}
    return MetricFigures((MONDAY, TUESDAY, WEDNESDAY), sums)


def measured(*seconds: float) -> list[MetricSample]:
    """As a program would have added them to the sums of a day."""
    registry = CollectorRegistry()
    histogram = Histogram("keepsake_recall_seconds", "s", buckets=BOUNDS, registry=registry)
    for each in seconds:
        histogram.observe(each)
    return [
        MetricSample(name, dict(labels), value)
        for (name, labels), value in summable(registry)
        if value
    ]


def test_a_number_for_each_day_and_for_all() -> None:
    found = figures(
        monday=[
            MetricSample(TURNS, {"privacy": "normal"}, 3),
            MetricSample(TURNS, {"privacy": "off"}, 1),
        ],
        wednesday=[
            MetricSample(TURNS, {"privacy": "normal"}, 5),
            MetricSample("keepsake_x_total", {}, 9),
        ],
    )
    assert found.by_day("turns") == [4, 0, 5]
    assert found.by_day("turns", privacy="normal") == [3, 0, 5]
    assert found.total("turns") == 9
    assert found.by_label("turns", "privacy") == {"normal": 8, "off": 1}
    assert found.total("nothing") == 0


def test_a_quantile_is_of_all_days_together() -> None:
    found = figures(monday=measured(0.05, 0.05), tuesday=measured(0.15, 0.4))
    assert found.quantile("recall_seconds", 0.5, BOUNDS) == pytest.approx(0.1)
    assert found.quantile("recall_seconds", 0.75, BOUNDS) == pytest.approx(0.2)
    assert found.quantile("recall_seconds", 1.0, BOUNDS) == pytest.approx(0.5)


def test_what_lies_in_one_bucket_lies_within_its_bounds() -> None:
    found = figures(monday=measured(0.4, 0.4, 0.4))
    median = found.quantile("recall_seconds", 0.5, BOUNDS)
    assert median is not None
    assert 0.2 < median < 0.5


def test_what_took_longer_than_the_last_bound_counts_as_that() -> None:
    assert figures(monday=measured(7.0)).quantile("recall_seconds", 0.5, BOUNDS) == 1.0


def test_what_was_never_measured_has_no_quantile() -> None:
    assert figures().quantile("recall_seconds", 0.5, BOUNDS) is None
