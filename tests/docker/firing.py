"""Which alerts fire, by the rules of alerts.yml, on series in promtool's notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.docker.evaluating import Labels, Series, evaluate
from tests.docker.promql import SECONDS, Expression, parse

FOLDER = Path(__file__).parents[2] / "docker" / "prometheus"
_VALUES = re.compile(r"(?P<first>-?[\d.]+)(?:(?P<step>[-+][\d.]+))?x(?P<times>\d+)")


@dataclass(frozen=True)
class Rule:
    """`wait` is how long, in seconds, its expression has to hold."""

    name: str
    expression: Expression
    wait: float
    labels: Mapping[str, str]
    annotations: Mapping[str, str]


def read_rules() -> dict[str, Rule]:
    [group] = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return {each["alert"]: _rule(each) for each in group["rules"]}


def _rule(given: Mapping[str, Any]) -> Rule:
    return Rule(
        given["alert"],
        parse(given["expr"]),
        seconds(given.get("for", "0s")),
        given["labels"],
        given["annotations"],
    )


def seconds(text: str) -> float:
    return float(text[:-1]) * SECONDS[text[-1]]


def read_series(given: list[Mapping[str, str]], interval: float) -> Series:
    """`a+bxn` is a, a+b, … n times after the first; `axn` is a, n times after the first."""
    found = {}
    for each in given:
        values = [value for part in each["values"].split() for value in _expanded(part)]
        samples = [(place * interval, value) for place, value in enumerate(values)]
        found[_named(each["series"])] = samples
    return found


def _expanded(part: str) -> Iterator[float]:
    match = _VALUES.fullmatch(part)
    if match is None:
        yield float(part)
        return
    for number in range(int(match["times"]) + 1):
        yield float(match["first"]) + number * float(match["step"] or 0)


def _named(series: str) -> tuple[str, Labels]:
    name, _, labels = series.rstrip("}").partition("{")
    return name, frozenset(re.findall(r'(\w+)="([^"]*)"', labels))


def firing(rule: Rule, series: Series, at: float, interval: float) -> set[Labels]:
    """For which labels the rule fires at that moment, having been looked at every `interval`."""
    since: dict[Labels, float] = {}
    for number in range(int(at / interval) + 1):
        now = number * interval
        held = evaluate(rule.expression, series, now)
        assert isinstance(held, dict)
        since = {labels: since.get(labels, now) for labels in held}
    return {labels for labels, began in since.items() if at - began >= rule.wait}
