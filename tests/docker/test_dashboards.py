"""Every expression of a dashboard or an alert reads metrics that the program exports, by labels
that they have; and every metric is shown or watched, and explained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.metrics import MetricWrapperBase

from app.api.middleware import HttpMetrics
from memory.metrics import MemoryMetrics
from tests.docker.firing import read_rules
from tests.docker.promql import Aggregation, Expression, Selector, parse, selectors

PROJECT = Path(__file__).parents[2]
DASHBOARDS = sorted((PROJECT / "docker" / "grafana" / "dashboards").glob("*.json"))
TELEMETRY = (PROJECT / "docs" / "telemetry.md").read_text()
# Prometheus's own, and what it adds to each series.
ITS_OWN = {"up": {"job", "instance"}, "ALERTS": set[str]()}
ADDED = {"job", "instance"}


def exported() -> dict[str, set[str]]:
    """The labels of every series that the server and the worker export, by its name."""
    counters = MemoryMetrics()
    made = [*vars(counters).values(), *vars(HttpMetrics(counters.registry)).values()]
    found: dict[str, set[str]] = {}
    for metric in made:
        if isinstance(metric, MetricWrapperBase):
            labels = set(metric._labelnames)
            found |= {name: labels | extra for name, extra in _series(metric)}
    return found


def _series(metric: MetricWrapperBase) -> Iterator[tuple[str, set[str]]]:
    name = metric._name
    match metric:
        case Counter():
            yield f"{name}_total", set()
        case Gauge():
            yield name, set()
        case Histogram():
            yield f"{name}_bucket", {"le"}
            yield f"{name}_count", set()
            yield f"{name}_sum", set()


def panels() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in DASHBOARDS:
        for panel in json.loads(file.read_text())["panels"]:
            yield f"{file.stem}: {panel['title']}", panel


def expressions() -> dict[str, Expression]:
    found = {f"alert: {name}": rule.expression for name, rule in read_rules().items()}
    for title, panel in panels():
        for number, target in enumerate(panel["targets"]):
            text = target["expr"].replace("$__rate_interval", "5m")
            found[f"{title} {number}"] = parse(text)
    return found


EXPRESSIONS = expressions()
EXPORTED = exported()


def test_reads_what_the_program_exports() -> None:
    unknown = []
    for name, expression in EXPRESSIONS.items():
        for selector in selectors(expression):
            known = ITS_OWN.get(selector.name, EXPORTED.get(selector.name))
            asked = {label for label, _, _ in selector.matchers}
            if known is None or not asked <= known | ADDED:
                unknown.append((name, selector))
    assert unknown == []


def test_groups_by_labels_that_there_are() -> None:
    unknown = [
        (name, selector)
        for name, expression in EXPRESSIONS.items()
        for grouped in _aggregations(expression)
        for selector in selectors(grouped.of)
        if not set(grouped.by) <= EXPORTED[selector.name] | ADDED
    ]
    assert unknown == []


def _aggregations(expression: Any) -> Iterator[Aggregation]:
    if isinstance(expression, Aggregation):
        yield expression
    if isinstance(expression, tuple):
        for part in expression:
            yield from _aggregations(part)
    elif hasattr(expression, "__dataclass_fields__") and not isinstance(expression, Selector):
        for value in vars(expression).values():
            yield from _aggregations(value)


def test_every_metric_is_shown_or_watched() -> None:
    read = {selector.name for each in EXPRESSIONS.values() for selector in selectors(each)}
    families = {_family(name) for name in EXPORTED}
    assert families == {_family(name) for name in read if name not in ITS_OWN}


def test_every_metric_and_every_alert_is_explained() -> None:
    missing = [name for name in EXPORTED if f"`{_family(name)}" not in TELEMETRY]
    missing += [name for name in read_rules() if f"### {name}" not in TELEMETRY]
    assert missing == []


def _family(name: str) -> str:
    for end in ("_bucket", "_count", "_sum"):
        if name.endswith(end) and f"{name.removesuffix(end)}_bucket" in EXPORTED:
            return name.removesuffix(end)
    return name


def test_every_panel_has_a_title_and_a_place_of_its_own() -> None:
    places: set[tuple[str, int, int]] = set()
    for title, panel in panels():
        board, grid = title.partition(":")[0], panel["gridPos"]
        taken = {
            (board, grid["x"] + x, grid["y"] + y)
            for x in range(grid["w"])
            for y in range(grid["h"])
        }
        assert not taken & places, title
        assert grid["x"] + grid["w"] <= 24
        places |= taken


def test_no_label_can_hold_a_user_or_their_words() -> None:
    labels = {label for each in EXPORTED.values() for label in each}
    assert labels == {
        "action", "bank", "dependency", "direction", "job", "kind", "le", "method", "noun",
        "operation", "outcome", "privacy", "reason", "route", "state", "status", "strategy",
    }  # fmt: skip
