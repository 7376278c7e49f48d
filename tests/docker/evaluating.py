"""Evaluates PromQL at one moment as Prometheus does, as far as the alert rules go.

`rate` and `increase` extrapolate to the ends of their window, resets of a counter are seen through,
and a quantile of a histogram is interpolated within its bucket: "Query functions" in Prometheus's
manual, and extrapolatedRate() in its source.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from tests.docker.promql import Aggregation, Call, Expression, Number, Operation, Selector

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]
Samples = Sequence[tuple[float, float]]
Series = Mapping[tuple[str, Labels], Samples]
LOOKBACK = 300.0
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_COUNT: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: left / right if right else math.nan,
}
_AGGREGATE: dict[str, Callable[[Iterable[float]], float]] = {"sum": sum, "max": max, "min": min}


def evaluate(expression: Expression, series: Series, at: float) -> Vector | float:
    """`at` in seconds. Raises KeyError for a function that it does not know."""
    match expression:
        case Number(value):
            return value
        case Selector():
            return _instant(expression, series, at)
        case Call("histogram_quantile", (Number(share), of)):
            return _quantiles(share, _vector(evaluate(of, series, at)))
        case Call("rate" | "increase" as function, (Selector() as of,)):
            return _growth(of, series, at, per_second=function == "rate")
        case Aggregation(function, by, of):
            return _aggregated(_AGGREGATE[function], by, _vector(evaluate(of, series, at)))
        case Operation(sign, left, right):
            return _operated(sign, evaluate(left, series, at), evaluate(right, series, at))
    raise KeyError(expression)


def _vector(value: Vector | float) -> Vector:
    assert isinstance(value, dict)
    return value


def _matching(selector: Selector, series: Series) -> Iterable[tuple[Labels, Samples]]:
    for (name, labels), samples in series.items():
        if name == selector.name and all(_fits(dict(labels), *each) for each in selector.matchers):
            yield labels, samples


def _fits(labels: Mapping[str, str], label: str, sign: str, wanted: str) -> bool:
    value = labels.get(label, "")
    if sign in {"=", "!="}:
        return (value == wanted) == (sign == "=")
    return (re.fullmatch(wanted, value) is not None) == (sign == "=~")


def _instant(selector: Selector, series: Series, at: float) -> Vector:
    found = {}
    for labels, samples in _matching(selector, series):
        known = [value for when, value in samples if at - LOOKBACK < when <= at]
        if known:
            found[labels] = known[-1]
    return found


def _growth(selector: Selector, series: Series, at: float, *, per_second: bool) -> Vector:
    assert selector.window is not None
    found = {}
    for labels, samples in _matching(selector, series):
        seen = [each for each in samples if at - selector.window <= each[0] <= at]
        if len(seen) > 1:
            grown = _extrapolated(seen, at - selector.window, at)
            found[labels] = grown / selector.window if per_second else grown
    return found


def _extrapolated(seen: Samples, begin: float, end: float) -> float:
    """What a counter grew by between the two moments."""
    values = [value for _, value in seen]
    grown = sum(after - before if after >= before else after for before, after in pairwise(values))
    covered = seen[-1][0] - seen[0][0]
    spacing = covered / (len(seen) - 1)
    before, after = seen[0][0] - begin, end - seen[-1][0]
    if grown > 0 and values[0] >= 0:  # a counter is not extrapolated below 0
        before = min(before, covered * values[0] / grown)
    reach = sum(gap if gap < spacing * 1.1 else spacing / 2 for gap in (before, after))
    return grown * (covered + reach) / covered


def _quantiles(share: float, buckets: Vector) -> Vector:
    groups: dict[Labels, list[tuple[float, float]]] = {}
    for labels, count in buckets.items():
        bound = float(dict(labels)["le"])
        rest = frozenset(each for each in labels if each[0] != "le")
        groups.setdefault(rest, []).append((bound, count))
    return {labels: _quantile(share, sorted(group)) for labels, group in groups.items()}


def _quantile(share: float, buckets: list[tuple[float, float]]) -> float:
    total = buckets[-1][1]
    if not total:
        return math.nan
    rank = share * total
    place = next(index for index, (_, count) in enumerate(buckets) if count >= rank)
    if buckets[place][0] == math.inf:
        return buckets[place - 1][0]
    low, below = buckets[place - 1] if place else (0.0, 0.0)
    high, upto = buckets[place]
    return low + (high - low) * (rank - below) / (upto - below)


def _aggregated(
    function: Callable[[Iterable[float]], float], by: Sequence[str], vector: Vector
) -> Vector:
    groups: dict[Labels, list[float]] = {}
    for labels, value in vector.items():
        groups.setdefault(frozenset(each for each in labels if each[0] in by), []).append(value)
    return {labels: function(values) for labels, values in groups.items()}


def _operated(sign: str, left: Vector | float, right: Vector | float) -> Vector | float:
    if sign in {"and", "unless"}:
        wanted = sign == "and"
        return {
            key: each for key, each in _vector(left).items() if (key in _vector(right)) is wanted
        }
    if isinstance(left, float) and isinstance(right, float):
        return _COUNT[sign](left, right)
    keys = left if isinstance(left, dict) else _vector(right)
    pairs = {key: (_at(left, key), _at(right, key)) for key in keys}
    both = {key: (a, b) for key, (a, b) in pairs.items() if a is not None and b is not None}
    if sign in _COMPARE:
        return {key: a for key, (a, b) in both.items() if _COMPARE[sign](a, b)}
    return {key: _COUNT[sign](a, b) for key, (a, b) in both.items()}


def _at(value: Vector | float, key: Labels) -> float | None:
    return value.get(key) if isinstance(value, dict) else value
